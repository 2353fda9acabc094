// The plot pad: keys that write at the caret. What fits where the server says after every sign.
import "./draw.js";
import { $, $$, on, tell } from "./strings.js";

const form = $("#pad"),
  part = $("#plot-part");
const { notation: field, at, speed } = form.elements;
let waiting = false;

const changed = (element) => tell("input", null, element);

function write(text, cut) {
  const start = field.selectionStart ?? field.value.length,
    end = field.selectionEnd ?? start;
  field.setRangeText(text, start === end ? Math.max(0, start - cut) : start, end, "end");
  changed(field);
}

on(
  "input",
  () => {
    waiting = true;
    at.value = field.selectionStart ?? field.value.length;
    // Saved is what the server has looked at last, and nothing before.
    $(".pad-save", part).ariaBusy = "true";
  },
  form,
);
on(
  "select",
  () => {
    if (!waiting && Number(at.value) !== field.selectionStart) changed(at);
  },
  field,
);
on(
  "click",
  () => {
    if (Number(at.value) !== field.selectionStart) changed(at);
  },
  field,
);

on(
  "click",
  (event) => {
    const key = event.target.closest("button");
    if (!key || field.disabled) return;
    if (key.dataset.step) {
      const { least, most } = speed.dataset;
      speed.value = Math.min(most, Math.max(least, Number(speed.value) + Number(key.dataset.step)));
      changed(speed);
    } else if (key.dataset.cut !== undefined)
      write("", Number($("[data-cuts]", part).dataset.cuts) || 1);
    else if (waiting || key.ariaDisabled !== "true") write(key.dataset.put, 0);
  },
  form,
);

on(
  "redrawn",
  () => {
    waiting = false;
    $(".pad-save", part).ariaBusy = null;
    const closed = $("[data-closed]", part).dataset.closed.split(" ");
    for (const key of $$("[data-put]", form))
      key.ariaDisabled = String(closed.includes(key.dataset.put));
  },
  part,
);
on(
  "submit",
  (event) => {
    event.preventDefault();
    if (!waiting) $("#save")?.click();
  },
  form,
);
