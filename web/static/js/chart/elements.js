// The elements of the chart: opened from their templates, and changed where they must be.

/** @import { Point } from "../common/types.js" */

/**
 * Elements by their data-part; those of a drawing are SVG elements.
 * @typedef {Record<string, HTMLElement>} Parts
 *
 * Attributes by name, and the text.
 * @typedef {Record<string, unknown>} Attributes
 */

/**
 * A copy of a template: its content, and its elements by name.
 * @param {string} id
 */
export function openTemplate(id) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById(id));
  const content = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  /** @type {Parts} */
  const parts = {};
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (
    content.querySelectorAll("[data-part]")
  )) {
    parts[String(part.dataset.part)] = part;
  }
  return { content, parts };
}

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
function updateElement(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = String(value);
    if (name === "text") {
      if (element.textContent !== text) {
        element.textContent = text;
      }
    } else if (element.getAttribute(name) !== text) {
      element.setAttribute(name, text);
    }
  }
}

/**
 * Give an element as many children as there are attributes for; its data-of says what they are.
 * @param {HTMLElement} element
 * @param {Attributes[]} wanted
 */
function updateChildren(element, wanted) {
  while (element.childElementCount > wanted.length) {
    element.lastElementChild?.remove();
  }
  while (element.childElementCount < wanted.length) {
    const child = document.createElementNS(element.namespaceURI, String(element.dataset.of));
    element.append(child);
  }
  wanted.forEach((attributes, place) => updateElement(element.children[place], attributes));
}

/**
 * Set what has changed of some parts: their own attributes, or those of each of their children.
 * @param {Parts} parts
 * @param {Record<string, Attributes | Attributes[]>} wanted
 */
export function updateParts(parts, wanted) {
  for (const [name, attributes] of Object.entries(wanted)) {
    if (Array.isArray(attributes)) {
      updateChildren(parts[name], attributes);
    } else {
      updateElement(parts[name], attributes);
    }
  }
}

/**
 * The attribute that puts an element to a point.
 * @param {Point} point
 * @param {number} [turnDeg]
 */
export function placedAt({ x, y }, turnDeg = 0) {
  return { transform: `translate(${x} ${y}) rotate(${turnDeg})` };
}

/**
 * The outline of a line through points, for a path.
 * @param {Point[]} points
 */
export function lineThrough(...points) {
  return `M${points.map(({ x, y }) => `${x} ${y}`).join("L")}`;
}

const wholeNumber = new Intl.NumberFormat(document.documentElement.lang, {
  maximumFractionDigits: 0,
});

/**
 * A number without decimals, as the page's language writes it.
 * @param {number} value
 */
export function figure(value) {
  return wholeNumber.format(value);
}
