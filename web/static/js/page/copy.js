// Texts to copy (`data-copy` names the field), also where a page may not write the clipboard.
import { closest, mustFind } from "../common/dom.js";
import { t } from "../common/strings.js";
import { toast } from "./act.js";

/**
 * Put the text of a field on the clipboard. Browsers give pages on plain http no clipboard: there
 * the text is selected and copied the old way, and stays selected if even that is refused.
 * @param {HTMLTextAreaElement} field
 * @returns {Promise<boolean>} whether it was copied
 */
async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}

document.addEventListener("click", async (event) => {
  const button = closest(event, "[data-copy]");
  if (!button) {
    return;
  }
  /** @type {HTMLTextAreaElement} */
  const field = mustFind(`#${button.dataset.copy}`);
  const isCopied = await copy(field);
  toast(t(isCopied ? "rules.copied" : "rules.copy_by_hand"), isCopied ? "good" : "");
});
