// Ticks of turrets: those with the same data-turret exclude one another; a button ticks all of its group.
import { findAll } from "../common/dom.js";

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
