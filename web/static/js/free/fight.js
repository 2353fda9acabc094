// The fight so far: a tap on its board draws the page's part anew, and so does a move that was made.
import { find, listen } from "../common/dom.js";
import { drawPart } from "../page/draw.js";

listen("acted", (_answer, actor) => {
  const then = actor instanceof HTMLElement ? actor.dataset.then : undefined;
  const part = find("#fight");
  if (then && part) {
    drawPart(part, then);
  }
});

/** Bring the first ship of a board that is wider than the page into its middle. */
function showShips() {
  const chart = find(".board-chart.wide");
  const ship = chart && find("[data-ship]", chart);
  if (!chart || !ship) {
    return;
  }
  const frame = chart.getBoundingClientRect();
  const at = ship.getBoundingClientRect();
  chart.scrollLeft += (at.left + at.right) / 2 - (frame.left + frame.right) / 2;
  chart.scrollTop += (at.top + at.bottom) / 2 - (frame.top + frame.bottom) / 2;
}

showShips();
