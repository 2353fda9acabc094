// The figures of a move: buttons that count up and down; an empty distance counts from what it stands for.
import { closest, find, setValue } from "../common/dom.js";

const FIGURES = /^-?\d+([.,]\d+)?$/;

/** @param {string} typed */
const numberOf = (typed) => (FIGURES.test(typed) ? Number(typed.replace(",", ".")) : 0);

document.addEventListener("click", (event) => {
  const button = closest(event, "[data-step][data-of]");
  if (!button) {
    return;
  }
  const { of = "", step } = button.dataset;
  const field = /** @type {HTMLInputElement} */ (document.getElementById(of));
  const standsFor = field.name === "run" ? (find("[data-run]")?.dataset.run ?? "") : "";
  const usual = field.name === "ahead" ? "1" : standsFor;
  const wanted = numberOf(field.value.trim() || usual) + Number(step);
  const { least, most } = field.dataset;
  setValue(field, String(Math.min(Number(most), Math.max(Number(least), wanted))));
});
