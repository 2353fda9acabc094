// Ships by hand: dragged on the chart or by exact figures, each showing the other.
import { ask, attempt, toast } from "./act.js";
import { live } from "./live.js";
import { $, on, t } from "./strings.js";

const [chart, lists, why, tip] = ["#chart", "#lists", "#why", "#tip"].map((name) => $(name));
let chosen = null,
  added = null,
  smoke = null; // the ends of a front that is being laid

const shipOf = (name) => live.view?.ships.find((each) => each.name === name);
const pieceOf = (name) => $(`[data-ship="${CSS.escape(name)}"]`, lists);
const toPlace = () => shipOf(chosen)?.placed === false;

function show() {
  chart.editing = Boolean(tip);
  if (!tip) return;
  const words = smoke
    ? t(`ships.smoke_${smoke.length}`)
    : toPlace()
      ? t("ships.tap", { name: chosen })
      : "";
  if (tip.textContent !== words) tip.textContent = words;
  chart.laying = smoke;
}

function lay(ends) {
  smoke = ends;
  show();
}

function select(name) {
  chosen = name;
  chart.selection = { firer: name };
  show();
  const piece = name ? pieceOf(name) : $("[data-ship][open]", lists);
  if (!piece || piece.open === Boolean(name)) return;
  piece.open = Boolean(name);
  piece.scrollIntoView({ block: "nearest" });
}

async function moved({ name, x, y, heading }) {
  const { source, state } = shipOf(name),
    body = { x, y, heading };
  if (source === "camera" && ["settled", "moving"].includes(state)) {
    $("form", why).reset();
    body.reason = await ask(why, t("ships.against", { name }));
    if (body.reason === "typed") body.reason = $("input", why).value.trim();
    if (!body.reason) return chart.release(name);
  }
  select(name);
  if (await attempt("POST", `/api/ships/${encodeURIComponent(name)}/place`, body))
    toast(t("ships.placed", { name }), "good");
  else chart.release(name);
}

// Two taps on the water lay a smoke front.
async function point({ x, y }) {
  const [from] = smoke;
  lay(from ? null : [{ x, y }]);
  if (from && (await attempt("POST", "/api/smoke", { x1: from.x, y1: from.y, x2: x, y2: y })))
    toast(t("ships.smoke_laid"), "good");
}

on("choose", ({ detail: { name } }) => select(chosen === name ? null : name), chart);
on(
  "clear",
  () => {
    if (smoke) lay(null);
    else if (!toPlace()) select(null);
  },
  chart,
);
on("moved", ({ detail }) => moved(detail), chart);
// A tap on the water puts down a chosen ship that is not there yet.
on(
  "point",
  ({ detail }) => {
    if (smoke) point(detail);
    else if (toPlace())
      moved({
        ...detail,
        name: chosen,
        heading: Number($("[name=heading]", pieceOf(chosen)).value),
      });
  },
  chart,
);
on(
  "toggle",
  ({
    target: {
      open,
      dataset: { ship },
    },
  }) => {
    if (ship && open !== (ship === chosen)) select(open ? ship : null);
  },
  lists,
  true,
);
// A ship that was added is chosen once she is in the list.
on(
  "acted",
  ({ target }) => {
    if (target.dataset.act === "POST /api/ships") added = target.elements.name.value.trim();
  },
  lists,
);
on(
  "redrawn",
  () => {
    if (added && pieceOf(added)) added = select(added);
  },
  lists,
);
on(
  "click",
  ({ target }) => {
    if (target.closest("[data-smoke]")) {
      lay([]);
      $(".sheet", chart).focus();
    }
  },
  lists,
);
on("view", show);
if (live.view) show();
