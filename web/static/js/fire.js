// One turret fires at one target: ticked here, it is unticked there. "All" ticks what bears.
document.addEventListener("input", ({ target: { checked, dataset, form, value } }) => {
  if (checked && dataset.turret) for (const tick of form.elements.on) if (tick.dataset.turret === dataset.turret) tick.checked = tick.value === value;
}, true);
document.addEventListener("click", ({ target }) => {
  const ticks = [...(target.matches("[data-all]") ? target.parentNode.querySelectorAll("input:enabled") : [])], on = ticks.some((tick) => !tick.checked);
  for (const tick of ticks) if (tick.checked !== on) tick.click();
});
