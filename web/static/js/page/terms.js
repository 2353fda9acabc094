// Terms and numbers of rules in the text of a page become buttons that explain them.
import { closest, find, findAll, mustFind } from "../common/dom.js";
import { t } from "../common/strings.js";

/**
 * @typedef {{ name: string, text: string, forms: string[] }} Term
 * @typedef {{ terms: Record<string, Term>, rules: Record<string, string> }} Glossary
 */

const WHERE = "p, li, dd, dt, td, th, span, small, h3, div, b, legend";
const NOWHERE =
  "a, button, label, summary, select, textarea, svg, h1, h2, [data-plain], [data-keep], " +
  "[aria-hidden=true], .for-ears, .topbar, .tabs, .seq-title, dreyer-chart, #term, script, style, pre, code";
const CITED = ".rule, .seq-rule, .caption, .hint, .chip";
const NUMBER = String.raw`\d{1,2}(?:\.\d{1,4})?`;
const LIST = String.raw`${NUMBER}(?:(?:, |; | – )${NUMBER})*`;
/** Longer terms may run over two lines. */
const LONGEST_WHOLE = 16;
const ALONE = new RegExp(`^\\s*(?:${LIST})\\s*$`);

/** @type {Promise<Glossary | null> | undefined} */
let loading;
/** @type {Glossary | null} */
let glossary = null;
/** @type {Map<string, string>} */
const keys = new Map();
/** @type {RegExp | undefined} */
let pattern;

/** @param {string} words */
const escaped = (words) => words.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&").replaceAll("#", "\\d+");

/**
 * The key of the term that explains a rule: that of the longest number that it begins with.
 * @param {string} number
 * @returns {string | undefined}
 */
function keyOfRule(number) {
  for (let rest = number; rest; rest = rest.slice(0, -1).replace(/\.$/, "")) {
    const key = glossary?.rules[rest];
    if (key) {
      return key;
    }
  }
  return undefined;
}

/** The glossary of this page's rulebook; null where there is none. */
async function load() {
  const asked = new URLSearchParams(location.search).get("ruleset");
  const which = asked ? `?ruleset=${encodeURIComponent(asked)}` : "";
  const answer = await fetch(`/glossary/terms.json${which}`).catch(() => null);
  if (!answer?.ok) {
    return null;
  }
  /** @type {Glossary} */
  const found = await answer.json();
  /** @type {string[]} */
  const forms = [];
  for (const [key, term] of Object.entries(found.terms)) {
    for (const form of term.forms) {
      keys.set(form.toLowerCase().replaceAll("#", ""), key);
      forms.push(form);
    }
  }
  const words = forms.toSorted((one, other) => other.length - one.length).map(escaped);
  pattern = new RegExp(`(?<![\\p{L}\\d])(?:${words.join("|")})(?![\\p{L}\\d-])`, "giu");
  return found;
}

/**
 * The pieces of a text that are explained: where each begins, its words, its term, and its rule.
 * @param {string} text
 * @param {boolean} isCitation whether a number alone is that of a rule
 * @param {Set<string>} seen terms that this part explains already
 * @returns {{ at: number, words: string, key: string, rule: string }[]}
 */
function pieces(text, isCitation, seen) {
  const found = [];
  for (const match of pattern ? text.matchAll(pattern) : []) {
    const key = keys.get(match[0].toLowerCase().replaceAll(/\d+/g, ""));
    if (key && !seen.has(key)) {
      seen.add(key);
      found.push({ at: match.index, words: match[0], key, rule: "" });
    }
  }
  const lists =
    isCitation && ALONE.test(text)
      ? [{ 0: text, index: 0 }]
      : [...text.matchAll(new RegExp(`(?<=\\()(?:${LIST})(?=[),])`, "g"))];
  for (const list of lists) {
    for (const match of list[0].matchAll(new RegExp(NUMBER, "g"))) {
      const key = keyOfRule(match[0]);
      if (key) {
        found.push({ at: list.index + match.index, words: match[0], key, rule: match[0] });
      }
    }
  }
  return found.toSorted((one, other) => one.at - other.at);
}

/**
 * @param {{ words: string, key: string, rule: string }} piece
 * @returns {HTMLButtonElement}
 */
function button({ words, key, rule }) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = rule ? "term rule-number" : "term";
  made.dataset.term = key;
  made.dataset.rule = rule;
  made.ariaHasPopup = "dialog";
  made.textContent = words;
  return made;
}

/**
 * Put a button where its words are, on one line with the bracket or stop that touches it.
 * @param {Text} words
 * @param {Text} before the text up to them
 * @param {Text} after the text behind them
 * @param {HTMLButtonElement} made
 * @returns {number} how many signs of the text behind them have gone along
 */
function replace(words, before, after, made) {
  const opening = /[([]$/.exec(before.data)?.[0] ?? "";
  const closing = /^[)\].,;:]+/.exec(after.data)?.[0] ?? "";
  if ((!opening && !closing) || made.textContent.length > LONGEST_WHOLE) {
    words.replaceWith(made);
    return 0;
  }
  before.data = before.data.slice(0, before.data.length - opening.length);
  after.data = after.data.slice(closing.length);
  const line = document.createElement("span");
  line.className = "nowrap";
  line.append(opening, made, closing);
  words.replaceWith(line);
  return closing.length;
}

/**
 * Make the terms and rules within an element buttons; each term once.
 * @param {ParentNode & Node} within
 */
function mark(within) {
  const seen = new Set(
    findAll(".term:not(.rule-number)", within).map((each) => each.dataset.term ?? ""),
  );
  const walker = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
  /** @type {Text[]} */
  const texts = [];
  while (walker.nextNode()) {
    texts.push(/** @type {Text} */ (walker.currentNode));
  }
  for (const node of texts) {
    const parent = node.parentElement;
    if (!node.data.trim() || !parent?.matches(WHERE) || parent.closest(NOWHERE)) {
      continue;
    }
    let rest = node;
    let cut = 0;
    for (const piece of pieces(node.data, parent.matches(CITED), seen)) {
      if (piece.at < cut) {
        continue;
      }
      const before = rest;
      const middle = before.splitText(piece.at - cut);
      rest = middle.splitText(piece.words.length);
      cut = piece.at + piece.words.length + replace(middle, before, rest, button(piece));
    }
  }
}

/**
 * Make the terms and rules within an element buttons, once the glossary is there.
 * @template {ParentNode & Node} Part
 * @param {Part} within
 * @returns {Promise<Part>}
 */
export async function explain(within) {
  if (!find("#term")) {
    return within;
  }
  loading ??= load();
  glossary = await loading;
  if (glossary) {
    mark(within);
  }
  return within;
}

/**
 * Show what a term means.
 * @param {HTMLElement} opener
 */
async function open(opener) {
  await explain(document.createDocumentFragment());
  const term = glossary?.terms[opener.dataset.term ?? ""];
  if (!term) {
    return;
  }
  const card = mustFind("#term");
  const { rule = "", term: key = "" } = opener.dataset;
  mustFind("[data-name]", card).textContent = term.name;
  mustFind("[data-text]", card).textContent = term.text;
  mustFind("[data-number]", card).textContent = rule ? t("terms.rule", { number: rule }) : "";
  /** @type {HTMLAnchorElement} */
  const more = mustFind("[data-more]", card);
  more.href = `/glossary#${key}`;
  // A dialog that is open lies above everything else: the card is shown within it.
  (opener.closest("dialog") ?? document.body).append(card);
  card.showPopover();
  card.focus();
  const back = (/** @type {Event} */ event) => {
    if (/** @type {ToggleEvent} */ (event).newState === "closed") {
      card.removeEventListener("toggle", back);
      opener.focus({ preventScroll: true });
    }
  };
  card.addEventListener("toggle", back);
}

document.addEventListener("click", (event) => {
  const opener = closest(event, ".term");
  if (opener) {
    event.preventDefault();
    open(opener);
  }
});
explain(document.body);
