// Forms whose answer the server draws while one types: data-draw is the path, data-into the part to draw.
// With data-drawn the answer is there already, and submitting asks for it anew.
// A link with data-draw draws the part instead of leaving the page; its address is then the page's.
import { closest, find, findAll, mustFind } from "../common/dom.js";
import { markSent } from "./parts.js";
import { redraw } from "./shell.js";

const TYPING_MS = 120;

/** @type {WeakMap<HTMLFormElement, number>} */
const timers = new WeakMap();
/** @type {WeakMap<HTMLElement, Promise<void>>} the last drawing of a part that a tap asked for */
const drawings = new WeakMap();

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
 * Draw a part of the page from a path, from now on.
 * @param {HTMLElement} part
 * @param {string} path
 */
export function drawPart(part, path) {
  part.dataset.live = path;
  part.dataset.when ??= "none";
  drawings.set(part, redraw(part));
}

/**
 * Draw the part that a link asks for. The link may be out of date while an earlier tap is still being drawn
 * (a ship was tapped, and now the cell that she is to go to): then its successor in the new drawing counts.
 * @param {HTMLAnchorElement | SVGAElement} link
 */
async function follow(link) {
  const part = mustFind(`#${link.dataset.into}`);
  await drawings.get(part);
  const { key } = link.dataset;
  /** @type {HTMLAnchorElement | SVGAElement | null} */
  const successor = key ? find(`a[data-key="${CSS.escape(key)}"]`, part) : null;
  const current = successor ?? link;
  drawPart(part, current.dataset.draw ?? "");
  history.replaceState(null, "", current.getAttribute("href"));
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
    drawPart(part, `${path}?${query}`);
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
document.addEventListener("click", (event) => {
  /** @type {HTMLAnchorElement | SVGAElement | null} */
  const link = closest(event, "a[data-draw]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) {
    return;
  }
  event.preventDefault();
  follow(link);
});

for (const form of /** @type {HTMLFormElement[]} */ (
  findAll("form[data-draw]:not([data-drawn])")
)) {
  draw(form);
}
