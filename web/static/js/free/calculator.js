// The calculator: slider, steps and dials fill its fields; the server draws the rest.
import { closest, enter, hear, mustFind } from "../common/dom.js";
import "../page/draw.js";

/** @returns {HTMLInputElement} */
const rangeField = () => mustFind("#calc-range");

/** @param {number} yards */
function setRange(yards) {
  enter(rangeField(), Math.max(0, yards).toLocaleString("en-GB"));
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
hear("redrawn", () => {
  history.replaceState(null, "", mustFind("[data-address]").dataset.address);
});
