// A search field: of the lists it names, only the entries stay that have every word typed.
import { find, findAll, listen } from "../common/dom.js";

/**
 * Words to compare: accents and the difference between small and capital letters do not count.
 * @param {string} text
 */
function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** @param {HTMLInputElement} field */
function filter(field) {
  const words = plain(field.value).split(/\s+/).filter(Boolean);
  let isAnyFound = false;
  for (const entry of findAll(field.dataset.filter ?? "")) {
    const text = plain(entry.textContent ?? "");
    const isFound = words.every((word) => text.includes(word));
    entry.hidden = !isFound;
    isAnyFound ||= isFound;
    const fold = entry.closest("details");
    if (fold && isFound && words.length > 0) {
      fold.open = true;
    }
  }
  const none = find("[data-none-found]");
  if (none) {
    none.hidden = isAnyFound;
  }
}

function filterAll() {
  for (const field of /** @type {HTMLInputElement[]} */ (findAll("[data-filter]"))) {
    filter(field);
  }
}

document.addEventListener("input", ({ target }) => {
  if (target instanceof HTMLInputElement && target.hasAttribute("data-filter")) {
    filter(target);
  }
});
listen("redrawn", filterAll);
// A page that one comes back to still has what was typed.
addEventListener("pageshow", filterAll);
