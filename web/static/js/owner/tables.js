// The grid of a table: walking through it, typing, pasting a block.
import { act, ActFault } from "../page/act.js";
import { fieldOf, find, listen, mustFind } from "../common/dom.js";
import { draw } from "../page/draw.js";

/**
 * A cell is an input for the owner, and a button for everybody else.
 * @typedef {HTMLInputElement} Cell
 *
 * A cell as the server answers.
 * @typedef {{ table: string, row: string, column: string, value: string, provenance: string }} CellAnswer
 */

/** @type {Record<string, number>} */
const ROWS = { ArrowUp: -1, ArrowDown: 1 };
/** @type {Record<string, number>} */
const COLUMNS = { ArrowLeft: -1, ArrowRight: 1 };

const box = mustFind("#box");
/** Asks for what is known of the cell that has the focus. @type {HTMLFormElement} */
const where = mustFind("#where");
/** @type {HTMLFormElement | null} */
const pasting = find("#pasting");
const faultLine = mustFind("#wrong");
/** Changes are sent one after the other. */
let queue = Promise.resolve();

/** @param {Event} event */
const cellOf = ({ target }) => /** @type {Cell} */ (target);

/**
 * Whether something is typed in a cell that has not been sent.
 * @param {Cell} cell
 */
const isTyped = (cell) => cell.value !== (cell.defaultValue ?? "");

/**
 * @param {Cell} cell
 * @param {string} message that of the fault, or ""
 */
function showFault(cell, message) {
  cell.ariaInvalid = message ? "true" : null;
  faultLine.textContent = message;
  faultLine.hidden = !message;
}

/** @param {{ cells?: CellAnswer[] } | null} answer */
function showAnswer(answer) {
  for (const { table, row, column, value, provenance } of answer?.cells ?? []) {
    if (table !== box.dataset.table) {
      continue;
    }
    const [cell] = /** @type {NodeListOf<Cell>} */ (document.getElementsByName(`${row}|${column}`));
    cell.value = value;
    cell.defaultValue = value;
    const { dataset } = /** @type {HTMLElement} */ (cell.parentElement);
    dataset.provenance = provenance;
    showFault(cell, "");
  }
  draw(where);
}

/** @param {Cell} cell */
async function send(cell) {
  const [row, column] = cell.name.split("|");
  const changes = [{ row, column, value: cell.value }];
  // A fault of an earlier one was shown with it.
  await queue.catch(() => null);
  try {
    showAnswer(await act("POST", `/api/tables/${box.dataset.table}`, { changes }));
  } catch (fault) {
    if (!(fault instanceof ActFault)) {
      throw fault;
    }
    showFault(cell, fault.message);
    // Back to put it right, unless the next is being typed.
    if (!isTyped(/** @type {Cell} */ (document.activeElement))) {
      cell.focus();
    }
  }
}

/**
 * The cell so many rows and columns away, or the grid itself beyond its edge.
 * @param {HTMLTableCellElement} place
 * @param {number} down
 * @param {number} right
 * @returns {HTMLElement}
 */
function neighbour(place, down, right) {
  const row = /** @type {HTMLTableRowElement} */ (place.parentElement);
  const table = /** @type {HTMLTableElement} */ (place.closest("table"));
  /** @type {HTMLElement | null | undefined} */
  const cell =
    table.rows[row.rowIndex + down]?.cells[place.cellIndex + right]?.querySelector("[name]");
  return cell ?? box;
}

/**
 * How many rows a key goes down.
 * @param {KeyboardEvent} event
 */
function rowsOf({ key, shiftKey }) {
  if (key === "Enter") {
    return shiftKey ? -1 : 1;
  }
  return ROWS[key] ?? 0;
}

box.addEventListener("change", (event) => {
  queue = send(cellOf(event));
});
box.addEventListener("focusin", (event) => {
  const cell = cellOf(event);
  if (!cell.name) {
    return;
  }
  cell.select?.();
  const [row, column] = cell.name.split("|");
  for (const form of [where, pasting]) {
    if (form) {
      fieldOf(form, "row").value = row;
      fieldOf(form, "column").value = column;
    }
  }
  draw(where);
});
// By touch the first tap selects a cell, the second edits it.
box.addEventListener("pointerdown", (event) => {
  const cell = cellOf(event);
  cell.readOnly = event.pointerType === "touch" && cell !== document.activeElement;
});
box.addEventListener("focusout", (event) => {
  cellOf(event).readOnly = false;
});
box.addEventListener("keydown", (event) => {
  const cell = cellOf(event);
  const place = cell.closest("td");
  const down = rowsOf(event);
  // In a cell that is being typed the arrows move the caret.
  const right = isTyped(cell) ? 0 : (COLUMNS[event.key] ?? 0);
  if (event.key === "Escape") {
    cell.value = cell.defaultValue;
    showFault(cell, "");
  }
  if (!place || !(down || right) || event.altKey) {
    return;
  }
  event.preventDefault();
  neighbour(place, down, right).focus();
});
box.addEventListener("paste", (event) => {
  const block = event.clipboardData?.getData("text") ?? "";
  // A single value goes into the cell by itself.
  if (!pasting || !/[\t\n]/.test(block.trimEnd())) {
    return;
  }
  event.preventDefault();
  fieldOf(pasting, "block").value = block;
  /** @type {HTMLDialogElement} */ (pasting.closest("dialog")).showModal();
  draw(pasting);
});
listen("acted", (answer, origin) => {
  /** @type {HTMLDialogElement | null} */
  const dialog = origin.closest("#paste");
  dialog?.close();
  showAnswer(answer);
});
