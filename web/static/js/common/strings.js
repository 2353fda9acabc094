// The words of the page, in the language that it was served in.
import { mustFind } from "./dom.js";

/** @typedef {Record<string, unknown>} Values */

/** @type {Record<string, string>} */
const words = JSON.parse(mustFind("#strings").textContent ?? "{}");
const plurals = new Intl.PluralRules(document.documentElement.lang);

/**
 * Put values in where a text names them: "{n} seconds".
 * @param {string} text
 * @param {Values} values
 */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * The words of a key: t("common.seconds_ago", { n: 12 }). The number n chooses the plural form.
 * @param {string} key
 * @param {Values} [values]
 */
export function t(key, values = {}) {
  const form = plurals.select(Number(values.n));
  return fill(words[key] ?? words[`${key}.${form}`] ?? words[`${key}.other`] ?? key, values);
}
