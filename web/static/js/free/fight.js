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
