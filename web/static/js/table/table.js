// The table's page: the chart, two chosen ships, and the sheet on the two.
import { toast } from "../page/act.js";
import { closest, find, listen, mustFind } from "../common/dom.js";
import { live } from "../page/live.js";
import { redraw } from "../page/shell.js";
import { t } from "../common/strings.js";

/** @import { PairCheck, Selection } from "../common/types.js" */
/** @import { DreyerChart } from "../chart/chart.js" */

/** Screen readers announce a check once it has stayed the same for so long. */
const REST_MS = 1000;
/** Pixels: less is a tap on the handle, more is a pull. */
const TAP_PIXELS = 6;
const PULL_PIXELS = 40;

/** @type {DreyerChart} */
const chart = mustFind("#chart");
const sheet = mustFind("#sheet");
const sheetBody = mustFind("#sheet-body");
const roster = mustFind("#roster");
const pair = mustFind("#pair");
const grip = mustFind(".grip");
const overChart = mustFind(".over");
const liveRegion = mustFind("#spoken");

/** The battery that was chosen last, by firer. @type {Record<string, string>} */
const batteries = {};
/** @type {Selection} */
let chosen = {};
/** @type {number | undefined} */
let speechTimer;
/** How far the handle was pulled up. */
let pulledUp = 0;

// ---------- the two ships ----------

/**
 * The ships that an address names.
 * @param {string} address
 * @returns {Selection}
 */
function selectionOf(address) {
  return Object.fromEntries(new URL(address).searchParams);
}

/** @param {URLSearchParams} query */
function showPair(query) {
  pair.dataset.live = `/check?${query}`;
  redraw(pair);
}

/** @param {URLSearchParams} query */
function showRoster(query) {
  pair.dataset.live = "";
  pair.replaceChildren();
  chart.check = null;
  roster.dataset.live = `/table/ships?${query}`;
  setSheet("half");
  if (live.view) {
    redraw(roster);
  }
}

/**
 * Choose who looks and at whom.
 * @param {Selection} selection
 * @param {boolean} [isStep] whether Back takes it back
 */
function choose({ firer, target }, isStep = true) {
  const query = new URLSearchParams();
  /** @type {Selection} */
  const next = {};
  if (firer) {
    next.firer = firer;
    query.set("firer", firer);
  }
  if (firer && target) {
    next.target = target;
    query.set("target", target);
  }
  const isSameTarget = chosen.target === target;
  if (isStep && !(isSameTarget && chosen.firer === firer)) {
    history.pushState(null, "", firer ? `/table?${query}` : "/table");
  }
  chosen = next;
  chart.selection = next;
  const hasBoth = next.target !== undefined;
  document.body.classList.toggle("checking", hasBoth);
  roster.hidden = hasBoth;
  pair.hidden = !hasBoth;
  if (firer && batteries[firer]) {
    query.set("battery", batteries[firer]);
  }
  if (hasBoth) {
    showPair(query);
  } else {
    showRoster(query);
  }
  if (!isSameTarget) {
    sheetBody.scrollTop = 0;
  }
}

/**
 * A ship was tapped: first who looks, then at whom; herself again starts over.
 * @param {string} name
 */
function pick(name) {
  const { firer, target } = chosen;
  if (name === firer) {
    choose(target ? { firer } : {});
  } else {
    choose(firer ? { firer, target: name } : { firer: name });
  }
}

/**
 * Have screen readers announce words, unless they were the last ones.
 * @param {string} words
 */
function announceWords(words) {
  clearTimeout(speechTimer);
  speechTimer = setTimeout(() => {
    if (liveRegion.textContent !== words) {
      liveRegion.textContent = words;
    }
  }, REST_MS);
}

listen("choose", ({ name }) => pick(name), chart);
listen("clear", () => choose({}), chart);
listen(
  "redrawn",
  () => {
    /** @type {PairCheck} */
    const check = JSON.parse(mustFind("[data-check]", pair).dataset.check ?? "{}");
    chart.check = check;
    announceWords(check.spoken ?? "");
  },
  pair,
);
listen(
  "acted",
  () => {
    sheetBody.scrollTop = 0;
  },
  pair,
);
listen("view", ({ ships }) => {
  const gone = [chosen.firer, chosen.target].find(
    (name) => name && !ships.some((ship) => ship.name === name),
  );
  if (gone) {
    toast(t("table.gone_ship", { name: gone }));
    choose({});
  }
});
sheet.addEventListener("click", (event) => {
  /** @type {HTMLAnchorElement | null} */
  const link = closest(event, "[data-pick], [data-battery], [data-pair]");
  if (!link) {
    return;
  }
  event.preventDefault();
  const { pick: name, battery } = link.dataset;
  if (name) {
    pick(name);
  } else if (battery && chosen.firer) {
    batteries[chosen.firer] = battery;
    choose(chosen);
  } else {
    choose(selectionOf(link.href));
  }
});
window.addEventListener("popstate", () => choose(selectionOf(location.href), false));

// ---------- the sheet: half of the height or all of it, by handle, keys or pulling ----------

/** @param {"half" | "full"} state */
function setSheet(state) {
  sheet.dataset.state = state;
  grip.ariaExpanded = String(state === "full");
}

const isFull = () => sheet.dataset.state === "full";

grip.addEventListener("pointerdown", ({ pointerId, clientY: startY }) => {
  const height = sheet.offsetHeight;
  pulledUp = 0;
  grip.setPointerCapture(pointerId);
  grip.onpointermove = ({ clientY }) => {
    pulledUp = startY - clientY;
    const tall = `clamp(90px, ${height + pulledUp}px, 100% - 10px)`;
    sheet.style.cssText = `transition: none; --tall: ${tall}`;
  };
});
grip.addEventListener("lostpointercapture", () => {
  grip.onpointermove = null;
  sheet.style.cssText = "";
  if (Math.abs(pulledUp) > PULL_PIXELS) {
    setSheet(pulledUp > 0 ? "full" : "half");
  }
});
grip.addEventListener("click", ({ detail: taps }) => {
  // A key clicks without a tap.
  if (taps === 0 || Math.abs(pulledUp) < TAP_PIXELS) {
    setSheet(isFull() ? "half" : "full");
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || find("dialog[open]")) {
    return;
  }
  if (isFull()) {
    setSheet("half");
  } else if (chosen.firer) {
    pick(chosen.firer);
  }
});

// The chart keeps clear of what lies over it: the sheet's corners, and a word about the camera.
const resized = new ResizeObserver(() => {
  chart.inset = {
    top: overChart.offsetHeight && overChart.offsetHeight + 12,
    bottom: grip.offsetHeight && 22,
  };
});
resized.observe(overChart);
resized.observe(chart);

choose(selectionOf(location.href), false);
