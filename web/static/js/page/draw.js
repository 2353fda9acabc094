// Forms whose answer the server draws while one types: data-draw is the path, data-into the part to draw.
// With data-drawn the answer is there already, and submitting asks for it anew.
import { findAll, mustFind } from "../common/dom.js";
import { markSent } from "./parts.js";
import { redraw } from "./shell.js";

const TYPING_MS = 120;

/** @type {WeakMap<HTMLFormElement, number>} */
const timers = new WeakMap();

/**
 * What a form asks for, as a query.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [button]
 */
function queryOf(form, button) {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form, button)) {
    if (value) {
      query.append(name, String(value));
    }
  }
  return query;
}

/**
 * Draw the form's answer, or what one of its buttons asks for.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} [button]
 */
export function draw(form, button) {
  const drawNow = () => {
    const { draw: path, into } = form.dataset;
    const part = mustFind(`#${into}`);
    const query = queryOf(form, button);
    markSent(form.elements);
    part.dataset.live = `${path}?${query}`;
    part.dataset.when ??= "none";
    redraw(part);
  };
  clearTimeout(timers.get(form));
  timers.set(form, setTimeout(drawNow, button ? 0 : TYPING_MS));
}

// Not "change": leaving a field for a die's key would draw it again, without the die.
document.addEventListener("input", ({ target }) => {
  const { form } = /** @type {HTMLInputElement} */ (target);
  if (form?.dataset.draw) {
    draw(form);
  }
});
document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.dataset.drawn === undefined) {
    return;
  }
  event.preventDefault();
  draw(form, event.submitter);
});

for (const form of /** @type {HTMLFormElement[]} */ (
  findAll("form[data-draw]:not([data-drawn])")
)) {
  draw(form);
}
