// Whom the battle waits for is told: in the title, on the application's badge, by sound and vibration; so is a nudge of
// the other side. When a battle begins, every page that showed another, or none, shows it.
import { listen } from "../common/dom.js";
import { t } from "../common/strings.js";
import { toast } from "./act.js";
import { signal } from "./signals.js";

/** @import { TableView, TurnCall } from "../common/types.js" */

/** What this browser has told of. */
const STORE = "dreyer-turn";
/** Whoever has just done something on this page knows what comes next. */
const OWN_ACT_MS = 1500;
/** Pages that somebody looks at: they go to the battle when it begins. */
const LOOKED_AT = /^\/(table|battle|battle\/.*|sheets|sheet\/.*|report)$/;
/** Pages that are made of the table as it is: they are loaded anew. */
const MADE_ANEW = /^\/(host|ships)$/;

const plainTitle = document.title;
let actedAt = -Infinity;
listen("acted", () => {
  actedAt = performance.now();
});

/** @typedef {{ battle: string, key: string, waits: boolean, nudge: number }} Told */

/** @returns {Told | null} */
function told() {
  return JSON.parse(localStorage.getItem(STORE) ?? "null");
}

/** @param {boolean} waits */
function showWaiting(waits) {
  const title = waits ? t("battle.title_waits", { title: plainTitle }) : plainTitle;
  if (document.title !== title) {
    document.title = title;
  }
  // Only an application that was installed has a badge.
  if ("setAppBadge" in navigator) {
    const shown = waits ? navigator.setAppBadge() : navigator.clearAppBadge();
    shown.catch(() => null);
  }
}

/** @param {TurnCall} turn */
function tell({ battle, waits, key, nudge, nudged_by: who }) {
  const before = told();
  const isKnown = before?.battle === battle;
  localStorage.setItem(STORE, JSON.stringify({ battle, waits, key, nudge }));
  showWaiting(waits);
  if (isKnown && nudge > before.nudge && waits) {
    toast(t("battle.nudged_by", { who }));
    signal("nudge");
    return;
  }
  const isNew = isKnown ? waits && !(before.waits && before.key === key) : waits;
  if (isNew && performance.now() - actedAt > OWN_ACT_MS) {
    signal("turn");
  }
}

/**
 * Another battle has begun than the page was made for.
 * @param {string} begun the key of the battle; empty without one
 */
function follow(begun) {
  const { body } = document;
  const path = location.pathname;
  if (begun === body.dataset.battle) {
    return;
  }
  body.dataset.battle = begun;
  if (body.hasAttribute("data-leaving")) {
    return;
  }
  if (LOOKED_AT.test(path) && begun) {
    location.assign("/battle");
  } else if (MADE_ANEW.test(path)) {
    location.reload();
  } else if (begun) {
    toast(t("battle.begun"), "good");
  }
}

/** @param {TableView} view */
function look({ turn }) {
  follow(turn?.battle ?? "");
  if (turn) {
    tell(turn);
  } else {
    showWaiting(false);
  }
}

if (document.body.dataset.battle !== undefined) {
  listen("view", look);
}
