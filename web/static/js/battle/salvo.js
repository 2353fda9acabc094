// Shows cards of salvos and announcements in a box, one after the other, each stage by stage: the line of fire, the dice,
// splashes and hits, shell against plate, what broke. It needs nothing else of a page, so that a saved file can have it.

/**
 * @typedef {"line" | "dice" | "fall" | "armour" | "harm" | "news"} Stage
 *
 * @typedef {object} Watcher
 * @property {() => boolean} isStill whether nothing is to move: all of a card is there at once
 * @property {(card: HTMLElement, stage: Stage) => void} [onStage] a stage of a card begins
 * @property {(card: HTMLElement | null, waiting: number) => void} [onCard] another card is shown, or the last is gone
 */

/** When the stages of a card begin. @type {[Stage, number][]} */
const STAGES = [
  ["line", 0],
  ["dice", 350],
  ["fall", 700],
];
const ARMOUR_MS = 1050;
/** From one hit to the next, and from its armour to what it did. */
const HIT_MS = 320;
const HARM_MS = 180;
/** How long a whole card stays. */
const HOLD_MS = 900;
const STILL_MS = 2000;
const NEWS_MS = 1800;
const END_MS = 6000;
/** While more than this wait, each card stays half as long. */
const CROWD = 3;

/**
 * How long an announcement stays: what an umpire has corrected is read, whatever else happens.
 * @param {string} news
 * @param {number} pace
 */
function newsMs(news, pace) {
  if (news === "ended" || news === "corrected") {
    return END_MS;
  }
  return NEWS_MS * pace;
}

export class SalvoShow {
  /** @type {HTMLElement[]} */
  #waiting = [];

  /** @type {HTMLElement | null} */
  #card = null;

  /** @type {ReturnType<typeof setTimeout>[]} */
  #timers = [];

  /**
   * @param {HTMLElement} box where cards are shown
   * @param {Watcher} watcher
   */
  constructor(box, watcher) {
    this.box = box;
    this.watcher = watcher;
  }

  /** The card that is shown. */
  get card() {
    return this.#card;
  }

  /** The cards that wait. */
  get waiting() {
    return this.#waiting;
  }

  /**
   * Show cards after those that wait already.
   * @param {HTMLElement[]} cards
   */
  add(cards) {
    this.#waiting.push(...cards);
    if (this.#card) {
      this.watcher.onCard?.(this.#card, this.#waiting.length);
    } else {
      this.#next();
    }
  }

  /** End the card that is shown. */
  skip() {
    if (this.#card) {
      this.#next();
    }
  }

  /** End them all. */
  skipAll() {
    this.#waiting = [];
    this.skip();
  }

  #next() {
    this.#timers.forEach(clearTimeout);
    this.#timers = [];
    this.#card?.remove();
    this.#card = this.#waiting.shift() ?? null;
    if (this.#card) {
      this.box.append(this.#card);
    }
    this.watcher.onCard?.(this.#card, this.#waiting.length);
    if (this.#card) {
      this.#play(this.#card);
    }
  }

  /** @param {HTMLElement} card */
  #play(card) {
    const { news } = card.dataset;
    const pace = this.#waiting.length > CROWD ? 0.5 : 1;
    const end = () => this.#next();
    if (news) {
      this.watcher.onStage?.(card, "news");
      this.#after(newsMs(news, pace), end);
      return;
    }
    if (this.watcher.isStill()) {
      this.#after(STILL_MS * pace, end);
      return;
    }
    card.classList.add("in-stages");
    let last = 0;
    for (const [stage, elements, ms] of stagesOf(card)) {
      last = Math.max(last, ms);
      this.#after(ms * pace, () => {
        elements.forEach((element) => element.classList.add("shown"));
        this.watcher.onStage?.(card, stage);
      });
    }
    this.#after((last + HOLD_MS) * pace, end);
  }

  /**
   * @param {number} ms
   * @param {() => void} act
   */
  #after(ms, act) {
    this.#timers.push(setTimeout(act, ms));
  }
}

/**
 * The stages of a card, with their elements and when they begin.
 * @param {HTMLElement} card
 * @returns {[Stage, Element[], number][]}
 */
function stagesOf(card) {
  /** @type {[Stage, Element[], number][]} */
  const stages = STAGES.map(([stage, ms]) => [
    stage,
    [...card.querySelectorAll(`[data-stage=${stage}]`)],
    ms,
  ]);
  const hits = [...card.querySelectorAll("[data-stage=armour]")];
  let ms = ARMOUR_MS;
  for (const hit of hits) {
    stages.push(["armour", [hit], ms]);
    stages.push(["harm", [...hit.querySelectorAll("[data-stage=harm]")], ms + HARM_MS]);
    ms += HIT_MS;
  }
  const others = [...card.querySelectorAll("[data-stage=harm]")].filter(
    (element) => !hits.some((hit) => hit.contains(element)),
  );
  if (others.length) {
    stages.push(["harm", others, ms]);
  }
  return stages;
}
