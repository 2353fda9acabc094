// The figures of a move: buttons that count up and down; an empty figure counts from what it stands for.
import { closest, find, fieldOf, listen, mustFind, setValue } from "../common/dom.js";
import { clamp } from "../common/geometry.js";

const FIGURES = /^-?\d+([.,]\d+)?$/;
/** @type {HTMLFormElement} */
const form = mustFind("#move");
const part = mustFind("#move-part");

/** @param {string} typed */
const numberOf = (typed) => (FIGURES.test(typed) ? Number(typed.replace(",", ".")) : 0);

/**
 * Only what the server has checked can be saved.
 * @param {string | null} busy
 */
function setBusy(busy) {
  const save = find("#save", part);
  if (save) {
    save.ariaBusy = busy;
  }
}

/** An empty distance stands for the farthest, which the server says with each answer. */
function showFarthest() {
  const { run } = find("[data-run]", part)?.dataset ?? {};
  if (run) {
    fieldOf(form, "run").placeholder = run;
  }
}

form.addEventListener("click", (event) => {
  const button = closest(event, "[data-step]");
  if (!button) {
    return;
  }
  const { of = "", step } = button.dataset;
  const field = fieldOf(form, of);
  const { least, most } = field.dataset;
  const wanted = numberOf(field.value.trim() || field.placeholder) + Number(step);
  setValue(field, String(clamp(wanted, Number(least), Number(most))));
});
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", () => setBusy("true"));
listen(
  "redrawn",
  () => {
    setBusy(null);
    showFarthest();
  },
  part,
);
showFarthest();
