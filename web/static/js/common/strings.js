// The words of the page, in the language that it was served in.
import { mustFind } from "./dom.js";

/** @typedef {Record<string, unknown>} Values */

/** @type {Record<string, string>} */
const words = JSON.parse(mustFind("#strings").textContent ?? "{}");

/**
 * Put values in where a text names them: "{n} seconds".
 * @param {string} text
 * @param {Values} values
 */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * The words of a key: t("common.seconds_ago", { n: 12 }). The number n chooses between one and many.
 * @param {string} key
 * @param {Values} [values]
 */
export function t(key, values = {}) {
  const number = values.n === 1 ? "one" : "other";
  return fill(words[key] ?? words[`${key}.${number}`] ?? key, values);
}
