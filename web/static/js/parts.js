// Parts that the server draws: what is still there stays, with focus, fold and half a word typed.
import { $, $$, tell } from "./strings.js";

const OURS = ["open", "aria-busy", "aria-invalid"];
const keyOf = (node) => node.dataset?.key || node.id || node.firstElementChild?.dataset.key;
const kind = (node) => `${node.nodeName} ${keyOf(node) || node.classList?.[0]}`;
const usual = (field) =>
  field.options ? ($("[selected]", field) ?? field.options[0])?.value : field.defaultValue;

function become(old, fresh) {
  if (old.nodeType !== 1) old.data = fresh.data;
  if (
    old.isEqualNode(fresh) ||
    old.matches("[data-keep], [data-fault], dialog[open], select:focus")
  )
    return;
  const { value } = old,
    drawn = fresh.value,
    typed = old === document.activeElement || value !== usual(old),
    ticked = old.checked !== old.defaultChecked;
  for (const { name } of [...old.attributes, ...fresh.attributes]) {
    const now = fresh.getAttribute(name);
    if (OURS.includes(name) || old.getAttribute(name) === now) continue;
    if (now === null) old.removeAttribute(name);
    else old.setAttribute(name, now);
  }
  children(old, fresh);
  if (!old.matches("input:not([type=file]), select, textarea")) return;
  if (!typed || old.options) old.value = typed ? value : drawn;
  if (old.selectedIndex < 0) old.value = drawn;
  if (!ticked) old.checked = fresh.checked;
}

function children(old, fresh) {
  const coming = [...fresh.childNodes],
    wanted = coming.map(kind);
  for (const each of [...old.childNodes])
    if (keyOf(each) && !wanted.includes(kind(each))) each.remove();
  let at = old.firstChild;
  for (const next of coming) {
    const passed = [];
    let twin = at;
    for (; twin && kind(twin) !== kind(next); twin = twin.nextSibling) passed.push(twin);
    if (!twin) {
      old.insertBefore(next, at);
      continue;
    }
    // Moved only if it must be: a press would be lost.
    if (passed.some(keyOf)) old.insertBefore(twin, at);
    else {
      passed.forEach((each) => each.remove());
      at = twin.nextSibling;
    }
    become(twin, next);
  }
  while (at) [at] = [at.nextSibling, at.remove()];
}

/** These fields are no longer half typed. */
export function settle(fields) {
  for (const field of fields) {
    for (const option of field.options ?? []) option.defaultSelected = option.selected;
    field.defaultChecked = field.checked;
    if ("defaultValue" in field) field.defaultValue = field.value;
  }
}

/** Show in a part what the server drew. */
export function show(part, fresh) {
  const focus = document.activeElement,
    here = part.contains(focus);
  children(part, fresh);
  // What had the focus may be done and gone: what undoes it is next.
  if (here && focus !== document.activeElement)
    (focus.isConnected ? focus : ($("[data-undo]", part) ?? $("a, button", part)))?.focus({
      preventScroll: true,
    });
  tell("redrawn", null, part);
}

/** What the server draws at an address; asked twice, the second time with patience. */
export async function fetchPart(path) {
  const ask = (ms) =>
    fetch(path, { headers: { "X-Part": "1" }, cache: "no-store", signal: AbortSignal.timeout(ms) });
  const answer = await ask(1500).catch(() => ask(10_000));
  if (answer.redirected) location.assign(answer.url);
  if (answer.redirected || !answer.ok) throw answer;
  const { content } = Object.assign(document.createElement("template"), {
    innerHTML: await answer.text(),
  });
  // Pictures come before what is drawn over them.
  await Promise.allSettled(
    $$("[data-first][src]", content).map((each) =>
      Object.assign(new Image(), { src: each.getAttribute("src") }).decode(),
    ),
  );
  return content;
}
