// Points, angles and boxes on a plane. Angles are degrees, clockwise from up where y points down.

/** @import { Point, Pose } from "./types.js" */

/**
 * A rectangle about its middle.
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 */

/** @type {Point} */
export const ORIGIN = { x: 0, y: 0 };

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
export function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

/**
 * The same direction, from 0 to 360 degrees.
 * @param {number} degrees
 */
export function wrapDegrees(degrees) {
  return ((degrees % 360) + 360) % 360;
}

/**
 * How far to turn from one direction to another by the short way, from -180 to 180 degrees.
 * @param {number} from
 * @param {number} to
 */
export function shortTurn(from, to) {
  return wrapDegrees(to - from + 180) - 180;
}

/** @param {number} degrees */
export function sine(degrees) {
  return Math.sin((degrees * Math.PI) / 180);
}

/** @param {number} degrees */
export function cosine(degrees) {
  return sine(degrees + 90);
}

/**
 * @param {Point} from
 * @param {Point} to
 */
export function distance(from, to) {
  return Math.hypot(to.x - from.x, to.y - from.y);
}

/**
 * The angle of a line against the x axis.
 * @param {Point} from
 * @param {Point} to
 */
export function slopeDegrees(from, to) {
  return (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
}

/**
 * The point so far away in a direction.
 * @param {Point} from
 * @param {number} degrees
 * @param {number} length
 * @returns {Point}
 */
export function towards({ x, y }, degrees, length) {
  return { x: x + sine(degrees) * length, y: y - cosine(degrees) * length };
}

/**
 * Part of the way from point to point.
 * @param {Point} from
 * @param {Point} to
 * @param {number} part from 0 to 1
 * @returns {Point}
 */
export function pointBetween(from, to, part) {
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

/**
 * Part of the way from pose to pose, turning the short way.
 * @param {Pose} from
 * @param {Pose} to
 * @param {number} part from 0 to 1
 * @returns {Pose}
 */
export function poseBetween(from, to, part) {
  const turn = shortTurn(from.heading, to.heading) * part;
  return { ...pointBetween(from, to, part), heading: wrapDegrees(from.heading + turn) };
}

/**
 * @param {Point} middle
 * @param {number} width
 * @param {number} [height]
 * @returns {Box}
 */
export function boxAbout({ x, y }, width, height = width) {
  return { x, y, width, height };
}

/**
 * The smallest box that has all these points in it.
 * @param {Point[]} points
 * @returns {Box}
 */
export function boundsOf(points) {
  const across = points.map(({ x }) => x);
  const along = points.map(({ y }) => y);
  const left = Math.min(...across);
  const top = Math.min(...along);
  const width = Math.max(...across) - left;
  const height = Math.max(...along) - top;
  return { x: left + width / 2, y: top + height / 2, width, height };
}

/**
 * The first of 1, 2, 5, 10, 20, 50 … that is not less.
 * @param {number} least
 */
export function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5].find((each) => each * power >= least) ?? 10;
  return factor * power;
}
