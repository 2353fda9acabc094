// The layer of fields of fire: what the chosen ship can fire into. The server computes it, the chart draws it.

/** @import { BatteryField, Outline, PlaceYards } from "../common/types.js" */
/** @import { DreyerChart } from "./chart.js" */

/**
 * One closed ring of a path.
 * @param {PlaceYards[]} places
 */
function ringPath(places) {
  return `M${places.map(([x, y]) => `${x} ${y}`).join("L")}Z`;
}

/**
 * A path about some areas and the holes in them.
 * @param {Outline[]} outlines
 */
function areaPath(outlines) {
  return outlines.map(({ outer, holes }) => [outer, ...holes].map(ringPath).join("")).join("");
}

/**
 * @param {string} ship
 * @returns {Promise<BatteryField[]>}
 */
async function fetchFields(ship) {
  try {
    const query = new URLSearchParams({ ship });
    const answer = await fetch(`/api/fields-of-fire?${query}`, { cache: "no-store" });
    return answer.ok ? (await answer.json()).batteries : [];
  } catch {
    // Without the server there is nothing to show; the next view asks again.
    return [];
  }
}

export class FieldsOfFire {
  /** The batteries of the ship that was asked for last. @type {BatteryField[]} */
  batteries = [];

  /** The battery that is shown; the first where the ship has no such one. */
  #shown = "";

  /** What was last asked for: the number of the view and the ship. */
  #asked = "";

  /** @type {string | null | undefined} */
  #ship = null;

  #chart;

  /** @param {DreyerChart} chart */
  constructor(chart) {
    this.#chart = chart;
  }

  /** Ask for the fields of the chosen ship, if they are wanted and not here yet. */
  async follow() {
    const { settings, view, selection } = this.#chart;
    const mayMeasure = view?.you.may.measure === "yes";
    const ship = settings.fields && mayMeasure ? selection.firer : null;
    const asked = ship ? `${view?.seq} ${ship}` : "";
    if (asked === this.#asked) {
      return;
    }
    // The fields of another ship go at once; her own stay until the new ones are here.
    if (!ship || this.#ship !== ship) {
      this.batteries = [];
    }
    this.#asked = asked;
    this.#ship = ship;
    if (!ship) {
      return;
    }
    const batteries = await fetchFields(ship);
    if (this.#asked === asked) {
      this.batteries = batteries;
      this.#chart.draw();
      // Once their buttons are there, which may be over a ship that is chosen.
      requestAnimationFrame(() => this.#chart.keepChosenInView());
    }
  }

  /** @param {string} battery */
  show(battery) {
    this.#shown = battery;
    this.#chart.draw();
  }

  get #battery() {
    return this.batteries.find(({ battery }) => battery === this.#shown) ?? this.batteries[0];
  }

  /** The areas as paths, nearest band first: what is clear, and what lies beyond smoke. */
  get paths() {
    const paths = (this.#battery?.bands ?? []).flatMap((band, place) => [
      { d: areaPath(band.clear), class: place % 2 ? "odd" : "even" },
      { d: areaPath(band.through_smoke), class: "beyond-smoke" },
    ]);
    return paths.filter(({ d }) => d);
  }

  /** A button for each battery. */
  get buttons() {
    return this.batteries.map(({ battery, title }) => ({
      type: "button",
      "data-battery": battery,
      "aria-pressed": battery === this.#battery.battery,
      text: title,
    }));
  }
}
