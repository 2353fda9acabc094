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
/** A name so many pixels from her ship has a line; so has one that is about as near to another. */
const FAR = 26;
const RIVAL = 1.2;

/** Which of its places each label had last. @type {WeakMap<HTMLElement, number>} */
const lastPlaces = new WeakMap();

/** How far from her ship each name was last. @type {WeakMap<HTMLElement, Point>} */
const lastSteps = new WeakMap();

/**
 * Values about a middle, evenly apart.
 * @param {number} middle
 * @param {number} room
 * @param {number} step
 */
function stepsBetween(middle, room, step) {
  if (room < 0) {
    return [];
  }
  const count = Math.ceil(room / step) || 1;
  return Array.from({ length: count + 1 }, (_, place) => middle + room * (place / count - 0.5));
}

/**
 * The line from a name to her ship, where it could be taken for another's; else nothing.
 * @param {Box} spot of the name
 * @param {Box} hull
 * @param {Iterable<Point>} others where all ships are
 * @returns {[Point, Point] | null}
 */
export function leaderOf(spot, hull, others) {
  const [halfWidth, halfHeight] = [spot.width / 2, spot.height / 2];
  /** @param {Point} point */
  const nearest = ({ x, y }) => ({
    x: clamp(x, spot.x - halfWidth, spot.x + halfWidth),
    y: clamp(y, spot.y - halfHeight, spot.y + halfHeight),
  });
  const edge = nearest(hull);
  const away = distance(edge, hull);
  if (away <= hull.width / 2 + 2) {
    return null;
  }
  const isFar = away > hull.width / 2 + FAR;
  const isRivalled = [...others].some(
    (other) => distance(other, hull) > 1 && distance(nearest(other), other) < RIVAL * away,
  );
  return isFar || isRivalled ? [edge, pointBetween(hull, edge, hull.width / 4 / away)] : null;
}

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

  /**
   * @param {Box} edge words keep inside it
   * @param {Box} [room] where names may be that find no place inside it
   */
  constructor(edge, room = edge) {
    this.edge = edge;
    this.room = room;
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
   * @param {Box} edge
   */
  #cost({ x, y, width, height }, most, edge) {
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
    const best = this.#best(lastSpot ? [lastSpot, ...spots] : spots, isNeeded);
    if (!best) {
      lastPlaces.delete(label);
      label.style.cssText = "visibility: hidden";
      return;
    }
    lastPlaces.set(label, spots.indexOf(best));
    this.#put(label, best);
  }

  /**
   * Put a ship's name beside her, or where there is room for it; null where it is hidden.
   * @param {HTMLElement} label
   * @param {Box} hull
   * @param {number[]} gaps
   * @param {boolean} isNeeded
   * @returns {Spot | null}
   */
  placeName(label, hull, gaps, isNeeded) {
    const { offsetWidth: width, offsetHeight: height } = label;
    const near = this.spotsAbout(hull, width, height, gaps);
    const last = lastSteps.get(label);
    const lastSpot = last && boxAbout({ x: hull.x + last.x, y: hull.y + last.y }, width, height);
    const stays = lastSpot && near.some((spot) => distance(spot, lastSpot) < 1);
    let best = this.#best(stays ? [lastSpot, ...near] : near, false);
    if (!best && isNeeded && this.#shows(hull)) {
      const spots = this.#spotsAnywhere(hull, width, height);
      best = this.#best(lastSpot ? [lastSpot, ...spots] : spots, false, this.room);
    }
    best ??= isNeeded ? this.#best(near, true) : null;
    if (!best) {
      lastSteps.delete(label);
      label.style.cssText = "visibility: hidden";
      return null;
    }
    lastSteps.set(label, { x: best.x - hull.x, y: best.y - hull.y });
    this.#put(label, best);
    return best;
  }

  /**
   * The first spot that is free, or if need be the least bad.
   * @param {Spot[]} spots
   * @param {boolean} isNeeded
   * @param {Box} [edge]
   */
  #best(spots, isNeeded, edge = this.edge) {
    /** @type {Spot | null} */
    let best = null;
    let leastCost = isNeeded ? Infinity : NEARLY_FREE;
    for (const spot of spots) {
      const cost = this.#cost(spot, leastCost, edge);
      if (cost < leastCost) {
        best = spot;
        leastCost = cost;
      }
      if (cost === 0) {
        break;
      }
    }
    return best;
  }

  /**
   * @param {HTMLElement} label
   * @param {Spot} spot
   */
  #put(label, spot) {
    const { x, y, turnDeg = 0 } = spot;
    label.style.cssText = `transform: translate(${x}px, ${y}px) translate(-50%, -50%) rotate(${turnDeg}deg)`;
    this.take(spot);
  }

  /**
   * Whether any of a box can be seen: at the very edge of the table, too.
   * @param {Box} box
   */
  #shows({ x, y, width, height }) {
    const { room } = this;
    return (
      overlap(x - room.x, width, room.width) > 0 && overlap(y - room.y, height, room.height) > 0
    );
  }

  /**
   * Places all over for words of this size, the nearest to a box first.
   * @param {Box} box
   * @param {number} width
   * @param {number} height
   * @returns {Spot[]}
   */
  #spotsAnywhere(box, width, height) {
    const { room } = this;
    const columns = stepsBetween(room.x, room.width - width, width / 4);
    const rows = stepsBetween(room.y, room.height - height, height / 3);
    const spots = columns.flatMap((x) => rows.map((y) => boxAbout({ x, y }, width, height)));
    /** @param {Spot} spot */
    const away = (spot) =>
      Math.hypot(
        Math.max(Math.abs(spot.x - box.x) - width / 2, 0),
        Math.max(Math.abs(spot.y - box.y) - height / 2, 0),
      );
    return spots
      .map((spot) => ({ spot, far: away(spot) }))
      .sort((one, other) => one.far - other.far)
      .map(({ spot }) => spot);
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
