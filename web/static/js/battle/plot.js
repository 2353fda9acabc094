// The plot pad: keys write at the caret. After each sign the server says which keys fit.
import { closest, setValue, fieldOf, find, findAll, listen, mustFind } from "../common/dom.js";
import { clamp } from "../common/geometry.js";
import "../page/draw.js";
import { explain } from "../page/terms.js";
import { followFinger } from "./drag.js";
import { forgetDraft, keepDraft, restoreDraft } from "./plot-drafts.js";

/** @type {HTMLFormElement} */
const form = mustFind("#pad");
const part = mustFind("#plot-part");
const notation = fieldOf(form, "notation");
/** Where the caret is. */
const caret = fieldOf(form, "at");
const speed = fieldOf(form, "speed");
/** Whether the server has not answered yet to what was typed. */
let isWaiting = false;
/** Whether Enter was pressed meanwhile: the plot is saved once the server has checked it. */
let wantsToSave = false;

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

/**
 * Write a figure: factors ahead add up, so that a 3 behind a 2 is 5 straight.
 * @param {string} digit
 */
function writeFigure(digit) {
  const before = /(?<![0-9/])[1-9][0-9]?$/.exec(notation.value.slice(0, caretNow()))?.[0] ?? "";
  write(String(Number(before) + Number(digit)), before.length);
}

/**
 * Say why a key cannot be used here.
 * @param {HTMLElement} key
 */
function sayWhy(key) {
  /** @type {Record<string, string>} */
  const why = JSON.parse(mustFind("[data-why]", part).dataset.why ?? "{}");
  const reason = why[key.dataset.put ?? ""];
  if (reason) {
    const line = mustFind("#plot-fault", part);
    line.classList.add("harm");
    const words = document.createElement("span");
    words.className = "grow";
    words.textContent = reason;
    line.replaceChildren(words);
    explain(line);
  }
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
  wantsToSave = false;
  caret.value = String(caretNow());
  keepDraft(form);
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
  } else if (!put) {
    return;
  } else if (!isWaiting && key.ariaDisabled === "true") {
    sayWhy(key);
  } else if (/^\d$/.test(put)) {
    writeFigure(put);
  } else {
    write(put);
  }
});
notation.addEventListener("beforeinput", (event) => {
  if (event.inputType === "insertText" && /^[1-9]$/.test(event.data ?? "")) {
    event.preventDefault();
    writeFigure(event.data ?? "");
  }
});
// The amounts of a short turn come with each answer, for the caret as it was then.
part.addEventListener("click", (event) => {
  const again = closest(event, "[data-all]");
  if (again) {
    setValue(notation, again.dataset.all);
    return;
  }
  const key = closest(event, "[data-over]");
  if (key && !isWaiting && key.ariaDisabled !== "true") {
    write(key.dataset.put ?? "", Number(key.dataset.over));
  }
});
listen(
  "acted",
  (_, button) => {
    if (button.id === "save") {
      forgetDraft(form);
    }
  },
  part,
);
listen(
  "redrawn",
  () => {
    isWaiting = false;
    saveButton().ariaBusy = null;
    const closed = mustFind("[data-closed]", part).dataset.closed?.split(" ") ?? [];
    for (const key of findAll("[data-put]", form)) {
      key.ariaDisabled = String(closed.includes(key.dataset.put ?? ""));
    }
    if (wantsToSave) {
      wantsToSave = false;
      find("#save")?.click();
    }
  },
  part,
);
form.addEventListener("submit", (event) => event.preventDefault());
// A form with two fields and no button of its own is not sent by Enter.
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
    event.preventDefault();
    wantsToSave = isWaiting;
    if (!isWaiting) {
      find("#save")?.click();
    }
  }
});

followFinger(form, part, (notationText, speedText) => {
  if (speedText !== null) {
    speed.value = String(speedText);
  }
  setValue(notation, notationText);
});
restoreDraft(form);
// In a field that has not been touched the browser's caret is before the first sign.
notation.setSelectionRange(Number(caret.value), Number(caret.value));
