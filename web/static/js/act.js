// Doing what buttons, forms and lists say. An act is done once however often it is sent.
import { settle } from "./parts.js";
import { $, $$, fill, on, t, tell } from "./strings.js";

/** Send one act; after a break once more with the same key. Throws {message, field}. */
export async function act(method, path, body = {}) {
  const [type, data, ms] =
    body instanceof Blob ? ["octet-stream", body, 120_000] : ["json", JSON.stringify(body), 10_000];
  const headers = {
    "Content-Type": `application/${type}`,
    "Idempotency-Key": crypto.getRandomValues(new Uint32Array(4)).join("-"),
  };
  const send = () => fetch(path, { method, headers, body: data, signal: AbortSignal.timeout(ms) });
  const answer = await send()
    .catch(() => new Promise((done) => setTimeout(done, 700)).then(send))
    .catch(() => null);
  const said = (await answer?.json().catch(() => null)) ?? {};
  if (answer?.ok) return said;
  throw { message: t(answer ? "common.broken" : "common.no_answer"), ...said.error };
}

/** Send one act; a fault is said at the foot of the page. */
export const attempt = (...order) => act(...order).catch(({ message }) => toast(message, "harm"));

/** A word at the foot of the page; kind: "good", "harm" or "". */
export function toast(message, kind = "") {
  const note = Object.assign(document.createElement("p"), {
    className: `toast ${kind}`,
    textContent: message,
  });
  $("#toasts").append(note);
  setTimeout(() => note.remove(), 3500 + message.length * 40);
}

/** Ask in a dialog; gives the value of the button that shut it, or "". */
export function ask(box, question) {
  $("[data-question]", box).textContent = question;
  box.returnValue = "";
  box.showModal();
  return new Promise((done) => {
    box.onclose = () => done(box.returnValue);
  });
}

function bodyOf(fields) {
  const body = {};
  for (const {
    name,
    type,
    value,
    checked,
    disabled,
    dataset: { body: more, list, number },
  } of fields) {
    if (!name || disabled || (type === "radio" && !checked)) continue;
    if (list !== undefined) body[name] = [...(body[name] ?? []), ...(checked ? [value] : [])];
    else if (type === "checkbox") body[name] = checked;
    else if (type === "radio" && more) Object.assign(body, JSON.parse(more));
    // In "18,400" the comma is no point.
    else if (value.trim())
      body[name] =
        number === undefined
          ? value.trim()
          : Number((number ? value.replace(/[^\d-](?=\d{3}\b)/g, "") : value).replace(",", "."));
  }
  return body;
}

// A fault is said where it was made, and leads to its field.
function refuse(element, { message, field: name }) {
  const line = $("[data-fault]", element),
    field = name && (element.elements?.[name] ?? document.getElementById(name));
  if (line)
    Object.assign(line, { textContent: message, hidden: false }).scrollIntoView({
      block: "nearest",
    });
  else toast(message, "harm");
  for (const each of $$("[data-afresh]", element)) each.value = "";
  if (!(field instanceof HTMLElement)) return;
  $$("details").forEach((fold) => {
    fold.open ||= fold.contains(field);
  });
  field.ariaInvalid = "true";
  field.focus();
}

async function run(element, button = element) {
  if (button.ariaBusy) return;
  const {
    confirm,
    yes,
    done,
    go,
    event = "acted",
    fold,
    act: order,
    body = "{}",
    most,
    large,
  } = element.dataset;
  if (confirm) {
    $("#ask [value=yes]").textContent = yes;
    if ((await ask($("#ask"), confirm)) !== "yes") return;
  }
  const fields = element.elements ?? (element.options ? [element] : []),
    file = [...fields].find((field) => field.files?.[0])?.files[0];
  const sent = { ...(!file && bodyOf(fields)), ...JSON.parse(body) },
    [method, path] = order.split(" ");
  // The path takes its {name} out of that.
  const where = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = sent[name];
    delete sent[name];
    return encodeURIComponent(value);
  });
  for (const each of $$("[aria-invalid]", element)) each.ariaInvalid = null;
  for (const each of $$("[data-fault]", element)) each.hidden = true;
  if (file?.size > most) {
    element.reset();
    return refuse(element, { message: large });
  }
  button.ariaBusy = "true";
  const rest = () => {
    button.ariaBusy = null;
  };
  try {
    const said = await act(method, where, file ?? sent);
    tell(event, said, element);
    if (done) toast(done, "good");
    if (fold === undefined) settle(fields);
    else {
      element.reset();
      element.closest("details").open = false;
    }
    if (go) location.assign(fill(go, said));
    setTimeout(rest, go ? 4000 : 0); // the next page is on its way
  } catch (error) {
    rest();
    if (error instanceof Error) throw error;
    if (file) element.reset();
    refuse(element, error);
  }
}

on("click", ({ target }) => {
  const button = target.closest('button[data-act*=" "]');
  if (button) run(button);
});
on("change", ({ target }) => {
  if (target.matches("select[data-act]")) run(target);
  if (target.files?.length && target.dataset.send !== undefined) target.form.requestSubmit();
});
on("submit", (event) => {
  const form = event.target;
  if (!form.dataset.act) return;
  event.preventDefault();
  run(form, event.submitter ?? form);
});
