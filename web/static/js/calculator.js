// The calculator: slider, steps and dials fill its fields; the server draws the rest.
import "./draw.js";
import { $, on, tell } from "./strings.js";

function set(yards, field = $("#calc-range")) {
  field.value = Math.max(0, yards).toLocaleString("en-GB");
  tell("input", null, field);
}
on("input", ({ target }) => {
  if (target.matches("[data-slider]")) set(Number(target.value));
});
on("redrawn", () => history.replaceState(null, "", $("[data-address]").dataset.address));
on("click", ({ target }) => {
  const { for: radio, step } = target.closest("[data-for], [data-step]")?.dataset ?? {};
  if (step) set(Number($("#calc-range").value.replace(/\D/g, "")) + Number(step));
  else if (radio) $(`#${radio}`).click();
});
