// The calculator: slider, steps and dials fill its fields; the server draws the rest.
import { closest, setValue, listen, mustFind } from "../common/dom.js";
import "../page/draw.js";

/** @returns {HTMLInputElement} */
const rangeField = () => mustFind("#calc-range");

/**
 * Write the range as the server reads it, with commas before each three figures.
 * @param {number} yards
 */
function setRange(yards) {
  setValue(rangeField(), Math.max(0, yards).toLocaleString("en-GB"));
}

document.addEventListener("input", (event) => {
  /** @type {HTMLInputElement | null} */
  const slider = closest(event, "[data-slider]");
  if (slider) {
    setRange(Number(slider.value));
  }
});
document.addEventListener("click", (event) => {
  const { for: radio, step } = closest(event, "[data-for], [data-step]")?.dataset ?? {};
  if (step) {
    const yards = Number(rangeField().value.replace(/\D/g, ""));
    setRange(yards + Number(step));
  } else if (radio) {
    mustFind(`#${radio}`).click();
  }
});
listen("redrawn", () => {
  history.replaceState(null, "", mustFind("[data-address]").dataset.address);
});
