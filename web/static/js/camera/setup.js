// The camera's set-up: pointing at a corner in the picture, by a tap or by keys.
import { attempt, toast } from "../page/act.js";
import { announce, closest, find, mustFind } from "../common/dom.js";
import { clamp } from "../common/geometry.js";
import { t } from "../common/strings.js";

/** @import { Point } from "../common/types.js" */

/** @type {Record<string, Point>} */
const ARROWS = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};
/** How far a key moves the aim, as a share of the picture. */
const STEP = 0.005;
const LONG_STEP = 0.05;

/** Where the aim is, as shares of the picture's width and height. @type {Point} */
let aim = { x: 0.5, y: 0.5 };

const { classList } = document.body;
/** The picture that is aimed at. @type {HTMLElement | null} */
const view = find("[data-view]");

/** @param {number} share */
const withinPicture = (share) => clamp(share, 0, 1);

/** @param {Point} place */
function moveAim({ x, y }) {
  aim = { x: withinPicture(x), y: withinPicture(y) };
  const cross = mustFind(".aim");
  cross.style.left = `${aim.x * 100}%`;
  cross.style.top = `${aim.y * 100}%`;
}

/** Send the place of the aim as that of the corner. */
async function takeCorner() {
  const corner = find("[data-tap]")?.dataset.tap;
  classList.remove("tapping");
  if (!corner) {
    return;
  }
  const answer = await attempt("POST", "/api/camera/corner", { corner, ...aim });
  if (!answer) {
    return;
  }
  toast(t(answer.read ? "setup.taken" : "setup.taken_hand"), "good");
  announce("acted", null);
}

document.addEventListener("click", (event) => {
  if (closest(event, "[data-tap]") && classList.toggle("tapping")) {
    moveAim({ x: 0.5, y: 0.5 });
    view?.focus();
  } else if (closest(event, ".tapping [data-view]") && view) {
    const { left, top, width, height } = mustFind("img", view).getBoundingClientRect();
    moveAim({ x: (event.clientX - left) / width, y: (event.clientY - top) / height });
    takeCorner();
  }
});
document.addEventListener("keydown", (event) => {
  const { key, shiftKey, target } = event;
  if (!(target instanceof Element && target.matches(".tapping [data-view]"))) {
    return;
  }
  const arrow = ARROWS[key];
  const step = shiftKey ? LONG_STEP : STEP;
  if (arrow) {
    moveAim({ x: aim.x + arrow.x * step, y: aim.y + arrow.y * step });
  } else if (key === "Enter") {
    takeCorner();
  } else if (key === "Escape") {
    classList.remove("tapping");
  } else {
    return;
  }
  event.preventDefault();
});
