// Joining: whether the code is right, and who sits where, is asked for as soon as there is a code.
// During a battle one waits here to be let in.
import { find, findAll, mustFind } from "../common/dom.js";
import { act } from "../page/act.js";

const CODE_LETTERS = 6;

const WAITING_MS = 1500;

/** The code that was asked for last: a right or wrong one is asked for once. */
let asked = "";

/** @param {{ place: string, names: string[] }[]} people */
function showPeople(people) {
  const names = new Map(people.map((each) => [each.place, each.names]));
  for (const line of findAll("[data-people]")) {
    const seated = names.get(line.dataset.people ?? "");
    if (seated) {
      line.textContent = seated.join(", ");
    }
    line.hidden = false;
  }
}

/** @param {HTMLInputElement} code */
async function tryCode(code) {
  const fits = mustFind("#code-fits");
  const wrong = mustFind("#code-wrong");
  const typed = code.value.replaceAll(/[\s-]/g, "");
  if (typed.length < CODE_LETTERS || typed === asked) {
    return;
  }
  asked = typed;
  try {
    const { people } = await act("POST", "/api/join/code", { code: code.value });
    showPeople(people);
    fits.hidden = false;
    wrong.hidden = true;
  } catch {
    fits.hidden = true;
    wrong.hidden = false;
  }
}

async function lookWhetherLetIn() {
  const answer = await fetch("/api/join/waiting").catch(() => null);
  const { state } = answer?.ok ? await answer.json() : { state: "waiting" };
  if (state === "waiting") {
    setTimeout(lookWhetherLetIn, WAITING_MS);
  } else {
    location.assign(state === "seated" ? "/battle" : "/join?refused");
  }
}

/** @type {HTMLInputElement | null} */
const code = find("#code");
if (code) {
  code.addEventListener("change", () => tryCode(code));
  tryCode(code);
} else {
  lookWhetherLetIn();
}
