// The camera's set-up: a finger or keys show a corner in the picture.
import { attempt, toast } from "./act.js";
import { $, on, t, tell } from "./strings.js";

const KEYS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  Enter: [],
  Escape: [],
};
const view = $("[data-view]"),
  { classList } = document.body;
let place = [];

function aim(...shares) {
  place = shares.map((share) => Math.min(1, Math.max(0, share)));
  [$(".aim").style.left, $(".aim").style.top] = place.map((share) => `${share * 100}%`);
}

async function take([x, y]) {
  const corner = $("[data-tap]")?.dataset.tap;
  classList.remove("tapping");
  const said = corner && (await attempt("POST", "/api/camera/corner", { corner, x, y }));
  if (!said) return;
  toast(t(said.read ? "setup.taken" : "setup.taken_hand"), "good");
  tell("acted");
}

on("click", ({ target, clientX, clientY }) => {
  if (target.closest("[data-tap]") && classList.toggle("tapping")) {
    aim(0.5, 0.5);
    view.focus();
  } else if (target.closest(".tapping [data-view]")) {
    const { left, top, width, height } = $("img", view).getBoundingClientRect();
    aim((clientX - left) / width, (clientY - top) / height);
    take(place);
  }
});
on("keydown", (event) => {
  const { key, shiftKey, target } = event,
    way = target.matches(".tapping [data-view]") && KEYS[key],
    step = shiftKey ? 0.05 : 0.005;
  if (!way) return;
  event.preventDefault();
  if (key === "Escape") classList.remove("tapping");
  else if (key === "Enter") take(place);
  else aim(...way.map((share, n) => place[n] + share * step));
});
