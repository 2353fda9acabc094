// The shell of every page: the live badge, dialogs, and parts that are drawn anew.
import "./act.js";
import { fetchPart, show } from "./parts.js";
import { $, $$, on, t } from "./strings.js";

const PART_MS = 500,
  RETRY_MS = 2000,
  badge = $("#live"),
  chart = $("dreyer-chart");

/** Draw a part anew; while that is under way, once more after it. */
export async function redraw(part) {
  const path = part.dataset.live;
  if (part.under === path) {
    part.again = true;
    return;
  }
  Object.assign(part, { under: path, again: false });
  const fresh = await fetchPart(path).catch((error) => error),
    failed = !(fresh instanceof Node);
  if (fresh.status < 500) {
    part.under = null;
    return;
  } // refused
  if (!failed && part.dataset.live === path) show(part, fresh);
  setTimeout(
    () => {
      if (part.under !== path) return;
      part.under = null;
      if ((part.again || failed) && !part.hidden) redraw(part);
    },
    failed ? RETRY_MS : PART_MS,
  );
}

/** Draw the parts whose data-when ("join camera.state") changed, and `force`. */
export function showParts(view, force) {
  for (const part of $$("[data-live]:not([hidden], [data-every])")) {
    const now = JSON.stringify(
      (part.dataset.when || "seq")
        .split(" ")
        .map((path) => path.split(".").reduce((at, name) => at?.[name], view)),
    );
    if (part === force || part.shown !== now) redraw(part);
    part.shown = now;
  }
}
// Parts with data-every are drawn that often, and after every act.
for (const part of $$("[data-every]")) {
  const look = () => document.hidden || redraw(part);
  setInterval(look, part.dataset.every);
  on("acted", look);
}

on("link", ({ detail: { state, since } }) => {
  if (!badge) return;
  const n = Math.round((Date.now() - since) / 1000),
    late = state !== "live" && n > 5,
    word = t(`common.link_${state}`);
  const ago =
    n < 90 ? t("common.seconds_ago", { n }) : t("common.minutes_ago", { n: Math.round(n / 60) });
  $("[data-word]", badge).textContent = late ? ago : word;
  if (badge.dataset.state !== state) $("[data-said]", badge).textContent = word; // heard once
  badge.dataset.state = state;
  document.body.classList.toggle("late", late);
});
on("view", ({ detail }) => {
  document.body.classList.add("known");
  // The first view may come before the chart's own script.
  if (chart?.dataset.view !== undefined)
    customElements.whenDefined("dreyer-chart").then(() => {
      chart.view = detail;
    });
  showParts(detail);
});

const showTurn = () =>
  $$("[data-turn]").forEach((button) => {
    button.ariaPressed = String(Number(button.dataset.turn) === chart?.turned);
  });
on("click", ({ target }) => {
  const { dialog, turn } = target.closest("[data-dialog], [data-turn]")?.dataset ?? {};
  if (turn) chart.turned = Number(turn);
  if (dialog) $(`#${dialog}`).showModal();
  else if (target.closest("[data-close]") || target.localName === "dialog")
    target.closest("dialog").close();
  showTurn();
});
if (document.body.dataset.linked !== undefined) import("./live.js");
