// The plot pad: keys write at the caret. After each sign the server says which keys fit.
import { closest, setValue, fieldOf, find, findAll, listen, mustFind } from "../common/dom.js";
import { clamp } from "../common/geometry.js";
import "../page/draw.js";

/** @type {HTMLFormElement} */
const form = mustFind("#pad");
const part = mustFind("#plot-part");
const notation = fieldOf(form, "notation");
/** Where the caret is. */
const caret = fieldOf(form, "at");
const speed = fieldOf(form, "speed");
/** Whether the server has not answered yet to what was typed. */
let isWaiting = false;

const caretNow = () => notation.selectionStart ?? notation.value.length;
const hasCaretMoved = () => Number(caret.value) !== notation.selectionStart;
const saveButton = () => mustFind(".pad-save", part);

/**
 * Write at the caret, or over what is selected and so many signs before it.
 * @param {string} text
 * @param {number} over
 */
function write(text, over = 0) {
  const start = Math.max(0, caretNow() - over);
  notation.setRangeText(text, start, notation.selectionEnd ?? caretNow(), "end");
  setValue(notation);
}

/** Delete what is selected, or the sign before the caret, which may have several letters. */
function erase() {
  const end = notation.selectionEnd ?? caretNow();
  let start = caretNow();
  if (start === end) {
    start = Math.max(0, start - (Number(mustFind("[data-cuts]", part).dataset.cuts) || 1));
  }
  notation.setRangeText("", start, end, "end");
  setValue(notation);
}

/** @param {number} step */
function changeSpeed(step) {
  const { least, most } = speed.dataset;
  const wanted = Number(speed.value) + step;
  setValue(speed, String(clamp(wanted, Number(least), Number(most))));
}

form.addEventListener("input", () => {
  isWaiting = true;
  caret.value = String(caretNow());
  // Only what the server has checked can be saved.
  saveButton().ariaBusy = "true";
});
notation.addEventListener("select", () => {
  if (!isWaiting && hasCaretMoved()) {
    setValue(caret);
  }
});
notation.addEventListener("click", () => {
  if (hasCaretMoved()) {
    setValue(caret);
  }
});
form.addEventListener("click", (event) => {
  const key = closest(event, "button");
  if (!key || notation.disabled) {
    return;
  }
  const { step, cut, put } = key.dataset;
  if (step) {
    changeSpeed(Number(step));
  } else if (cut !== undefined) {
    erase();
  } else if (isWaiting || key.ariaDisabled !== "true") {
    write(put ?? "");
  }
});
// The amounts of a short turn come with each answer, for the caret as it was then.
part.addEventListener("click", (event) => {
  const key = closest(event, "[data-over]");
  if (key && !isWaiting && key.ariaDisabled !== "true") {
    write(key.dataset.put ?? "", Number(key.dataset.over));
  }
});
listen(
  "redrawn",
  () => {
    isWaiting = false;
    saveButton().ariaBusy = null;
    const closed = mustFind("[data-closed]", part).dataset.closed?.split(" ") ?? [];
    for (const key of findAll("[data-put]", form)) {
      key.ariaDisabled = String(closed.includes(key.dataset.put ?? ""));
    }
  },
  part,
);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!isWaiting) {
    find("#save")?.click();
  }
});
