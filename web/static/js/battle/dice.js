// The pad for dice: of two the coloured one first, where it matters; the last figure sends them.
import { act, ActFault, toast } from "../page/act.js";
import { closest, find, findAll, listen, mustFind } from "../common/dom.js";
import { live } from "../page/live.js";
import { showParts } from "../page/shell.js";

/** Clicks so soon after sending are ignored: the second half of a double tap belongs to no roll. */
const DOUBLE_TAP_MS = 350;

/** So long the pad says that the second die cannot change anything, before it goes on without it. */
const DECIDED_MS = 1600;
/** So long after it went on nothing is typed: the figure of the die left out may still come. */
const LATE_MS = 1000;

const part = mustFind("#dice");

/** Half-typed rolls are kept here, each by what its roll is known by: through live updates and reloads. */
const HALF_TYPED = "dreyer-half-typed";

/** The figure of the first of two dice, once it is typed. */
let first = "";
/** What the roll on the pad is known by. @type {string | undefined} */
let roll;
/** What the roll that was sent is known by, until the pad asks for another. @type {string | undefined} */
let sentRoll;
/** Whether its answer is still to come. */
let isSending = false;
let sentAt = -Infinity;
/** Until when figures are ignored. */
let deafUntil = -Infinity;
/** Goes on without the second die. @type {ReturnType<typeof setTimeout> | undefined} */
let goesOn;
/** Whose fire is shown. @type {string | null | undefined} */
let shownFire;
/** The fire that the player has chosen to roll for. @type {string | undefined} */
let chosenFire;

const findPad = () => find("#pad");

/**
 * Show a die's figure; the first empty one is next.
 * @param {HTMLElement} pad
 * @param {string[]} figures
 */
function showDice(pad, figures) {
  const next = figures.indexOf("");
  findAll(".die", pad).forEach((die, place) => {
    die.textContent = figures[place];
    die.classList.toggle("next", place === next);
    die.classList.toggle("full", Boolean(figures[place]));
  });
}

/** @returns {Record<string, string>} the first figures that are typed, by their rolls */
function halfTyped() {
  return JSON.parse(sessionStorage.getItem(HALF_TYPED) ?? "{}");
}

/**
 * Keep what is typed of a roll, or forget it.
 * @param {string | undefined} known
 * @param {string} figure
 */
function keep(known, figure) {
  if (known) {
    const typed = halfTyped();
    delete typed[known];
    if (figure) {
      typed[known] = figure;
    }
    sessionStorage.setItem(HALF_TYPED, JSON.stringify(typed));
  }
}

/** What was typed for a roll that somebody else has entered, or that is gone, is said and forgotten. */
function dropStale() {
  const open = findAll("[data-open-roll]").map((each) => each.dataset.openRoll);
  const gone = part.querySelector("[data-gone]");
  for (const [known, figure] of Object.entries(halfTyped())) {
    if (!open.includes(known)) {
      keep(known, "");
      if (gone instanceof HTMLElement && known !== sentRoll) {
        toast((gone.dataset.gone ?? "").replace("{figure}", figure), "harm");
      }
    }
  }
}

/** @param {string} [second] the figure that was typed last */
function show(second = "") {
  const pad = findPad();
  dropStale();
  if (pad?.dataset.roll !== roll) {
    roll = pad?.dataset.roll;
    first = (roll && halfTyped()[roll]) || "";
  }
  // The very roll may be asked for again, where it was typed wrongly and taken back.
  if (!isSending && pad?.dataset.roll !== sentRoll) {
    sentRoll = undefined;
  }
  if (!pad) {
    return;
  }
  // What was entered stays so, even where the page is drawn once more.
  pad.inert = roll === sentRoll;
  showDice(pad, pad.dataset.kind === "pair" ? [first, second] : [second]);
  const question = mustFind("[data-ask]", pad);
  const words = first ? question.dataset.second : question.dataset.first;
  /** @type {Record<string, string>} what comes of each figure */
  const outlook = JSON.parse(pad.dataset.outlook ?? "{}");
  const decided = isDecided(pad);
  question.textContent = decided
    ? (pad.dataset.goesOn ?? "").replace("{outcome}", outlook[first] ?? "")
    : (words ?? "");
  if (decided) {
    find(".die.next", pad)?.classList.remove("next");
  }
  clearTimeout(goesOn);
  if (decided && !second && !pad.inert) {
    goesOn = setTimeout(() => press(""), DECIDED_MS);
  }
  for (const key of findAll("[data-figure]", pad)) {
    mustFind("small", key).textContent = outlook[`${first}${key.dataset.figure}`] ?? "";
  }
  for (const button of /** @type {HTMLButtonElement[]} */ (findAll("[data-erase]", pad))) {
    button.disabled = !first;
  }
}

/**
 * Whether the second of two dice cannot change anything.
 * @param {HTMLElement} pad
 */
function isDecided(pad) {
  return Boolean(first) && (pad.dataset.decided ?? "").split(" ").includes(first);
}

function erase() {
  first = "";
  keep(roll, "");
  show();
}

/** @param {string} figure empty where the second die is left to the app */
async function press(figure) {
  const pad = findPad();
  clearTimeout(goesOn);
  if (!pad || pad.inert || performance.now() < deafUntil || (!figure && !isDecided(pad))) {
    return;
  }
  if (pad.dataset.kind === "pair" && !first) {
    first = figure;
    keep(roll, figure);
    show();
    return;
  }
  sentAt = performance.now();
  if (!figure) {
    deafUntil = sentAt + LATE_MS;
  }
  show(figure);
  pad.inert = true;
  const sent = roll;
  sentRoll = sent;
  isSending = true;
  const data = { values: [first + figure], roll: sent, only: true };
  try {
    await act("POST", "/api/battle/play", { kind: "dice", data });
    keep(sent, "");
  } catch (fault) {
    if (!(fault instanceof ActFault)) {
      throw fault;
    }
    toast(fault.message, "harm");
    // What was typed stays where it was; the server has used none of it.
    roll = undefined;
    sentRoll = undefined;
    show();
  } finally {
    isSending = false;
  }
  showParts(live.view, part);
}

listen(
  "redrawn",
  () => {
    const fire = find("#now-fire")?.textContent;
    if (fire !== shownFire) {
      scrollTo(0, 0);
    }
    shownFire = fire;
    show();
  },
  part,
);
part.addEventListener("click", (event) => {
  const choice = closest(event, "[data-fire]");
  if (choice?.dataset.fire) {
    chosenFire = choice.dataset.fire;
    const live_ = new URL(part.dataset.live ?? "", location.href);
    live_.searchParams.set("fire", chosenFire);
    part.dataset.live = live_.pathname + live_.search;
    showParts(live.view, part);
  }
});
part.addEventListener(
  "click",
  (event) => {
    const button = closest(event, "#pad button");
    if (!button) {
      return;
    }
    if (performance.now() - sentAt < DOUBLE_TAP_MS) {
      event.stopPropagation();
    } else if (button.dataset.figure) {
      press(button.dataset.figure);
    } else if (button.dataset.act) {
      sentAt = performance.now();
    } else {
      erase();
    }
  },
  true,
);
document.addEventListener("keydown", (event) => {
  const { key, repeat, ctrlKey, metaKey, altKey } = event;
  if (repeat || ctrlKey || metaKey || altKey || find("dialog[open]")) {
    return;
  }
  if (key === "Backspace") {
    erase();
  } else if (find(`#pad [data-figure="${CSS.escape(key)}"]`)) {
    press(key);
  }
});
show();
