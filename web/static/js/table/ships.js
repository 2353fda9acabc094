// Ships by hand: dragged on the chart or by exact figures, each showing the other.
import { ask, attempt, toast } from "../page/act.js";
import { closest, fieldOf, find, listen, mustFind } from "../common/dom.js";
import { live } from "../page/live.js";
import { t } from "../common/strings.js";

/** @import { Point, Pose } from "../common/types.js" */
/** @import { DreyerChart } from "../chart/chart.js" */

/** @type {DreyerChart} */
const chart = mustFind("#chart");
const lists = mustFind("#lists");
/** @type {HTMLDialogElement} */
const reasonDialog = mustFind("#why");
/** What to do next; only those who may place ships have it. */
const tip = find("#tip");

/** @type {string | null} */
let chosen = null;
/** A ship that was added and is not in the list yet. @type {string | null} */
let added = null;
/** The ends of a smoke front that is being laid. @type {Point[] | null} */
let smoke = null;

/** @param {string | null} name */
const shipNamed = (name) => live.view?.ships.find((ship) => ship.name === name);

/**
 * A ship's entry in the list.
 * @param {string} name
 * @returns {HTMLDetailsElement | null}
 */
const entryOf = (name) => find(`[data-ship="${CSS.escape(name)}"]`, lists);

const isToBePlaced = () => shipNamed(chosen)?.placed === false;

function tipWords() {
  if (smoke) {
    return t(`ships.smoke_${smoke.length}`);
  }
  return isToBePlaced() ? t("ships.tap", { name: chosen }) : "";
}

function show() {
  chart.editing = tip !== null;
  if (!tip) {
    return;
  }
  const words = tipWords();
  if (tip.textContent !== words) {
    tip.textContent = words;
  }
  chart.laying = smoke;
}

/** @param {Point[] | null} ends */
function laySmoke(ends) {
  smoke = ends;
  show();
}

/** @param {string | null} name */
function select(name) {
  chosen = name;
  chart.selection = { firer: name };
  show();
  /** @type {HTMLDetailsElement | null} */
  const entry = name ? entryOf(name) : find("[data-ship][open]", lists);
  const isOpen = name !== null;
  if (!entry || entry.open === isOpen) {
    return;
  }
  entry.open = isOpen;
  entry.scrollIntoView({ block: "nearest" });
}

/**
 * Why a ship that the camera sees is moved by hand; "" where she is not.
 * @param {string} name
 */
async function askReason(name) {
  /** @type {HTMLFormElement} */ (mustFind("form", reasonDialog)).reset();
  const reason = await ask(reasonDialog, t("ships.against", { name }));
  if (reason !== "typed") {
    return reason;
  }
  /** @type {HTMLInputElement} */
  const typed = mustFind("input", reasonDialog);
  return typed.value.trim();
}

/** @param {Pose & { name: string }} move */
async function place({ name, x, y, heading }) {
  const ship = shipNamed(name);
  /** @type {Pose & { reason?: string }} */
  const body = { x, y, heading };
  if (ship?.needs_reason) {
    body.reason = await askReason(name);
    if (!body.reason) {
      chart.release(name);
      return;
    }
  }
  select(name);
  if (await attempt("POST", `/api/ships/${encodeURIComponent(name)}/place`, body)) {
    toast(t("ships.placed", { name }), "good");
  } else {
    chart.release(name);
  }
}

/**
 * Two taps on the water lay a smoke front.
 * @param {Point[]} ends
 * @param {Point} tapped
 */
async function addSmokeEnd([from], tapped) {
  if (!from) {
    laySmoke([tapped]);
    return;
  }
  laySmoke(null);
  const front = { x1: from.x, y1: from.y, x2: tapped.x, y2: tapped.y };
  if (await attempt("POST", "/api/smoke", front)) {
    toast(t("ships.smoke_laid"), "good");
  }
}

/**
 * A tap on the water puts down a chosen ship that is not on the table yet.
 * @param {string} name
 * @param {Point} tapped
 */
function putDown(name, tapped) {
  const entry = entryOf(name);
  if (!entry) {
    return;
  }
  /** @type {HTMLInputElement} */
  const heading = mustFind("[name=heading]", entry);
  place({ ...tapped, name, heading: Number(heading.value) });
}

listen("choose", ({ name }) => select(chosen === name ? null : name), chart);
listen(
  "clear",
  () => {
    if (smoke) {
      laySmoke(null);
    } else if (!isToBePlaced()) {
      select(null);
    }
  },
  chart,
);
listen("moved", place, chart);
listen(
  "point",
  ({ x, y }) => {
    if (smoke) {
      addSmokeEnd(smoke, { x, y });
    } else if (chosen && isToBePlaced()) {
      putDown(chosen, { x, y });
    }
  },
  chart,
);
lists.addEventListener(
  "toggle",
  ({ target }) => {
    const entry = /** @type {HTMLDetailsElement} */ (target);
    const { ship } = entry.dataset;
    if (ship && entry.open !== (ship === chosen)) {
      select(entry.open ? ship : null);
    }
  },
  true,
);
// A ship that was added is chosen once she is in the list.
listen(
  "acted",
  (_, form) => {
    if (form.dataset.act === "POST /api/ships") {
      added = fieldOf(/** @type {HTMLFormElement} */ (form), "name").value.trim();
    }
  },
  lists,
);
listen(
  "redrawn",
  () => {
    if (added && entryOf(added)) {
      select(added);
      added = null;
    }
  },
  lists,
);
lists.addEventListener("click", (event) => {
  if (closest(event, "[data-smoke]")) {
    laySmoke([]);
    mustFind(".sheet", chart).focus();
  }
});
listen("view", show);
if (live.view) {
  show();
}
