// The host's chart: a tap shows one ship's rings; a second ship leads to their check.
import { listen, mustFind } from "../common/dom.js";

/** @import { DreyerChart } from "../chart/chart.js" */

/** @type {DreyerChart} */
const chart = mustFind("#chart");
/** @type {string | null} */
let firer = null;

/** @param {string | null} name */
function choose(name) {
  firer = name;
  chart.selection = { firer };
}

listen(
  "choose",
  ({ name }) => {
    if (firer && firer !== name) {
      location.assign(`/table?${new URLSearchParams({ firer, target: name })}`);
    } else {
      choose(firer ? null : name);
    }
  },
  chart,
);
listen("clear", () => choose(null), chart);
listen("wifi", ({ svg }) => {
  mustFind("#wifi-code").innerHTML = svg;
});
