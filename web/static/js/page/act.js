// Requests of buttons, forms and lists that have data-act. A request that is sent twice is done once.
import { announce, closest, find, findAll, mustFind } from "../common/dom.js";
import { markSent } from "./parts.js";
import { fill, t } from "../common/strings.js";

/** @import { Announcements } from "../common/types.js" */
/** @typedef {HTMLButtonElement | HTMLSelectElement | HTMLFormElement} Actor */

const TIMEOUT_MS = 10_000;
const UPLOAD_TIMEOUT_MS = 120_000;
const RETRY_MS = 700;
/** How long a button stays busy while the next page is on its way. */
const LEAVING_MS = 4000;

/** The server has refused an act, or has not answered. */
export class ActFault extends Error {
  /**
   * @param {string} message
   * @param {string} [field] the name of the field that is at fault
   */
  constructor(message, field) {
    super(message);
    this.field = field;
  }
}

/** @param {number} ms */
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * The server's answer, asked for once more if the first try breaks; null without any.
 * @param {string} path
 * @param {RequestInit} request
 * @param {number} timeoutMs
 */
async function send(path, request, timeoutMs) {
  const attemptOnce = () =>
    fetch(path, { ...request, signal: AbortSignal.timeout(timeoutMs) }).catch(() => null);
  const answer = await attemptOnce();
  if (answer) {
    return answer;
  }
  await pause(RETRY_MS);
  return attemptOnce();
}

/**
 * Send one act; after a break once more with the same key. Throws an ActFault.
 * @param {string} method
 * @param {string} path
 * @param {Blob | object} [body]
 * @returns {Promise<any>} what the server answers
 */
export async function act(method, path, body = {}) {
  const isFile = body instanceof Blob;
  const headers = {
    "Content-Type": isFile ? "application/octet-stream" : "application/json",
    "Idempotency-Key": crypto.getRandomValues(new Uint32Array(4)).join("-"),
  };
  const request = { method, headers, body: isFile ? body : JSON.stringify(body) };
  const answer = await send(path, request, isFile ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS);
  if (!answer) {
    throw new ActFault(t("common.no_answer"));
  }
  const content = (await answer.json().catch(() => null)) ?? {};
  if (answer.ok) {
    return content;
  }
  throw new ActFault(content.error?.message ?? t("common.broken"), content.error?.field);
}

/**
 * Send one act; a fault is shown at the foot of the page.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>} what the server answers, or undefined after a fault
 */
export async function attempt(method, path, body) {
  try {
    return await act(method, path, body);
  } catch (error) {
    if (!(error instanceof ActFault)) {
      throw error;
    }
    toast(error.message, "harm");
    return undefined;
  }
}

/**
 * Show some words at the foot of the page for a while.
 * @param {string} message
 * @param {"good" | "harm" | ""} [kind]
 */
export function toast(message, kind = "") {
  const note = document.createElement("p");
  note.className = `toast ${kind}`;
  note.textContent = message;
  mustFind("#toasts").append(note);
  setTimeout(() => note.remove(), 3500 + message.length * 40);
}

/**
 * Ask in a dialog.
 * @param {HTMLDialogElement} dialog
 * @param {string} question
 * @returns {Promise<string>} the value of the button that closed it, or ""
 */
export function ask(dialog, question) {
  mustFind("[data-question]", dialog).textContent = question;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => {
    dialog.onclose = () => done(dialog.returnValue);
  });
}

/**
 * A number as people type it: "18,400" where it is large, "2,5" where it is not. What is no number
 * is sent as it was typed: the server says what is wrong with it, or knows it, as visibility "X".
 * @param {string} typed
 * @param {boolean} isLarge whether a comma before three figures is no decimal point
 */
function numberOf(typed, isLarge) {
  const figures = isLarge ? typed.replace(/[^\d-](?=\d{3}\b)/g, "") : typed;
  const number = Number(figures.replace(",", "."));
  return Number.isNaN(number) ? typed.trim() : number;
}

/**
 * Whether a field counts: one inside data-asked-with does while the checkbox of that name is ticked.
 * @param {HTMLInputElement} field
 */
function isAsked(field) {
  const group = /** @type {HTMLElement | null} */ (field.closest("[data-asked-with]"));
  const box = group && field.form?.elements.namedItem(group.dataset.askedWith ?? "");
  return !(box instanceof HTMLInputElement) || box.checked;
}

/**
 * The values of a form's fields by their names; those with data-within in an object of that name.
 * @param {Element[]} elements
 */
function bodyOf(elements) {
  /** @type {Record<string, any>} */
  const body = {};
  for (const element of elements) {
    const field = /** @type {HTMLInputElement} */ (element);
    const { name, type, value, checked, disabled } = field;
    const { body: more, list, number, within } = field.dataset;
    if (!name || disabled || (type === "radio" && !checked) || !isAsked(field)) {
      continue;
    }
    const said = within === undefined ? body : (body[within] ??= {});
    if (list !== undefined) {
      said[name] ??= [];
      if (checked) {
        said[name].push(value);
      }
    } else if (type === "checkbox") {
      said[name] = checked;
    } else if (type === "radio" && more) {
      Object.assign(said, JSON.parse(more));
    } else if (value.trim()) {
      said[name] = number === undefined ? value.trim() : numberOf(value, number !== "");
    }
  }
  return body;
}

/**
 * Show a fault in the form, or else at the foot of the page, and focus its field.
 * @param {Actor} actor
 * @param {string} message
 * @param {string} [name] that of the field
 */
function showFault(actor, message, name) {
  const line = find("[data-fault]", actor);
  if (line) {
    line.textContent = message;
    line.hidden = false;
    line.scrollIntoView({ block: "nearest" });
  } else {
    toast(message, "harm");
  }
  for (const field of /** @type {HTMLInputElement[]} */ (findAll("[data-afresh]", actor))) {
    field.value = "";
  }
  const named = name && actor instanceof HTMLFormElement ? actor.elements.namedItem(name) : null;
  const field = named ?? (name ? document.getElementById(name) : null);
  if (!(field instanceof HTMLElement)) {
    return;
  }
  for (const fold of /** @type {HTMLDetailsElement[]} */ (findAll("details"))) {
    fold.open ||= fold.contains(field);
  }
  field.ariaInvalid = "true";
  field.focus();
}

/** @param {Actor} actor */
function clearFaults(actor) {
  for (const field of findAll("[aria-invalid]", actor)) {
    field.ariaInvalid = null;
  }
  for (const line of findAll("[data-fault]", actor)) {
    line.hidden = true;
  }
}

/**
 * The elements of an actor whose values are sent.
 * @param {Actor} actor
 * @returns {Element[]}
 */
function fieldsOf(actor) {
  if (actor instanceof HTMLFormElement) {
    return [...actor.elements];
  }
  return actor instanceof HTMLSelectElement ? [actor] : [];
}

/**
 * The file that was chosen in one of these fields.
 * @param {Element[]} fields
 */
function fileOf(fields) {
  for (const field of fields) {
    const file = field instanceof HTMLInputElement && field.files?.[0];
    if (file) {
      return file;
    }
  }
  return null;
}

/** @param {Actor} actor */
function reset(actor) {
  if (actor instanceof HTMLFormElement) {
    actor.reset();
  }
}

/**
 * A path with its {names} taken out of the body.
 * @param {string} path
 * @param {Record<string, any>} body
 */
function takePath(path, body) {
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = body[name];
    delete body[name];
    return encodeURIComponent(value);
  });
}

/**
 * What follows when a request has been answered.
 * @param {Actor} actor
 * @param {Element[]} fields
 * @param {any} answer
 */
function afterAct(actor, fields, answer) {
  const { done, go, event = "acted", fold } = actor.dataset;
  announce(/** @type {keyof Announcements} */ (event), answer, actor);
  if (done) {
    toast(done, "good");
  }
  if (fold === undefined) {
    markSent(fields);
  } else {
    reset(actor);
    /** @type {HTMLDetailsElement} */ (actor.closest("details")).open = false;
  }
  if (go) {
    location.assign(fill(go, answer));
  }
}

/**
 * Send the request of an element; its button is busy meanwhile.
 * @param {Actor} actor
 * @param {HTMLElement} [button]
 */
async function run(actor, button = actor) {
  if (button.ariaBusy) {
    return;
  }
  const { confirm, yes = "", go, act: order = "", body = "{}", most, large = "" } = actor.dataset;
  if (confirm) {
    /** @type {HTMLDialogElement} */
    const dialog = mustFind("#ask");
    mustFind("[value=yes]", dialog).textContent = yes;
    if ((await ask(dialog, confirm)) !== "yes") {
      return;
    }
  }
  const fields = fieldsOf(actor);
  const file = fileOf(fields);
  const sent = { ...(file ? {} : bodyOf(fields)), ...JSON.parse(body) };
  const [method, pattern] = order.split(" ");
  const path = takePath(pattern, sent);
  clearFaults(actor);
  if (file && file.size > Number(most)) {
    reset(actor);
    showFault(actor, large);
    return;
  }
  const setIdle = () => {
    button.ariaBusy = null;
  };
  button.ariaBusy = "true";
  // The page that the act leads to is on its way: nothing else may load one.
  document.body.toggleAttribute("data-leaving", Boolean(go));
  try {
    afterAct(actor, fields, await act(method, path, file ?? sent));
    setTimeout(setIdle, go ? LEAVING_MS : 0);
  } catch (error) {
    setIdle();
    document.body.toggleAttribute("data-leaving", false);
    if (!(error instanceof ActFault)) {
      throw error;
    }
    if (file) {
      reset(actor);
    }
    showFault(actor, error.message, error.field);
  }
}

document.addEventListener("click", (event) => {
  /** @type {HTMLButtonElement | null} */
  const button = closest(event, 'button[data-act*=" "]');
  if (button) {
    run(button);
  }
});
document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLSelectElement && target.dataset.act !== undefined) {
    run(target);
  }
  if (
    target instanceof HTMLInputElement &&
    target.files?.length &&
    target.dataset.send !== undefined
  ) {
    target.form?.requestSubmit();
  }
});
document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.dataset.act) {
    return;
  }
  event.preventDefault();
  run(form, event.submitter ?? form);
});
