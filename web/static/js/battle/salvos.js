// Salvos and announcements as they happen, on every page: over what is there, gone by themselves or with a tap.
import { announce, closest, find, findAll, listen, mustFind } from "../common/dom.js";
import { t } from "../common/strings.js";
import { fetchPart } from "../page/parts.js";
import { isStill, play, signal, switches, vibrate } from "../page/signals.js";
import { SalvoShow } from "./salvo.js";

/** @import { TableView } from "../common/types.js" */
/** @import { DreyerChart } from "../chart/chart.js" */
/** @import { Stage } from "./salvo.js" */

/** The newest action that this tab has shown, and of which battle. */
const STORE = "dreyer-happened";
const HITS_HEARD = 3;
const HIT_SECONDS = 0.18;
/** Between a card and the chart above it. */
const ROOM_PX = 24;

const box = mustFind("#salvos");

/** What of a salvo is heard and felt, by its stages. @type {Partial<Record<Stage, (card: DOMStringMap) => void>>} */
const HEARD = {
  line: ({ weapon }) => (weapon === "guns" ? signal("gun") : play("splash")),
  dice: () => play("dice"),
  fall: ({ hits = "0" }) => {
    const count = Math.min(Number(hits), HITS_HEARD);
    for (let hit = 0; hit < count; hit += 1) {
      play("hit", hit * HIT_SECONDS);
    }
    if (count) {
      vibrate("hit");
    } else {
      play("splash");
    }
  },
  news: ({ news }) => {
    if (news === "sunk") {
      signal("sunk");
    } else if (news === "ended") {
      signal("turn");
    } else {
      signal("hit");
    }
  },
};

/** @param {HTMLElement} card */
function tell(card) {
  const { said = "" } = card.dataset;
  mustFind("[data-words]", box).textContent = said;
  if (box.dataset.reads !== undefined && switches().speech && "speechSynthesis" in window) {
    const spoken = new SpeechSynthesisUtterance(said);
    spoken.lang = document.documentElement.lang;
    speechSynthesis.speak(spoken);
  }
}

/** What of a television's chart the cards cover, in pixels. */
let covered = 0;

/**
 * A picture that nobody can touch shows all ships beside the cards.
 * @param {number} height of a card; 0 once the last is gone
 */
function makeRoom(height) {
  /** @type {DreyerChart | null} */
  const chart = find("dreyer-chart[data-picture]");
  const wanted = height && Math.max(height + ROOM_PX, covered);
  if (chart && wanted !== covered) {
    covered = wanted;
    chart.inset = { top: 0, bottom: wanted };
  }
}

/** @param {HTMLElement} card */
function remember(card) {
  const n = card.dataset.n ?? "";
  // Of one action, what has not begun is shown again by the next page.
  if (show.waiting[0]?.dataset.n !== n) {
    keep(Number(n));
  }
}

let battle = "";

/** @param {number} n */
function keep(n) {
  sessionStorage.setItem(STORE, JSON.stringify({ n, battle }));
}

/** The newest action that was shown of this battle; undefined if the tab has seen none of it. */
function kept() {
  /** @type {{ n: number, battle: string }} */
  const stored = JSON.parse(sessionStorage.getItem(STORE) ?? "{}");
  return stored.battle === battle ? stored.n : undefined;
}

const show = new SalvoShow(mustFind("[data-cards]", box), {
  isStill,
  onStage: (card, stage) => {
    HEARD[stage]?.(card.dataset);
    const { from = "", to = "", weapon = "", hits = "0" } = card.dataset;
    announce("salvo", { stage, from, to, weapon, hits: Number(hits) });
  },
  onCard: (card, waiting) => {
    box.hidden = !card;
    makeRoom(card ? box.offsetHeight : 0);
    for (const button of findAll("[data-skip=all]", box)) {
      button.hidden = waiting === 0;
      button.textContent = t("salvo.skip_all", { n: waiting + 1 });
    }
    if (card && card !== lastTold) {
      lastTold = card;
      tell(card);
      remember(card);
    }
    if (!card) {
      // Nothing of one battle stays for the next.
      mustFind("[data-words]", box).textContent = "";
      announce("salvo", null);
      tellAllShown();
    }
  },
});
/** @type {HTMLElement | null} */
let lastTold = null;
let isFetching = false;
/** The newest view of the table. @type {TableView | null} */
let seen = null;

/** The part of the page with a request to undo; a picture that nobody can touch has none. */
const asked = find('[data-live="/battle/ask"]');

/** Whether somebody asks to undo: cards would cover the request, and wait until it is answered. */
function isAsked() {
  return Boolean(asked && find("[role=alertdialog]", asked));
}

/** Whether no card is shown, waits or is on its way. */
export function areAllShown() {
  return !isFetching && !show.card;
}

/** Say that all cards have been shown; a television waits for them before the replay. */
function tellAllShown() {
  if (areAllShown()) {
    announce("allShown", null);
  }
}

/** Take the cards away, the one that is shown too: all of its action is shown again later. */
function putAside() {
  const { card } = show;
  if (card) {
    stopTelling();
    show.skipAll();
    keep(Number(card.dataset.n) - 1);
  }
}

/** @param {TableView} view */
async function follow(view) {
  seen = view;
  const { happened } = view;
  battle = view.battle?.title ?? "";
  const known = kept();
  // A tab that comes new to the battle, or back after an undo, has nothing to catch up with.
  if (known === undefined || happened < known) {
    keep(happened);
    return;
  }
  const newest = Number([show.card, ...show.waiting].at(-1)?.dataset.n ?? known);
  if (isFetching || isAsked() || happened <= newest) {
    return;
  }
  isFetching = true;
  try {
    const fresh = await fetchPart(`${box.dataset.salvos}?after=${newest}`);
    const cards = findAll(".salvo-card", fresh);
    if (cards.length === 0) {
      keep(happened);
    }
    if (!isAsked()) {
      show.add(cards);
    }
  } catch {
    // The next view asks again.
  }
  isFetching = false;
  tellAllShown();
}

function stopTelling() {
  if ("speechSynthesis" in window) {
    speechSynthesis.cancel();
  }
}

/** @param {boolean} isAll whether those that wait are not shown either */
function skip(isAll) {
  stopTelling();
  if (isAll) {
    show.skipAll();
  } else {
    show.skip();
  }
}

listen("view", follow);
if (asked) {
  listen(
    "redrawn",
    () => {
      if (isAsked()) {
        putAside();
      } else if (seen) {
        follow(seen);
      }
    },
    asked,
  );
}
box.addEventListener("click", (event) => skip(Boolean(closest(event, "[data-skip=all]"))));
document.addEventListener("keydown", ({ key, shiftKey }) => {
  if (key === "Escape" && show.card) {
    skip(shiftKey);
  }
});
