// Ticks of turrets: those with the same data-turret exclude one another; a button ticks all of its group.
// Rates of fire: all guns of every turret, or one of each.
import { closest, find, findAll, listen } from "../common/dom.js";

/**
 * The ticks of all turrets in a form.
 * @param {HTMLFormElement} form
 * @returns {HTMLInputElement[]}
 */
const turretTicks = (form) => findAll("input[name=on]", form);

document.addEventListener(
  "input",
  ({ target }) => {
    const ticked = /** @type {HTMLInputElement} */ (target);
    const { turret } = ticked.dataset;
    if (!ticked.checked || !turret || !ticked.form) {
      return;
    }
    for (const tick of turretTicks(ticked.form)) {
      if (tick.dataset.turret === turret) {
        tick.checked = tick.value === ticked.value;
      }
    }
  },
  true,
);

document.addEventListener("click", ({ target }) => {
  if (!(target instanceof HTMLElement && target.matches("[data-all]") && target.parentElement)) {
    return;
  }
  /** @type {HTMLInputElement[]} */
  const ticks = findAll("input:enabled", target.parentElement);
  const isWanted = ticks.some((tick) => !tick.checked);
  for (const tick of ticks) {
    if (tick.checked !== isWanted) {
      tick.click();
    }
  }
});

document.addEventListener("click", (event) => {
  const button = closest(event, "[data-rates]");
  const card = closest(event, ".rate-card");
  if (!button || !card) {
    return;
  }
  for (const turret of findAll(".rate-turret", card)) {
    /** From all of its guns down to one. @type {HTMLInputElement[]} */
    const numbers = findAll("input:enabled", turret);
    numbers.at(button.dataset.rates === "all" ? 0 : -1)?.click();
  }
});

// Only what the server has checked can be saved.
/** @type {HTMLFormElement | null} */
const form = find("#fire[data-draw]");
const part = find("#fire-part");
if (form && part) {
  /** @param {string | null} busy */
  const setBusy = (busy) => {
    const save = find("[data-key=save]", part);
    if (save) {
      save.ariaBusy = busy;
    }
  };
  form.addEventListener("input", () => setBusy("true"));
  listen("redrawn", () => setBusy(null), part);
}
