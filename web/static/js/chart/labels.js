// Places for the words on the chart, so that they keep apart: first come, first served.
import { boxAbout, clamp, cosine, distance, pointBetween, sine } from "../common/geometry.js";

/** @import { Point } from "../common/types.js" */
/** @import { Box } from "../common/geometry.js" */

/**
 * A place that words may have, and how they are turned there.
 * @typedef {Box & { turnDeg?: number }} Spot
 *
 * The places for words of this size, the best first.
 * @typedef {(width: number, height: number) => Spot[]} SpotsFor
 */

/** Directions about something, the best first. */
const DIRECTIONS_DEG = [90, 270, 180, 0, 130, 230, 50, 310, 155, 205, 25, 335];
/** What a pixel beyond the edge costs, against a square pixel on something else. */
const BEYOND_EDGE = 40;
/** Words that need not be shown are hidden rather than put onto something else. */
const NEARLY_FREE = 0.01;
/** A line takes a row of boxes of this size. */
const LINE_BOX = 9;
const LINE_STEP = 12;
const MOST_LINE_BOXES = 150;

/** Which of its places each label had last. @type {WeakMap<HTMLElement, number>} */
const lastPlaces = new WeakMap();

/**
 * How far two lengths about two middles overlap; 0 where they do not.
 * @param {number} gap between the middles
 * @param {number} length
 * @param {number} other
 */
function overlap(gap, length, other) {
  return Math.max((length + other) / 2 - Math.abs(gap), 0);
}

/** What is still free on the chart. */
export class FreeSpace {
  /** @type {Box[]} */
  #taken = [];

  /** @param {Box} edge words keep inside it */
  constructor(edge) {
    this.edge = edge;
  }

  /** @param {Box[]} boxes */
  take(...boxes) {
    this.#taken.push(...boxes);
  }

  /**
   * @param {Point} from
   * @param {Point} to
   */
  takeLine(from, to) {
    const count = Math.min(distance(from, to) / LINE_STEP, MOST_LINE_BOXES);
    for (let place = 0; place < count; place += 1) {
      this.take(boxAbout(pointBetween(from, to, place / count), LINE_BOX));
    }
  }

  /**
   * How bad a place is: 0 where it is free. It is not added up further than `most`.
   * @param {Spot} spot
   * @param {number} most
   */
  #cost({ x, y, width, height }, most) {
    const { edge } = this;
    const aside = Math.max(Math.abs(x - edge.x) + (width - edge.width) / 2, 0);
    const above = Math.max(Math.abs(y - edge.y) + (height - edge.height) / 2, 0);
    let cost = BEYOND_EDGE * (aside + above);
    for (const taken of this.#taken) {
      if (cost > most) {
        break;
      }
      cost += overlap(x - taken.x, width, taken.width) * overlap(y - taken.y, height, taken.height);
    }
    return cost;
  }

  /**
   * Put words into the first free place, last time's first; else into the least bad, or hide them.
   * @param {HTMLElement} label
   * @param {SpotsFor} spotsFor
   * @param {boolean} [isNeeded] whether they are shown even where nothing is free
   */
  place(label, spotsFor, isNeeded = false) {
    const spots = spotsFor(label.offsetWidth, label.offsetHeight);
    const lastSpot = spots[lastPlaces.get(label) ?? -1];
    /** @type {Spot | null} */
    let best = null;
    let leastCost = isNeeded ? Infinity : NEARLY_FREE;
    for (const spot of lastSpot ? [lastSpot, ...spots] : spots) {
      const cost = this.#cost(spot, leastCost);
      if (cost < leastCost) {
        best = spot;
        leastCost = cost;
      }
      if (cost === 0) {
        break;
      }
    }
    if (!best) {
      lastPlaces.delete(label);
      label.style.cssText = "visibility: hidden";
      return;
    }
    lastPlaces.set(label, spots.indexOf(best));
    const { x, y, turnDeg = 0 } = best;
    label.style.cssText = `transform: translate(${x}px, ${y}px) translate(-50%, -50%) rotate(${turnDeg}deg)`;
    this.take(best);
  }

  /**
   * Places about a box for words of this size, at these gaps from it.
   * @param {Box} box
   * @param {number} width
   * @param {number} height
   * @param {number[]} gaps
   * @returns {Spot[]}
   */
  spotsAbout(box, width, height, gaps) {
    const { edge } = this;
    const room = (edge.width - width) / 2;
    /** @param {number} part */
    const squared = (part) => clamp(1.3 * part, -1, 1);
    /**
     * @param {number} gap
     * @param {number} directionDeg
     */
    const spotAt = (gap, directionDeg) => {
      const aside = squared(sine(directionDeg)) * ((box.width + width) / 2 + gap);
      const above = squared(cosine(directionDeg)) * ((box.height + height) / 2 + gap * 0.7);
      const x = clamp(box.x + aside, edge.x - room, edge.x + room);
      return boxAbout({ x, y: box.y - above }, width, height);
    };
    return gaps.flatMap((gap) => DIRECTIONS_DEG.map((directionDeg) => spotAt(gap, directionDeg)));
  }
}
