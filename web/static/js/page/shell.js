// The shell of every page: the badge of the live link, dialogs, and parts that are drawn anew.
import "./act.js";
import "./signals.js";
import "./turn.js";
import { closest, find, findAll, listen, mustFind } from "../common/dom.js";
import { fetchPart, show } from "./parts.js";
import { t } from "../common/strings.js";

/** @import { Link, TableView } from "../common/types.js" */
/** @import { DreyerChart } from "../chart/chart.js" */

/** A part is drawn at most this often, and tried again this long after a fault. */
const REDRAW_MS = 500;
const RETRY_MS = 2000;
/** The page says how old it is once the link has been down for longer than this. */
const LATE_SECONDS = 5;

/**
 * The drawing of a part that is under way.
 * @typedef {{ path: string | undefined, again: boolean }} Drawing
 */

/** @type {WeakMap<HTMLElement, Drawing>} */
const drawings = new WeakMap();
/** What each part was last drawn from. @type {WeakMap<HTMLElement, string>} */
const drawnFrom = new WeakMap();

/** @type {DreyerChart | null} */
const chart = find("dreyer-chart");

/**
 * Draw a part anew; while that is under way, once more after it.
 * @param {HTMLElement} part
 */
export async function redraw(part) {
  const path = part.dataset.live;
  const underWay = drawings.get(part);
  if (path === undefined) {
    return;
  }
  if (underWay?.path === path) {
    underWay.again = true;
    return;
  }
  const drawing = { path, again: false };
  drawings.set(part, drawing);
  const isOurs = () => drawings.get(part) === drawing;
  let failed = false;
  try {
    const fresh = await fetchPart(path);
    if (part.dataset.live === path) {
      show(part, fresh);
    }
  } catch (fault) {
    if (fault instanceof Response && fault.status < 500) {
      if (isOurs()) {
        drawings.delete(part);
      }
      return;
    }
    failed = true;
  }
  const next = () => {
    if (!isOurs()) {
      return;
    }
    drawings.delete(part);
    if ((drawing.again || failed) && !part.hidden) {
      redraw(part);
    }
  };
  setTimeout(next, failed ? RETRY_MS : REDRAW_MS);
}

/**
 * What lies at a path of a view: "camera.state".
 * @param {TableView | null} view
 * @param {string} path
 */
function valueAt(view, path) {
  /** @type {any} */
  let value = view;
  for (const name of path.split(".")) {
    value = value?.[name];
  }
  return value;
}

/**
 * Draw the parts whose data-when ("join camera.state") has changed, and `forced`.
 * @param {TableView | null} view
 * @param {HTMLElement} [forced]
 */
export function showParts(view, forced) {
  for (const part of findAll("[data-live]:not([hidden], [data-every])")) {
    const paths = (part.dataset.when || "seq").split(" ");
    const source = JSON.stringify(paths.map((path) => valueAt(view, path)));
    if (part === forced || drawnFrom.get(part) !== source) {
      redraw(part);
    }
    drawnFrom.set(part, source);
  }
}

// Parts with data-every are drawn that often, and after every act.
for (const part of findAll("[data-every]")) {
  const look = () => {
    if (!document.hidden) {
      redraw(part);
    }
  };
  setInterval(look, Number(part.dataset.every));
  listen("acted", look);
}

/**
 * @param {HTMLElement} badge
 * @param {Link} link
 */
function showLink(badge, { state, since }) {
  const seconds = Math.round((Date.now() - since) / 1000);
  const isLate = state !== "live" && seconds > LATE_SECONDS;
  const word = t(`common.link_${state}`);
  const age =
    seconds < 90
      ? t("common.seconds_ago", { n: seconds })
      : t("common.minutes_ago", { n: Math.round(seconds / 60) });
  mustFind("[data-word]", badge).textContent = isLate ? age : word;
  // Screen readers announce a state once, not every second.
  if (badge.dataset.state !== state) {
    mustFind("[data-said]", badge).textContent = word;
  }
  badge.dataset.state = state;
  document.body.classList.toggle("late", isLate);
}

listen("link", (link) => {
  const badge = find("#live");
  if (badge) {
    showLink(badge, link);
  }
});

listen("view", (view) => {
  document.body.classList.add("known");
  if (chart?.dataset.view !== undefined) {
    // The first view may come before the chart's own script.
    customElements.whenDefined("dreyer-chart").then(() => {
      chart.view = view;
    });
  }
  showParts(view);
});

function showTurn() {
  for (const button of findAll("[data-turn]")) {
    button.ariaPressed = String(Number(button.dataset.turn) === chart?.turned);
  }
}

document.addEventListener("click", (event) => {
  const { dialog, turn } = closest(event, "[data-dialog], [data-turn]")?.dataset ?? {};
  if (turn && chart) {
    chart.turned = Number(turn);
  }
  if (dialog) {
    /** @type {HTMLDialogElement} */ (mustFind(`#${dialog}`)).showModal();
  } else if (closest(event, "[data-close]") || event.target instanceof HTMLDialogElement) {
    /** @type {HTMLDialogElement | null} */
    const opened = closest(event, "dialog");
    opened?.close();
  }
  showTurn();
});

if (document.body.dataset.linked !== undefined) {
  import("./live.js");
}
