// Which part of the table the chart shows, and how it fits on the screen.
import { boundsOf, clamp, poseBetween } from "../common/geometry.js";

/** @import { PlacedShip, Point, Pose } from "../common/types.js" */

/**
 * The place in yards that is in the middle, the heading that is up, and the pixels of a yard.
 * @typedef {Pose & { scale: number }} Viewport
 *
 * The chart's pixels; those at top and bottom may be covered by something else.
 * @typedef {{ width: number, height: number, top: number, bottom: number }} Screen
 *
 * What the chart shows all of.
 * @typedef {"ships" | "table"} Fitted
 */

/** Pixels that stay free about the table, and about all ships. */
const TABLE_RIM = 24;
const SHIPS_RIM = 92;
/** Of what lies beside the table, so many pixels are shown. */
const BESIDE_TABLE = 32;
/** Of the rim about the ships, what a ship needs between her place and the buttons. */
const BY_BUTTONS = 20;
/** The longest ship in pixels: when all ships are shown, and as large as can be. */
const FITTED_SHIP = 64;
const LARGEST_SHIP = 240;

/**
 * From yards on the table to pixels on the screen.
 * @param {Viewport} viewport
 * @param {Screen} screen
 */
export function matrixOf({ x, y, scale, heading }, { width, height, top, bottom }) {
  return new DOMMatrix()
    .translate(width / 2, (height + top - bottom) / 2)
    .scale(scale, -scale)
    .rotate(heading)
    .translate(-x, -y);
}

/**
 * Part of the way from viewport to viewport.
 * @param {Viewport} from
 * @param {Viewport} to
 * @param {number} part from 0 to 1
 * @returns {Viewport}
 */
export function viewportBetween(from, to, part) {
  const scale = from.scale * (to.scale / from.scale) ** part;
  return { ...poseBetween(from, to, part), scale };
}

/**
 * The viewport that shows all of these points.
 * @param {Point[]} points
 * @param {number} heading
 * @param {Screen} screen
 * @param {number} rim
 * @returns {Viewport}
 */
function viewportOver(points, heading, { width, height, top, bottom }, rim) {
  const turn = new DOMMatrix().rotate(heading);
  const bounds = boundsOf(points.map((point) => turn.transformPoint(point)));
  const middle = turn.inverse().transformPoint({ x: bounds.x, y: bounds.y });
  /**
   * @param {number} pixels
   * @param {number} yards
   */
  const fit = (pixels, yards) => Math.max(pixels - rim, 40) / (yards || 1);
  const scale = Math.min(fit(width, bounds.width), fit(height - top - bottom, bounds.height));
  return { x: middle.x, y: middle.y, heading, scale };
}

/**
 * Keep the middle where little of what lies beside the table is shown.
 * @param {number} middle
 * @param {number} size of the table, in yards
 * @param {number} shown in yards
 * @param {number} beside in yards
 */
function keepOnTable(middle, size, shown, beside) {
  const half = Math.min(shown, size) / 2 - beside;
  return clamp(middle, half, size - half);
}

/**
 * The viewport that shows all ships, or the whole table where that is as large.
 * @param {Fitted} wanted
 * @param {PlacedShip[]} ships
 * @param {Point[]} corners of the table
 * @param {number} heading that is up
 * @param {Screen} screen
 * @param {number} buttons pixels at the right in which there are buttons: no ship is to lie under one
 * @returns {{ viewport: Viewport, fitted: Fitted, scales: [number, number] }} with the least and the largest scale
 */
export function fitViewport(wanted, ships, corners, heading, screen, buttons) {
  const { x: east, y: north } = corners[2];
  const areOnIt = ships.every((at) => at.x >= 0 && at.x <= east && at.y >= 0 && at.y <= north);
  // Ships that have left the table are shown with it.
  const table = areOnIt
    ? viewportOver(corners, heading, screen, TABLE_RIM)
    : viewportOver([...corners, ...ships], heading, screen, SHIPS_RIM);
  const longestYards = Math.max(1, ...ships.map((ship) => ship.length_yards));
  /** @type {[number, number]} */
  const scales = [table.scale * 0.7, LARGEST_SHIP / longestYards];
  if (wanted === "ships" && ships.length > 0) {
    const right = buttons && Math.max(buttons + BY_BUTTONS - SHIPS_RIM / 2, 0);
    const free = { ...screen, width: screen.width - right };
    const over = viewportOver(ships, heading, free, SHIPS_RIM);
    const scale = Math.min(over.scale, FITTED_SHIP / longestYards);
    if (scale > table.scale) {
      const isLying = Math.round(heading / 90) % 2 !== 0;
      const [across, along] = isLying
        ? [screen.height, screen.width]
        : [screen.width, screen.height];
      // The ships are in the middle of what the buttons leave free.
      const aside = new DOMMatrix().rotate(-heading).transformPoint({ x: right / 2 / scale, y: 0 });
      const beside = BESIDE_TABLE / scale;
      const rightward = beside + right / scale;
      const [besideX, besideY] = isLying ? [beside, rightward] : [rightward, beside];
      let { x, y } = { x: over.x + aside.x, y: over.y + aside.y };
      if (areOnIt) {
        x = keepOnTable(x, east, across / scale, besideX);
        y = keepOnTable(y, north, along / scale, besideY);
      }
      return { viewport: { x, y, heading, scale }, fitted: "ships", scales };
    }
  }
  return { viewport: table, fitted: "table", scales };
}
