// Dice typed on big keys: the coloured die, then the white one; the last figure sends them.
import { act, toast } from "./act.js";
import { live } from "./live.js";
import { showParts } from "./shell.js";
import { $, $$, on } from "./strings.js";

const part = $("#dice"),
  pad = () => $("#pad");
let first = "",
  number,
  done,
  sent = -1000,
  fire;

function show(second = "") {
  const box = pad();
  if (box?.dataset.number !== number) {
    number = box?.dataset.number;
    first = done = "";
  }
  if (!box) return;
  // What was entered stays so, even where the page is drawn once more.
  box.inert = number === done;
  const outlook = JSON.parse(box.dataset.outlook),
    ask = $("[data-ask]", box);
  const figures = box.dataset.kind === "pair" ? [first, second] : [second];
  $$(".die", box).forEach((die, place) => {
    die.textContent = figures[place];
    die.classList.toggle("next", place === figures.indexOf(""));
    die.classList.toggle("full", !!figures[place]);
  });
  ask.textContent = first ? ask.dataset.white : ask.dataset.first;
  for (const key of $$("[data-figure]", box))
    key.lastChild.textContent = outlook[first + key.dataset.figure] ?? "";
  for (const erase of $$("[data-erase]", box)) erase.disabled = !first;
}

async function press(figure) {
  const box = pad();
  if (!box || box.inert) return;
  if (box.dataset.kind === "pair" && !first) {
    first = figure;
    return show();
  }
  sent = performance.now();
  show(figure);
  box.inert = true;
  try {
    await act("POST", "/api/battle/play", {
      kind: "dice",
      data: { values: [first + figure], from: Number(number) },
    });
    done = box.dataset.number;
  } catch (error) {
    toast(error.message, "harm");
    number = null;
    show();
  }
  showParts(live.view, part);
}

on(
  "redrawn",
  () => {
    if (fire !== (fire = $("#now-fire")?.textContent)) scrollTo(0, 0);
    show();
  },
  part,
);
on(
  "click",
  (event) => {
    const button = event.target.closest("#pad button");
    if (!button) return;
    // The second half of a double tap must not fall on the next roll.
    if (performance.now() - sent < 350) return event.stopPropagation();
    if (button.dataset.figure) press(button.dataset.figure);
    else if (button.dataset.act) sent = performance.now();
    else {
      first = "";
      show();
    }
  },
  part,
  true,
);
on("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || $("dialog[open]")) return;
  if (/^[1-6]$/.test(event.key)) press(event.key);
  else if (event.key === "Backspace") {
    first = "";
    show();
  }
});
show();
