// The layer of fields of fire: what the chosen ship can fire into. The server computes it, the chart draws it.

/**
 * @typedef {[number, number]} Place in yards
 * @typedef {{ outer: Place[], holes: Place[][] }} Outline
 * @typedef {{ title: string, outer_yards: number, clear: Outline[], through_smoke: Outline[] }} Band
 * @typedef {{ battery: string, title: string, bands: Band[] }} Battery
 */

/** One closed ring of a path. @param {Place[]} places */
const ring = (places) => `M${places.map(([x, y]) => `${x} ${y}`).join("L")}Z`;

/** A path about some areas and the holes in them. @param {Outline[]} outlines */
const area = (outlines) =>
  outlines.map(({ outer, holes }) => [outer, ...holes].map(ring).join("")).join("");

export class FieldsOfFire {
  /** The batteries of the ship that `asked` names. @type {Battery[]} */
  batteries = [];

  /** The battery that is shown, as its ship's list calls it; the first where she has no such one. */
  shown = "";

  /** What was last asked for: the ship and the number of the view. */
  asked = "";

  /** @param {HTMLElement} chart */
  constructor(chart) {
    this.chart = chart;
  }

  /** Ask for the fields of the chosen ship, if they are wanted and not here yet. */
  async follow() {
    const {
      kept,
      given: { view, selection },
    } = this.chart;
    const wanted = kept.fields && view?.you.may.measure === "yes" && selection.firer;
    const asked = wanted ? `${view.seq} ${selection.firer}` : "";
    if (asked === this.asked) return;
    // The fields of another ship go at once; her own stay until the new ones are here.
    if (!wanted || this.ship !== selection.firer) this.batteries = [];
    this.asked = asked;
    this.ship = selection.firer;
    if (!wanted) return;
    const batteries = await this.#fetch(selection.firer);
    if (this.asked !== asked) return;
    this.batteries = batteries;
    this.chart.draw();
  }

  async #fetch(ship) {
    try {
      const answer = await fetch(`/api/fields-of-fire?${new URLSearchParams({ ship })}`, {
        cache: "no-store",
      });
      return answer.ok ? (await answer.json()).batteries : [];
    } catch {
      // Without the server there is nothing to show; the next view asks again.
      return [];
    }
  }

  /** @param {string} battery */
  show(battery) {
    this.shown = battery;
    this.chart.draw();
  }

  get #battery() {
    return this.batteries.find(({ battery }) => battery === this.shown) ?? this.batteries[0];
  }

  /** The areas as paths, nearest band first: what is clear, and what lies beyond smoke. */
  get paths() {
    const bands = this.#battery?.bands ?? [];
    return bands
      .flatMap(({ clear, through_smoke: smoke }, number) => [
        { d: area(clear), class: number % 2 ? "odd" : "even" },
        { d: area(smoke), class: "beyond-smoke" },
      ])
      .filter(({ d }) => d);
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
