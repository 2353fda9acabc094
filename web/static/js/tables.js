// The grid of a table: walking, typing, pasting a block.
import { act } from "./act.js";
import { draw } from "./draw.js";
import { $, on } from "./strings.js";

const [box, where, pasting, wrong] = ["#box", "#where", "#pasting", "#wrong"].map((id) => $(id));
const typed = (cell) => cell.value !== (cell.defaultValue ?? "");
let queue = Promise.resolve();

function say(cell, message) {
  cell.ariaInvalid = message ? "true" : null;
  wrong.textContent = message;
  wrong.hidden = !message;
}

function show({ cells = [] }) {
  for (const { table, row, column, value, provenance } of cells) {
    if (table !== box.dataset.table) continue;
    const [cell] = document.getElementsByName(`${row}|${column}`);
    cell.value = cell.defaultValue = value;
    cell.parentNode.dataset.p = provenance;
    say(cell, "");
  }
  draw(where);
}

const heard = {
  change({ target: cell }) {
    const [row, column] = cell.name.split("|"),
      changes = [{ row, column, value: cell.value }];
    queue = queue
      .then(() => act("POST", `/api/tables/${box.dataset.table}`, { changes }))
      .then(show)
      .catch(({ message }) => {
        say(cell, message);
        // Back to put it right, unless the next is being typed.
        if (!typed(document.activeElement)) cell.focus();
      });
  },
  focusin({ target: cell }) {
    if (!cell.name) return;
    cell.select?.();
    for (const form of [where, pasting])
      if (form) [form.row.value, form.column.value] = cell.name.split("|");
    draw(where);
  },
  // A finger's first tap looks, its second types.
  pointerdown({ target: cell, pointerType }) {
    cell.readOnly = pointerType === "touch" && cell !== document.activeElement;
  },
  focusout({ target: cell }) {
    cell.readOnly = false;
  },
  keydown(event) {
    const { key, target: cell } = event,
      td = cell.closest("td");
    const down = { Enter: event.shiftKey ? -1 : 1, ArrowUp: -1, ArrowDown: 1 }[key] ?? 0;
    const right = (!typed(cell) && { ArrowLeft: -1, ArrowRight: 1 }[key]) || 0;
    if (key === "Escape") {
      cell.value = cell.defaultValue;
      say(cell, "");
    }
    if (!td || !(down || right) || event.altKey) return;
    event.preventDefault();
    (
      td
        .closest("table")
        .rows[td.parentNode.rowIndex + down]?.cells[td.cellIndex + right]?.querySelector(
          "[name]",
        ) ?? box
    ).focus();
  },
  paste(event) {
    const block = event.clipboardData.getData("text");
    if (!pasting || !/[\t\n]/.test(block.trimEnd())) return;
    event.preventDefault();
    pasting.block.value = block;
    pasting.closest("dialog").showModal();
    draw(pasting);
  },
};
for (const name in heard) on(name, heard[name], box);
on("acted", ({ target, detail }) => {
  target.closest("#paste")?.close();
  show(detail);
});
