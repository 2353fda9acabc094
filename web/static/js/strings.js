// Short names for looking, listening and telling, and the page's words.
export const $ = (name, within = document) => within.querySelector(name);
export const $$ = (name, within = document) => [...within.querySelectorAll(name)];
export const on = (kind, hear, where = document, first) =>
  where.addEventListener(kind, hear, first);
export const tell = (kind, detail, where = document) =>
  where.dispatchEvent(new CustomEvent(kind, { detail, bubbles: true }));

const words = JSON.parse($("#strings").textContent);
/** Put values in where a text names them: {n}. */
export const fill = (text = "", values) =>
  text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
/** The words of a key: t("common.seconds_ago", {n: 12}). */
export const t = (key, values = {}) =>
  fill(words[key] ?? words[`${key}.${values.n === 1 ? "one" : "other"}`] ?? key, values);
