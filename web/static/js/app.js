// The table's page: the chart, two chosen ships, and the sheet on the two.
import { toast } from "./act.js";
import { live } from "./live.js";
import { redraw } from "./shell.js";
import { $, on, t } from "./strings.js";

const [chart, sheet, page, roster, pair, grip, over] = [
  "#chart",
  "#sheet",
  "#sheet-body",
  "#roster",
  "#pair",
  ".grip",
  ".over",
].map((name) => $(name));
const batteries = {}; // by firer
let chosen = {},
  saying = 0,
  up = 0;

// Choose who looks and at whom; Back takes a choice back.
function choose({ firer, target }, step = true) {
  const next = firer ? { firer, ...(target && { target }) } : {},
    query = new URLSearchParams(next),
    both = query.has("target"),
    same = chosen.target === target;
  if (step && !(same && chosen.firer === firer))
    history.pushState(null, "", firer ? `/table?${query}` : "/table");
  chart.selection = chosen = next;
  document.body.classList.toggle("checking", both);
  pair.hidden = !(roster.hidden = both);
  if (batteries[firer]) query.set("battery", batteries[firer]);
  pair.dataset.live = both ? `/check?${query}` : "";
  if (!both) {
    chart.check = null;
    pair.replaceChildren();
    roster.dataset.live = `/table/ships?${query}`;
    lay("half");
  }
  if (both || live.view) redraw(both ? pair : roster);
  if (!same) page.scrollTop = 0;
}
const read = (address) => Object.fromEntries(new URL(address).searchParams);

// A ship was tapped: first who looks, then at whom; herself again starts over.
function pick(name) {
  const { firer, target } = chosen;
  if (name === firer) choose(target ? { firer } : {});
  else choose(firer ? { firer, target: name } : { firer: name });
}

// A new sheet: the chart draws it, and ears hear it once it rests.
on(
  "redrawn",
  () => {
    const { spoken = "" } = (chart.check = JSON.parse(pair.firstElementChild.dataset.check)),
      ear = $("#spoken");
    clearTimeout(saying);
    saying = setTimeout(() => {
      if (ear.textContent !== spoken) ear.textContent = spoken;
    }, 1000);
  },
  pair,
);

// What lies over the chart: the sheet's corners, and a word about the camera.
const watch = new ResizeObserver(() => {
  chart.inset = {
    top: over.offsetHeight && over.offsetHeight + 12,
    bottom: grip.offsetHeight && 22,
  };
});
watch.observe(over);
watch.observe(chart);

// The sheet: half of the height or all of it, by handle, keys or pulling.
function lay(state) {
  sheet.dataset.state = state;
  grip.ariaExpanded = String(state === "full");
}
on(
  "pointerdown",
  ({ pointerId, clientY: from }) => {
    const tall = sheet.offsetHeight;
    up = 0;
    grip.setPointerCapture(pointerId);
    grip.onpointermove = ({ clientY }) => {
      up = from - clientY;
      sheet.style.cssText = `transition: none; --tall: clamp(90px, ${tall + up}px, 100% - 10px)`;
    };
  },
  grip,
);
on(
  "lostpointercapture",
  () => {
    grip.onpointermove = null;
    sheet.style.cssText = "";
    if (Math.abs(up) > 40) lay(up > 0 ? "full" : "half");
  },
  grip,
);
on(
  "click",
  ({ detail: finger }) => {
    if (!finger || Math.abs(up) < 6) lay(sheet.dataset.state === "full" ? "half" : "full");
  },
  grip,
);

on("choose", ({ detail }) => pick(detail.name), chart);
on("clear", () => choose({}), chart);
on(
  "click",
  (event) => {
    const at = event.target.closest("[data-pick], [data-battery], [data-pair]"),
      { pick: name, battery } = at?.dataset ?? {};
    if (!at) return;
    event.preventDefault();
    if (name) pick(name);
    else if (battery) {
      batteries[chosen.firer] = battery;
      choose(chosen);
    } else choose(read(at.href));
  },
  sheet,
);
on(
  "acted",
  () => {
    page.scrollTop = 0;
  },
  pair,
);
on("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented || $("dialog[open]")) return;
  if (sheet.dataset.state === "full") lay("half");
  else if (chosen.firer) pick(chosen.firer);
});
on("view", ({ detail: { ships } }) => {
  const gone = Object.values(chosen).find((name) => !ships.some((ship) => ship.name === name));
  if (gone) {
    toast(t("table.gone_ship", { name: gone }));
    choose({});
  }
});
on("popstate", () => choose(read(location), false), window);
choose(read(location), false);
