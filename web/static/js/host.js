// The host's chart: a tap shows one ship's rings; a second ship leads to their check.
import { $, on } from "./strings.js";

const chart = $("#chart");
let firer = null;

on(
  "choose",
  ({ detail: { name: target } }) => {
    if (firer && firer !== target)
      return location.assign(`/table?${new URLSearchParams({ firer, target })}`);
    chart.selection = { firer: (firer = firer ? null : target) };
  },
  chart,
);
on(
  "clear",
  () => {
    chart.selection = { firer: (firer = null) };
  },
  chart,
);
on("wifi", ({ detail }) => {
  $("#wifi-code").innerHTML = detail.svg;
});
