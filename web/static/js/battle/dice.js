// The pad for dice: the coloured die first, then the white one; the last figure sends them.
import { act, ActFault, toast } from "../page/act.js";
import { closest, find, findAll, listen, mustFind } from "../common/dom.js";
import { live } from "../page/live.js";
import { showParts } from "../page/shell.js";

/** Clicks so soon after sending are ignored: the second half of a double tap belongs to no roll. */
const DOUBLE_TAP_MS = 350;

const part = mustFind("#dice");

/** The figure of the coloured die, once it is typed. */
let first = "";
/** The number of the roll that is on the pad. @type {string | undefined} */
let rollNumber;
/** The number of the roll that was sent last. @type {string | undefined} */
let sentNumber;
let sentAt = -Infinity;
/** Whose fire is shown. @type {string | null | undefined} */
let shownFire;

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

/** @param {string} [second] the figure that was typed last */
function show(second = "") {
  const pad = findPad();
  if (pad?.dataset.number !== rollNumber) {
    rollNumber = pad?.dataset.number;
    first = "";
    sentNumber = undefined;
  }
  if (!pad) {
    return;
  }
  // What was entered stays so, even where the page is drawn once more.
  pad.inert = rollNumber === sentNumber;
  showDice(pad, pad.dataset.kind === "pair" ? [first, second] : [second]);
  const question = mustFind("[data-ask]", pad);
  const words = first ? question.dataset.white : question.dataset.first;
  question.textContent = words ?? "";
  /** @type {Record<string, string>} what comes of each figure */
  const outlook = JSON.parse(pad.dataset.outlook ?? "{}");
  for (const key of findAll("[data-figure]", pad)) {
    mustFind("small", key).textContent = outlook[`${first}${key.dataset.figure}`] ?? "";
  }
  for (const button of /** @type {HTMLButtonElement[]} */ (findAll("[data-erase]", pad))) {
    button.disabled = !first;
  }
}

function erase() {
  first = "";
  show();
}

/** @param {string} figure */
async function press(figure) {
  const pad = findPad();
  if (!pad || pad.inert) {
    return;
  }
  if (pad.dataset.kind === "pair" && !first) {
    first = figure;
    show();
    return;
  }
  sentAt = performance.now();
  show(figure);
  pad.inert = true;
  const data = { values: [first + figure], from: Number(rollNumber) };
  try {
    await act("POST", "/api/battle/play", { kind: "dice", data });
    sentNumber = pad.dataset.number;
  } catch (fault) {
    if (!(fault instanceof ActFault)) {
      throw fault;
    }
    toast(fault.message, "harm");
    rollNumber = undefined;
    show();
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
