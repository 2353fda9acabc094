// Elements and events of the page.

/** @import { Announcements } from "./types.js" */

/**
 * The first element that matches, or null.
 * @template {Element} [Found=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {Found | null}
 */
export function find(selector, within = document) {
  return within.querySelector(selector);
}

/**
 * The first element that matches, on a page that must have it.
 * @template {Element} [Found=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {Found}
 */
export function mustFind(selector, within = document) {
  const found = within.querySelector(selector);
  if (!found) {
    throw new Error(`there is no ${selector} on this page`);
  }
  return /** @type {Found} */ (found);
}

/**
 * All elements that match.
 * @template {Element} [Found=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {Found[]}
 */
export function findAll(selector, within = document) {
  return /** @type {Found[]} */ ([...within.querySelectorAll(selector)]);
}

/**
 * The element that an event happened to, or the nearest about it, that matches.
 * @template {Element} [Found=HTMLElement]
 * @param {Event} event
 * @param {string} selector
 * @returns {Found | null}
 */
export function closest({ target }, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}

/**
 * The field of a form with this name.
 * @param {HTMLFormElement} form
 * @param {string} name
 * @returns {HTMLInputElement}
 */
export function fieldOf(form, name) {
  return /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
}

/**
 * Set the value of a field and fire its input event, as if it had been typed.
 * @param {HTMLInputElement} field
 * @param {string} [value]
 */
export function setValue(field, value = field.value) {
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Tell other scripts that something has happened.
 * @template {keyof Announcements} Kind
 * @param {Kind} kind
 * @param {Announcements[Kind]} detail
 * @param {EventTarget} [where]
 */
export function announce(kind, detail, where = document) {
  where.dispatchEvent(new CustomEvent(kind, { detail, bubbles: true }));
}

/**
 * Listen to what another script announces, at an element or anywhere below it.
 * @template {keyof Announcements} Kind
 * @param {Kind} kind
 * @param {(detail: Announcements[Kind], origin: HTMLElement) => void} listener
 * @param {EventTarget} [where]
 */
export function listen(kind, listener, where = document) {
  where.addEventListener(kind, (event) => {
    const { detail, target } = /** @type {CustomEvent<Announcements[Kind]>} */ (event);
    listener(detail, /** @type {HTMLElement} */ (target));
  });
}
