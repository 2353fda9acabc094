// Fingers, mouse, wheel and keys on the chart.
import { distance, ORIGIN, pointBetween, shortTurn, slopeDegrees } from "../common/geometry.js";

/** @import { Point } from "../common/types.js" */
/** @import { DreyerChart, Grip } from "./chart.js" */

/** @type {Record<string, Point>} */
const ARROWS = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};
/** Keys that turn a ship, in degrees. @type {Record<string, number>} */
const TURNS_DEG = { "[": -1, "]": 1, "{": -10, "}": 10 };
/** @type {Record<string, number>} */
const ZOOMS = { "+": 1.4, "=": 1.4, "-": 0.7 };
/** A finger that moves less than this taps. */
const TAP_PIXELS = 6;
/** A pinch always turns a little: less than this does not count. */
const LEAST_TURN_DEG = 12;
/** How far an arrow moves the chart. */
const ARROW_PIXELS = 60;
/** How far keys move a ship, in parts of her base. */
const NUDGE = 0.1;
const LONG_NUDGE = 1;
/** Pixels of a line, for wheels that count lines. */
const LINE_PIXELS = 18;
/** A pinch on a touchpad comes as a slow wheel with the control key. */
const TOUCHPAD_PINCH = 5;

class Gestures {
  /** Where each finger is, by the number of its pointer. @type {Map<number, Point>} */
  #fingers = new Map();

  /** Where the first finger came down. */
  #start = ORIGIN;

  #hasMoved = false;

  /** How far two fingers have turned the chart. */
  #turnedDeg = 0;

  /** The ship or knob that a finger has hold of. @type {Grip | null} */
  #grip = null;

  #chart;

  #sheet;

  /** @param {DreyerChart} chart */
  constructor(chart) {
    this.#chart = chart;
    this.#sheet = chart.parts.sheet;
    this.#sheet.onpointerdown = (event) => this.#press(event);
    this.#sheet.onpointermove = (event) => this.#move(event);
    this.#sheet.onpointerup = (event) => this.#lift(event);
    this.#sheet.onpointercancel = (event) => this.#lift(event);
    this.#sheet.onwheel = (event) => this.#wheel(event);
    this.#sheet.onkeydown = (event) => this.#key(event);
  }

  /**
   * Where an event happened, in pixels of the chart.
   * @param {MouseEvent} event
   * @returns {Point}
   */
  #pointOf({ clientX, clientY }) {
    const { left, top } = this.#sheet.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  #letGo() {
    if (this.#grip) {
      this.#chart.release(this.#grip.name);
    }
    this.#grip = null;
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (event.button > 0 || !this.#chart.viewport) {
      return;
    }
    this.#sheet.setPointerCapture(event.pointerId);
    const point = this.#pointOf(event);
    this.#fingers.set(event.pointerId, point);
    this.#hasMoved = this.#fingers.size > 1;
    if (this.#hasMoved) {
      this.#letGo();
      return;
    }
    this.#start = point;
    this.#turnedDeg = 0;
    this.#grip = this.#chart.grip(point);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const point = this.#pointOf(event);
    const isTap = !this.#hasMoved && distance(this.#start, point) < TAP_PIXELS;
    if (!this.#fingers.has(event.pointerId) || isTap) {
      return;
    }
    const before = [...this.#fingers.values()];
    this.#hasMoved = true;
    this.#fingers.set(event.pointerId, point);
    const after = [...this.#fingers.values()];
    if (this.#grip) {
      this.#grip.move(point);
    } else if (after.length === 1) {
      this.#chart.look(before[0], point);
    } else if (after.length === 2) {
      this.#pinch(before, after);
    }
  }

  /**
   * Two fingers move, zoom and turn the chart.
   * @param {Point[]} before
   * @param {Point[]} after
   */
  #pinch([firstBefore, secondBefore], [firstAfter, secondAfter]) {
    const turnDeg = shortTurn(
      slopeDegrees(firstBefore, secondBefore),
      slopeDegrees(firstAfter, secondAfter),
    );
    this.#turnedDeg += turnDeg;
    this.#chart.look(
      pointBetween(firstBefore, secondBefore, 0.5),
      pointBetween(firstAfter, secondAfter, 0.5),
      distance(firstAfter, secondAfter) / distance(firstBefore, secondBefore),
      this.#isTurning ? turnDeg : 0,
    );
  }

  get #isTurning() {
    return Math.abs(this.#turnedDeg) > LEAST_TURN_DEG;
  }

  /** @param {PointerEvent} event */
  #lift(event) {
    if (!this.#fingers.delete(event.pointerId) || this.#fingers.size > 0) {
      return;
    }
    if (event.type === "pointercancel") {
      this.#letGo();
    } else if (!this.#hasMoved) {
      this.#tap(this.#start);
    } else if (this.#grip) {
      this.#chart.moved(this.#grip.name);
    } else if (this.#isTurning && this.#chart.viewport) {
      this.#chart.turned = this.#chart.viewport.heading;
    }
    this.#grip = null;
  }

  /** @param {Point} point */
  #tap(point) {
    const mark = this.#chart.laying ? null : this.#chart.shipAt(point);
    if (mark) {
      this.#chart.announce("choose", { name: mark.ship.name });
    } else {
      this.#chart.tapSea(point);
    }
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode ? LINE_PIXELS : 1);
    const speed = event.ctrlKey ? TOUCHPAD_PINCH : 1;
    const point = this.#pointOf(event);
    this.#chart.look(point, point, Math.exp((-pixels * speed) / 500));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (this.#obeyKey(event)) {
      event.preventDefault();
    }
  }

  /**
   * Do what a key says; false where it says nothing.
   * @param {KeyboardEvent} event
   */
  #obeyKey({ key, shiftKey, target }) {
    const chart = this.#chart;
    const { ship } = /** @type {HTMLElement} */ (target).dataset;
    const arrow = ARROWS[key];
    if (key === "Escape") {
      if (this.#grip) {
        this.#letGo();
      } else {
        chart.announce("clear", undefined);
      }
    } else if (ship && (key === "Enter" || key === " ")) {
      chart.announce("choose", { name: ship });
    } else if (ship && chart.editing && (arrow || TURNS_DEG[key])) {
      chart.nudge(ship, arrow ?? ORIGIN, shiftKey ? LONG_NUDGE : NUDGE, TURNS_DEG[key] ?? 0);
    } else if (arrow) {
      chart.look({ x: arrow.x * ARROW_PIXELS, y: arrow.y * ARROW_PIXELS }, ORIGIN);
    } else if (ZOOMS[key]) {
      chart.zoom(ZOOMS[key]);
    } else {
      return false;
    }
    return true;
  }
}

/**
 * Let fingers, mouse, wheel and keys work on a chart.
 * @param {DreyerChart} chart
 */
export function followGestures(chart) {
  return new Gestures(chart);
}
