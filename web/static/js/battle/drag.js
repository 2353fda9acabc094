// The grip on the plot's map: dragged to where the ship is to be, it writes the plot that leads there.
// The server says which places a ship can reach and how; here the nearest of them is found and shown.
import { closest, fieldOf, find, findAll, listen } from "../common/dom.js";

/** @import { PlaceYards, ReachedPlace } from "../common/types.js" */
/** @typedef {(notation: string, speed: number | null) => void} Write */

const SVG = "http://www.w3.org/2000/svg";
/** A step of an arrow key, in yards; it grows until another place is nearest. */
const STEP_YARDS = 120;
const LONGER = 1.5;
const MOST_STEPS = 9;
/** Of two places almost as near, the one with the simpler plot is taken: yards for each sign. */
const SIGN_YARDS = 12;
/** @type {Record<string, PlaceYards>} */
const ARROWS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/**
 * @param {string} ship
 * @returns {Promise<ReachedPlace[]>}
 */
async function fetchPlaces(ship) {
  try {
    const query = new URLSearchParams({ ship });
    const answer = await fetch(`/api/battle/reach?${query}`, { cache: "no-store" });
    return answer.ok ? (await answer.json()).places : [];
  } catch {
    // Without the server nothing can be plotted; the next drag asks again.
    return [];
  }
}

/**
 * The place nearest to a spot, or the simplest of those that are almost as near.
 * @param {ReachedPlace[]} places
 * @param {PlaceYards} spot
 */
function nearest(places, [x, y]) {
  let best = places[0];
  let least = Infinity;
  for (const place of places) {
    const { end, notation } = place;
    const price = Math.hypot(end.x - x, end.y - y) + notation.length * SIGN_YARDS;
    if (price < least) {
      least = price;
      best = place;
    }
  }
  return best;
}

/** The map as it is drawn now, between yards and the points of its drawing. */
class PlotMap {
  /** @param {HTMLElement} frame */
  constructor(frame) {
    this.frame = frame;
    this.drawing = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (find(".plot-map", frame)));
    const { left, top, scale } = frame.dataset;
    this.left = Number(left);
    this.top = Number(top);
    this.scale = Number(scale);
  }

  /**
   * @param {PlaceYards} spot
   * @returns {PlaceYards}
   */
  pointOf([x, y]) {
    return [(x - this.left) * this.scale, (this.top - y) * this.scale];
  }

  /**
   * The place at sea under a finger.
   * @param {PointerEvent} event
   * @returns {PlaceYards}
   */
  spotUnder({ clientX, clientY }) {
    const matrix = this.drawing.getScreenCTM();
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix?.inverse());
    return [this.left + x / this.scale, this.top - y / this.scale];
  }

  /**
   * Put the grip over a place.
   * @param {HTMLElement} grip
   * @param {PlaceYards} spot
   */
  place(grip, spot) {
    const [x, y] = this.pointOf(spot);
    const matrix = this.drawing.getScreenCTM();
    const at = new DOMPoint(x, y).matrixTransform(matrix ?? undefined);
    const box = this.frame.getBoundingClientRect();
    grip.style.left = `${at.x - box.left}px`;
    grip.style.top = `${at.y - box.top}px`;
  }

  /**
   * Show the way to a place, and the ghost there, until the server draws it.
   * @param {ReachedPlace} place
   */
  show({ points, end }) {
    const line = points.map((point) => this.pointOf(point).join(" ")).join("L");
    let way = this.drawing.querySelector(".drag-way");
    if (!way) {
      way = document.createElementNS(SVG, "path");
      way.classList.add("drag-way");
      this.drawing.append(way);
    }
    way.setAttribute("d", `M${line}`);
    for (const old of findAll(".ghost.main, .way.main, .tick-mark, .factor", this.drawing)) {
      if (old.classList.contains("ghost")) {
        const [x, y] = this.pointOf([end.x, end.y]);
        old.setAttribute("transform", `translate(${x} ${y}) rotate(${end.heading})`);
      } else {
        old.setAttribute("visibility", "hidden");
      }
    }
  }
}

/**
 * @param {HTMLFormElement} form the plot pad
 * @param {HTMLElement} part what the server draws for it
 * @param {Write} write
 */
export function followFinger(form, part, write) {
  const ship = form.dataset.ship ?? "";
  /** What she can reach; asked for once. @type {Promise<ReachedPlace[]> | undefined} */
  let asked;
  /** The same once it is here. @type {ReachedPlace[]} */
  let places = [];
  /** @type {ReachedPlace | undefined} the place under the finger */
  let chosen;
  /** Whether a finger holds the grip; the part may be drawn anew meanwhile. */
  let isHeld = false;
  /** Whether the grip had the focus before the map was drawn anew. */
  let hadFocus = false;

  const findGrip = () => find("[data-grip]", part);
  const findMap = () => {
    const frame = find(".pad-map", part);
    return frame?.dataset.end ? new PlotMap(frame) : null;
  };
  /** @returns {PlaceYards} */
  const placeNow = () => {
    const [x, y] = (find(".pad-map", part)?.dataset.end ?? "").split(" ").map(Number);
    return [x, y];
  };
  const ask = async () => {
    asked ??= fetchPlaces(ship);
    places = await asked;
    if (!places.length) {
      asked = undefined;
    }
  };

  const settle = () => {
    const map = findMap();
    const grip = findGrip();
    if (map && grip) {
      grip.classList.toggle("dragged", isHeld);
      if (chosen) {
        map.show(chosen);
      }
      map.place(grip, chosen ? [chosen.end.x, chosen.end.y] : placeNow());
      if (hadFocus) {
        grip.focus({ preventScroll: true });
        hadFocus = false;
      }
    }
  };

  /** @param {PlaceYards} spot */
  const goTo = (spot) => {
    const map = findMap();
    const grip = findGrip();
    const place = nearest(places, spot);
    if (!map || !grip || !place) {
      return;
    }
    chosen = place;
    fieldOf(form, "notation").value = place.notation;
    map.show(place);
    map.place(grip, [place.end.x, place.end.y]);
  };
  const finish = () => {
    isHeld = false;
    findGrip()?.classList.remove("dragged");
    if (chosen) {
      write(chosen.notation, chosen.speed ?? null);
      chosen = undefined;
    }
  };

  part.addEventListener("pointerdown", (event) => {
    const grip = closest(event, "[data-grip]");
    if (!grip) {
      return;
    }
    event.preventDefault();
    isHeld = true;
    grip.focus({ preventScroll: true });
    // The grip may be drawn anew, what it is part of is not.
    part.setPointerCapture(event.pointerId);
    settle();
    ask();
  });
  part.addEventListener("pointermove", (event) => {
    if (isHeld && places.length) {
      goTo(findMap()?.spotUnder(event) ?? placeNow());
    }
  });
  part.addEventListener("pointerup", finish);
  part.addEventListener("pointercancel", finish);
  part.addEventListener("keydown", async (event) => {
    const grip = closest(event, "[data-grip]");
    const way = ARROWS[event.key];
    if (!grip || !way) {
      return;
    }
    event.preventDefault();
    await ask();
    const [x, y] = placeNow();
    const here = nearest(places, [x, y]);
    let step = STEP_YARDS;
    for (let tries = 0; tries < MOST_STEPS && (!chosen || chosen === here); tries += 1) {
      goTo([x + way[0] * step, y + way[1] * step]);
      step *= LONGER;
    }
    hadFocus = true;
    finish();
  });
  listen("redrawn", settle, part);
  addEventListener("resize", settle);
  settle();
}
