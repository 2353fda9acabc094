// A half-typed plot is kept by this tab while its page is left, until it is saved or its segment is over.
import { findAll } from "../common/dom.js";

/**
 * The values of a plot's fields by their names, and the plot that was saved for the ship at that time.
 * @typedef {{ fields: [string, string][], saved: string }} PlotDraft
 *
 * The drafts of one segment of a battle, by their ships.
 * @typedef {{ segment: string, ships: Record<string, PlotDraft> }} PlotDrafts
 */

const STORE = "dreyer-plot-drafts";

/**
 * The drafts of the form's segment; those of an earlier one, or of another battle, are gone.
 * @param {HTMLFormElement} form
 * @returns {PlotDrafts}
 */
function draftsOf({ dataset: { segment = "" } }) {
  /** @type {PlotDrafts | null} */
  const stored = JSON.parse(sessionStorage.getItem(STORE) ?? "null");
  return stored?.segment === segment ? stored : { segment, ships: {} };
}

/**
 * Keep what is typed in the form.
 * @param {HTMLFormElement} form
 */
export function keepDraft(form) {
  const { ship = "", saved = "" } = form.dataset;
  const drafts = draftsOf(form);
  /** @type {[string, string][]} */
  const fields = [];
  for (const [name, value] of new FormData(form)) {
    fields.push([name, String(value)]);
  }
  drafts.ships[ship] = { fields, saved };
  sessionStorage.setItem(STORE, JSON.stringify(drafts));
}

/**
 * Forget what was typed: it is saved.
 * @param {HTMLFormElement} form
 */
export function forgetDraft(form) {
  const drafts = draftsOf(form);
  delete drafts.ships[form.dataset.ship ?? ""];
  sessionStorage.setItem(STORE, JSON.stringify(drafts));
}

/**
 * Write what was typed into the form again, unless another plot has been saved, or undone, since.
 * @param {HTMLFormElement} form
 */
export function restoreDraft(form) {
  const { ship = "", saved = "" } = form.dataset;
  const draft = draftsOf(form).ships[ship];
  if (draft?.saved !== saved) {
    return;
  }
  /** @type {HTMLInputElement[]} */
  const fields = findAll("[name]:enabled", form);
  for (const field of fields) {
    const values = draft.fields.filter(([name]) => name === field.name).map(([, value]) => value);
    if (field.type === "checkbox" || field.type === "radio") {
      field.checked = values.includes(field.value);
    } else if (values.length) {
      [field.value] = values;
    }
  }
}
