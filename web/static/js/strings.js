// Short names for looking and listening, and the page's words.
export const $ = (name, within = document) => within.querySelector(name);
export const $$ = (name, within = document) => [...within.querySelectorAll(name)];
export const on = (kind, hear, where = document) => where.addEventListener(kind, hear);

/** The words that the server sends for scripts, by their keys. */
const words = JSON.parse($("#strings")?.textContent || "{}");
/** Put values in where a text names them: {n}. */
export const fill = (text = "", values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
/** The words of a key: t("common.seconds_ago", {n: 12}). */
export const t = (key, values = {}) => fill(words[key] ?? words[`${key}.${values.n === 1 ? "one" : "other"}`] ?? key, values);
