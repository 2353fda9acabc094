// Parts of the page that the server draws: elements that are still there stay, with focus, open folds and half-typed text.
import { announce, find, findAll } from "../common/dom.js";
import { explain } from "./terms.js";

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/** Attributes that the page sets itself. */
const OWN_ATTRIBUTES = ["open", "aria-busy", "aria-invalid"];
const LEFT_ALONE = "[data-keep], [data-fault], dialog[open], select:focus";
const FIRST_TIMEOUT_MS = 1500;
const SECOND_TIMEOUT_MS = 10_000;

/**
 * What an element is known by, from one drawing to the next.
 * @param {Node} node
 * @returns {string | undefined}
 */
function keyOf(node) {
  if (!(node instanceof Element)) {
    return undefined;
  }
  const { dataset } = /** @type {HTMLElement} */ (node);
  const first = /** @type {HTMLElement | null} */ (node.firstElementChild);
  return dataset.key || node.id || first?.dataset.key;
}

/**
 * Nodes of one kind can be morphed into one another.
 * @param {Node} node
 */
function kindOf(node) {
  const firstClass = node instanceof Element ? node.classList[0] : undefined;
  return `${node.nodeName} ${keyOf(node) || firstClass}`;
}

/**
 * @param {Element} element
 * @returns {element is Field}
 */
function isField(element) {
  return element.matches("input:not([type=file]), select, textarea");
}

/**
 * The value that the server drew a field with.
 * @param {Field} field
 */
function drawnValue(field) {
  if (!(field instanceof HTMLSelectElement)) {
    return field.defaultValue;
  }
  /** @type {HTMLOptionElement | undefined} */
  const option = find("[selected]", field) ?? field.options[0];
  return option?.value;
}

/**
 * @param {Element} old
 * @param {Element} fresh
 */
function morphAttributes(old, fresh) {
  for (const { name } of [...old.attributes, ...fresh.attributes]) {
    const value = fresh.getAttribute(name);
    if (OWN_ATTRIBUTES.includes(name) || old.getAttribute(name) === value) {
      continue;
    }
    if (value === null) {
      old.removeAttribute(name);
    } else {
      old.setAttribute(name, value);
    }
  }
}

/**
 * A field takes what the server drew, and keeps what was typed or ticked since the last drawing.
 * @param {Field} old
 * @param {Field} fresh
 */
function morphField(old, fresh) {
  const { value } = old;
  const drawn = fresh.value;
  const isTyped = old === document.activeElement || value !== drawnValue(old);
  const isTicked = old instanceof HTMLInputElement && old.checked !== old.defaultChecked;
  morphAttributes(old, fresh);
  morphChildren(old, fresh);
  if (old instanceof HTMLSelectElement) {
    old.value = isTyped ? value : drawn;
    // The option that was chosen may be gone.
    if (old.selectedIndex < 0) {
      old.value = drawn;
    }
  } else if (!isTyped) {
    old.value = drawn;
  }
  if (old instanceof HTMLInputElement && fresh instanceof HTMLInputElement && !isTicked) {
    old.checked = fresh.checked;
  }
}

/**
 * A node becomes what the server drew in its place.
 * @param {Node} old
 * @param {Node} fresh
 */
function morph(old, fresh) {
  if (old instanceof CharacterData && fresh instanceof CharacterData) {
    old.data = fresh.data;
  }
  if (!(old instanceof Element && fresh instanceof Element)) {
    return;
  }
  if (old.isEqualNode(fresh) || old.matches(LEFT_ALONE)) {
    return;
  }
  if (isField(old) && isField(fresh)) {
    morphField(old, fresh);
  } else {
    morphAttributes(old, fresh);
    morphChildren(old, fresh);
  }
}

/**
 * @param {Element} old
 * @param {ParentNode} fresh
 */
function morphChildren(old, fresh) {
  const coming = [...fresh.childNodes];
  const wanted = coming.map(kindOf);
  for (const child of [...old.childNodes]) {
    if (keyOf(child) && !wanted.includes(kindOf(child))) {
      child.remove();
    }
  }
  /** @type {ChildNode | null} the first of the old that has not been looked at */
  let at = old.firstChild;
  for (const next of coming) {
    /** @type {ChildNode[]} */
    const passed = [];
    let twin = at;
    while (twin && kindOf(twin) !== kindOf(next)) {
      passed.push(twin);
      twin = twin.nextSibling;
    }
    if (!twin) {
      old.insertBefore(next, at);
      continue;
    }
    // A node is moved only if it must be: a press on it would be lost.
    if (passed.some(keyOf)) {
      old.insertBefore(twin, at);
    } else {
      passed.forEach((node) => node.remove());
      at = twin.nextSibling;
    }
    morph(twin, next);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/**
 * What these fields hold has been sent: it is no longer half typed.
 * @param {Iterable<Element>} fields
 */
export function markSent(fields) {
  for (const field of fields) {
    if (field instanceof HTMLSelectElement) {
      for (const option of field.options) {
        option.defaultSelected = option.selected;
      }
    }
    if (field instanceof HTMLInputElement) {
      field.defaultChecked = field.checked;
    }
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
      field.defaultValue = field.value;
    }
  }
}

/**
 * Show in a part what the server drew.
 * @param {HTMLElement} part
 * @param {DocumentFragment} fresh
 */
export function show(part, fresh) {
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const isHere = part.contains(focused);
  morphChildren(part, fresh);
  if (isHere && focused && focused !== document.activeElement) {
    // What had the focus may be done and gone: what undoes it is next.
    const undo = find("[data-undo]", part) ?? find("a, button", part);
    const next = focused.isConnected ? focused : undo;
    next?.focus({ preventScroll: true });
  }
  announce("redrawn", null, part);
}

/**
 * Load a picture, so that it is there when it is shown.
 * @param {string} address
 */
function loadPicture(address) {
  const picture = new Image();
  picture.src = address;
  return picture.decode();
}

/**
 * What the server draws at an address; asked twice, the second time with patience.
 * Throws the answer where the server refuses, or the fault of the network.
 * @param {string} path
 */
export async function fetchPart(path) {
  /** @param {number} ms */
  const ask = (ms) =>
    fetch(path, {
      headers: { "X-Part": "1" },
      cache: "no-store",
      signal: AbortSignal.timeout(ms),
    });
  const answer = await ask(FIRST_TIMEOUT_MS).catch(() => ask(SECOND_TIMEOUT_MS));
  if (answer.redirected) {
    location.assign(answer.url);
  }
  if (answer.redirected || !answer.ok) {
    throw answer;
  }
  const template = document.createElement("template");
  template.innerHTML = await answer.text();
  const content = await explain(template.content);
  // Pictures come before what is drawn over them.
  const pictures = findAll("[data-first][src]", content);
  await Promise.allSettled(
    pictures.map((picture) => loadPicture(picture.getAttribute("src") ?? "")),
  );
  return content;
}
