// One turret fires at one target: ticked here, it is unticked there. "All" ticks what bears.
import { $$, on } from "./strings.js";

on(
  "input",
  ({ target: { checked, dataset, form, value } }) => {
    if (checked && dataset.turret)
      for (const tick of form.elements.on)
        if (tick.dataset.turret === dataset.turret) tick.checked = tick.value === value;
  },
  document,
  true,
);
on("click", ({ target }) => {
  const ticks = target.matches("[data-all]") ? $$("input:enabled", target.parentNode) : [],
    some = ticks.some((tick) => !tick.checked);
  for (const tick of ticks) if (tick.checked !== some) tick.click();
});
