// What the chart shows in one frame: sea, rings, ships, the line of sight, and words that keep apart.
import { figure, lineThrough, placedAt, updateParts } from "./elements.js";
import { FreeSpace, leaderOf } from "./labels.js";
import {
  boundsOf,
  boxAbout,
  clamp,
  cosine,
  distance,
  ORIGIN,
  pointBetween,
  roundStep,
  sine,
  slopeDegrees,
  towards,
  wrapDegrees,
} from "../common/geometry.js";
import { t } from "../common/strings.js";

/** @import { DrawnCheck, Point, RangeRing, TableView } from "../common/types.js" */
/** @import { DreyerChart, ShipMark } from "./chart.js" */
/** @import { Attributes } from "./elements.js" */
/** @import { Screen, Viewport } from "./viewport.js" */
/** @import { Box } from "../common/geometry.js" */

/**
 * All that the layers of one frame are drawn from.
 * @typedef {object} Scene
 * @property {DreyerChart} chart
 * @property {TableView} view
 * @property {DOMMatrix} matrix from yards to pixels
 * @property {number} scale pixels of a yard
 * @property {number} up the heading that is up
 * @property {Box} frame the table, in pixels
 * @property {FreeSpace} space
 * @property {boolean} isCrowded
 * @property {ShipMark | null} firer
 * @property {ShipMark | null} target
 * @property {ShipMark | null} centre the ship that the rings are about
 * @property {Sight | null} sight the line from the firer to her target
 * @property {DrawnCheck} check what the server says of the two
 * @property {RangeRing[]} rings
 * @property {number[]} quadrantLines in degrees from the bow, clockwise
 *
 * A line of sight in pixels.
 * @typedef {{ from: Point, to: Point, at: (yards: number) => Point }} Sight
 *
 * Words on a ring about the centre.
 * @typedef {{ text: string, yards: number, kind: "" | "doubt" | "band" }} RingLabel
 */

/** From the middle of a wreck's mark to its ends, along each axis. */
const WRECK_YARDS = 250;

/** What a check says that says nothing. @type {DrawnCheck} */
const NO_CHECK = {
  range: "",
  remark: "",
  open: false,
  limits: [],
  bearings: [],
  quadrant: "",
  stops: [],
  smoke: [],
};
/** In the order of a view's quadrant_lines_deg: each ends at its line. */
const QUADRANTS = ["bow", "starboard", "stern", "port"];
const CROWD = 12;
/** Up to so many ships every one has a name. */
const ALL_NAMED = 24;
const NAME_GAPS = [4, 14, 30];
/** Further than any table reaches, in yards. */
const BEYOND_YARDS = 9e4;
/** Pixels between the words and the edge of the table or of the screen. */
const EDGE_GAP = 16;
/** Pixels between names and the edge of the screen. */
const ROOM_GAP = 4;
/** The least length of a side of the grid, in pixels. */
const LEAST_GRID_STEP = 80;
/** Where words may lie on a ring: straight up and down first, then ever more to both sides. */
const RING_LABEL_DIRECTIONS_DEG = Array.from({ length: 12 }, (_, place) => place * 8).flatMap(
  (aside) => [aside, -aside, 180 + aside, 180 - aside],
);

/**
 * Draw a chart as its matrix shows it.
 * @param {DreyerChart} chart
 * @param {DOMMatrix} matrix from yards to pixels
 * @param {number} now on the clock of the frames
 */
export function paint(chart, matrix, now) {
  const { view, shownViewport } = chart;
  if (!view || !shownViewport) {
    return;
  }
  const scene = sceneOf(chart, view, shownViewport, matrix);
  drawShips(scene, now);
  drawGround(scene);
  drawRings(scene);
  drawSight(scene);
  drawSalvo(scene);
  placeWords(scene);
}

/**
 * @param {DreyerChart} chart
 * @param {TableView} view
 * @param {Viewport} viewport
 * @param {DOMMatrix} matrix
 * @returns {Scene}
 */
function sceneOf(chart, view, { scale, heading }, matrix) {
  const { marks, selection, settings } = chart;
  const firer = marks.get(selection.firer ?? "") ?? null;
  const target = marks.get(selection.target ?? "") ?? null;
  // Until a ship is chosen the rings are about the list's first.
  const first = chart.editing ? null : (marks.get(view.rings_about ?? "") ?? null);
  const centre = firer ?? first;
  const sight = firer && target && firer !== target ? sightOf(firer, target, matrix, scale) : null;
  const frame = boundsOf(chart.corners.map((corner) => matrix.transformPoint(corner)));
  return {
    chart,
    view,
    matrix,
    scale,
    up: heading,
    frame,
    space: new FreeSpace(visiblePart(frame, chart.screen), roomOn(chart.screen)),
    isCrowded: marks.size > CROWD,
    firer,
    target,
    centre,
    sight,
    check: sight ? checkOf(chart) : NO_CHECK,
    rings: centre && settings.rings ? view.rings : [],
    quadrantLines: firer && settings.arcs ? view.quadrant_lines_deg : [],
  };
}

/**
 * What the server says of the two that are chosen, if it is they that it speaks of.
 * @param {DreyerChart} chart
 * @returns {DrawnCheck}
 */
function checkOf({ check, selection }) {
  if (check?.firer !== selection.firer || check?.target !== selection.target) {
    return NO_CHECK;
  }
  return { ...NO_CHECK, ...check?.drawn };
}

/**
 * @param {ShipMark} firer
 * @param {ShipMark} target
 * @param {DOMMatrix} matrix
 * @param {number} scale
 * @returns {Sight}
 */
function sightOf(firer, target, matrix, scale) {
  const from = matrix.transformPoint(firer.pose);
  const to = matrix.transformPoint(target.pose);
  const length = distance(from, to);
  /** @param {number} yards */
  const at = (yards) => pointBetween(from, to, Math.min((yards * scale) / length, 1));
  return { from, to, at };
}

/**
 * The part of the table that is on the screen, without a gap about it.
 * @param {Box} frame
 * @param {Screen} screen
 */
function visiblePart(frame, { width, height, top, bottom }) {
  const [halfWidth, halfHeight] = [frame.width / 2, frame.height / 2];
  return boundsOf([
    {
      x: clamp(frame.x - halfWidth, 0, width) + EDGE_GAP,
      y: clamp(frame.y - halfHeight, top, height - bottom) + EDGE_GAP,
    },
    {
      x: clamp(frame.x + halfWidth, 0, width) - EDGE_GAP,
      y: clamp(frame.y + halfHeight, top, height - bottom) - EDGE_GAP,
    },
  ]);
}

/**
 * All that is not covered, also beside the table.
 * @param {Screen} screen
 */
function roomOn({ width, height, top, bottom }) {
  const middle = { x: width / 2, y: (height + top - bottom) / 2 };
  return boxAbout(middle, width - 2 * ROOM_GAP, height - top - bottom - 2 * ROOM_GAP);
}

/**
 * The class of what a close call is about.
 * @param {boolean} isDoubtful
 */
function doubtClass(isDoubtful) {
  return isDoubtful ? "doubt" : "";
}

// ---------- ships ----------

/**
 * @param {Scene} scene
 * @param {ShipMark} mark
 * @returns {ShipMark["role"]}
 */
function roleOf({ firer, target, check }, mark) {
  if (mark === firer) {
    return "firer";
  }
  if (mark === target) {
    return "target";
  }
  return check.stops.some(({ name }) => name === mark.ship.name) ? "blocker" : "";
}

/**
 * How long ago a ship was last seen, where that matters.
 * @param {ShipMark} mark
 * @param {number} secondsSinceView
 */
function ageWords({ ship }, secondsSinceView) {
  if (ship.state !== "stale") {
    return "";
  }
  const seconds = ship.age_seconds + secondsSinceView;
  return seconds < 60
    ? t("chart.age_seconds", { n: Math.round(seconds) })
    : t("chart.age_minutes", { n: Math.round(seconds / 60) });
}

/**
 * @param {Scene} scene
 * @param {number} now
 */
function drawShips(scene, now) {
  const { chart, matrix, scale, up, space, isCrowded } = scene;
  const { edge } = space;
  const secondsSinceView = (now - chart.viewedAt) / 1000;
  chart.hasShipBeyondEdge = false;
  for (const mark of chart.marks.values()) {
    const { parts, pose, ship } = mark;
    const at = matrix.transformPoint(pose);
    const turn = pose.heading - up;
    const length = Math.max(ship.length_yards * scale * 0.92, isCrowded ? 22 : 34);
    const role = roleOf(scene, mark);
    const isChosen = role === "firer" || role === "target";
    const hull = boxAbout(at, length * (isChosen ? 1.6 : 0.9));
    Object.assign(mark, { at, turn, length, role, hull });
    updateParts(parts, {
      node: {
        ...placedAt(at),
        class: `vessel ${role} ${mark === chart.inHand ? "in-hand" : ""}`,
        "aria-pressed": isChosen,
      },
      age: { text: ageWords(mark, secondsSinceView) },
    });
    parts.node.style.cssText = `--turn: ${turn}deg; --size: ${length / 100}`;
    const bow = boxAbout(towards(at, turn, length * 0.8), length * 0.44);
    space.take(hull, bow);
    const isBeyondEdge =
      Math.abs(at.x - edge.x) > edge.width / 2 || Math.abs(at.y - edge.y) > edge.height / 2;
    chart.hasShipBeyondEdge ||= isBeyondEdge;
  }
}

// ---------- the sea and what lies on it ----------

/**
 * The place and heading of the ship that is moved by hand, in words.
 * @param {ShipMark | null} inHand
 */
function readoutWords(inHand) {
  if (!inHand) {
    return "";
  }
  const { x, y, heading } = inHand.pose;
  const degrees = String(Math.round(heading) % 360).padStart(3, "0");
  return t("chart.readout", { x: figure(x), y: figure(y), heading: degrees });
}

/** @param {Scene} scene */
function drawGround({ chart, view, matrix, scale, up, frame }) {
  const { marks, settings, screen } = chart;
  const step = roundStep(LEAST_GRID_STEP / scale);
  const { x: width, y: height } = chart.corners[2];
  const fronts = settings.smoke ? view.smoke : [];
  // The end of a front that is being laid is a front without length.
  const ends = (chart.laying ?? []).map(({ x, y }) => ({ x1: x, y1: y, x2: x, y2: y }));
  chart.className = view.you.may.measure === "yes" ? "measured" : "";
  chart.style.cssText = [
    `--world: ${matrix}`,
    `--up: ${-up}deg`,
    `--yard: ${scale}`,
    `--frame-x: ${frame.x}px`,
    `--frame-y: ${frame.y}px`,
    `--frame-width: ${frame.width}px`,
    `--frame-height: ${frame.height}px`,
    `--bar: ${step * scale}`,
    `--covered: ${screen.top}px`,
  ].join("; ");
  updateParts(chart.parts, {
    sea: { width, height },
    net: { width: step, height: step },
    across: { x: matrix.e, width: step * scale },
    along: { y: matrix.f, height: step * scale },
    full: { text: t("chart.yards", { yards: figure(step) }) },
    smokes: [...fronts, ...ends].map(({ x1, y1, x2, y2 }) => ({ x1, y1, x2, y2 })),
    tracks: (view.tracks ?? []).map(({ side, points, latest }) => ({
      d: lineThrough(...points.map(([x, y]) => ({ x, y }))),
      "data-colour": view.sides.find(({ key }) => key === side)?.colour,
      class: latest ? "latest" : "",
    })),
    wrecks: view.wrecks.map((wreck) => ({
      d: wreckMark(wreck),
      role: "img",
      "aria-label": t("chart.wreck", { name: wreck.name }),
    })),
    sunk: view.wrecks.map(({ name }) => ({ text: name })),
    contacts: view.contacts.map((contact) => ({
      // Yards count upwards from the table's near edge, pixels downwards.
      d: lineThrough(contact, towards(contact, 180 - contact.bearing, BEYOND_YARDS)),
      role: "img",
      "aria-label": t("chart.contact", { ship: contact.ship, bearing: figure(contact.bearing) }),
    })),
    declared: view.declared.map((pair) =>
      declaredLine(marks.get(pair.firer), marks.get(pair.target)),
    ),
    fields: chart.fields.paths,
    batteries: chart.fields.buttons,
    readout: { text: readoutWords(chart.inHand) },
  });
}

/**
 * The mark where a ship sank: a cross on its side.
 * @param {Point} at
 */
function wreckMark({ x, y }) {
  const [left, right, low, high] = [x, x, y, y].map(
    (middle, number) => middle + (number % 2 ? WRECK_YARDS : -WRECK_YARDS),
  );
  return `M${left} ${low}L${right} ${high}M${left} ${high}L${right} ${low}`;
}

/**
 * @param {ShipMark | undefined} firer
 * @param {ShipMark | undefined} target
 */
function declaredLine(firer, target) {
  return { d: firer && target ? lineThrough(firer.pose, target.pose) : "" };
}

// ---------- rings and quadrants about a ship ----------

/**
 * The direction part of the way through a quadrant, in degrees from the bow.
 * @param {number[]} lines
 * @param {number} quadrant
 * @param {number} part from 0 to 1
 */
function directionWithin(lines, quadrant, part) {
  const start = lines.at(quadrant - 1) ?? 0;
  return start + wrapDegrees(lines[quadrant] - start) * part;
}

/**
 * The quadrant that the target lies in, as the outline of an area.
 * @param {Scene} scene
 */
function litOutline({ quadrantLines, check }) {
  const quadrant = QUADRANTS.indexOf(check.quadrant);
  if (quadrantLines.length === 0 || quadrant < 0) {
    return "";
  }
  const far = [0, 0.5, 1].map((part) =>
    towards(ORIGIN, directionWithin(quadrantLines, quadrant, part), BEYOND_YARDS),
  );
  return lineThrough(ORIGIN, ...far);
}

/**
 * The ranges that have a ring: those of the rulebook, and those that a close call is about.
 * @param {Scene} scene
 */
function contoursOf({ rings, check }) {
  const ranges = new Set([...rings.map(({ yards }) => yards), ...check.limits]);
  return [...ranges].map((yards) => ({ yards, kind: doubtClass(check.limits.includes(yards)) }));
}

/**
 * The words on the rings, and between them.
 * @param {Scene} scene
 * @returns {RingLabel[]}
 */
function ringLabels(scene) {
  /** @type {RingLabel[]} */
  const ranges = contoursOf(scene).map(({ yards, kind }) => ({
    text: figure(yards),
    yards,
    kind: kind ? "doubt" : "",
  }));
  /** @type {RingLabel[]} */
  const bands = scene.rings.map(({ yards, title }, place) => {
    const innerYards = scene.rings[place - 1]?.yards ?? 0;
    return { text: title, yards: (yards + innerYards) / 2, kind: "band" };
  });
  return [...ranges, ...bands];
}

/** @param {Scene} scene */
function drawRings(scene) {
  const { chart, centre, rings, quadrantLines, check } = scene;
  const { x, y, heading } = centre?.pose ?? { ...ORIGIN, heading: 0 };
  updateParts(chart.parts, {
    about: { transform: `translate(${x} ${y}) rotate(${-heading}) scale(1 -1)` },
    // The widest comes first: the others are drawn over it.
    tints: rings.map(({ yards }) => ({ r: yards })).reverse(),
    contours: contoursOf(scene).map(({ yards, kind }) => ({ r: yards, class: kind })),
    spokes: quadrantLines.map((line) => ({
      d: `M0 0V${-BEYOND_YARDS}`,
      transform: `rotate(${line})`,
      class: doubtClass(check.bearings.includes(line)),
    })),
    lit: { d: litOutline(scene) },
    labels: ringLabels(scene).map(({ text, kind }) => ({ text, class: kind })),
    quadrants: quadrantLines.map((_, place) => ({ text: t(`chart.${QUADRANTS[place]}`) })),
  });
}

// ---------- the line of sight ----------

/** @param {Scene} scene */
function drawSight({ chart, sight, check }) {
  /** @type {Record<string, Attributes | Attributes[]>} */
  const line = { clear: { d: "" }, beyond: { d: "" }, stops: [], signs: [] };
  if (sight) {
    const firstStop = sight.at(Math.min(Infinity, ...check.stops.map((stop) => stop.at_yards)));
    const slope = slopeDegrees(sight.from, sight.to);
    line.clear = { d: lineThrough(sight.from, firstStop) };
    line.beyond = { d: lineThrough(firstStop, sight.to) };
    line.stops = check.stops.map((stop) => ({
      d: "M0-10V10",
      ...placedAt(sight.at(stop.at_yards), slope),
    }));
    line.signs = check.smoke.map((yards) => ({
      href: "#mark-smoke",
      ...placedAt(sight.at(yards)),
    }));
  }
  updateParts(chart.parts, {
    ...line,
    pill: { class: `pill ${doubtClass(check.open)}` },
    range: { text: check.range },
    remark: { text: check.remark },
  });
}

// ---------- a salvo ----------

/** The stages in which shells have fallen. */
const FALLEN = ["fall", "armour", "harm"];
/** Where shells fall about a ship, in her drawn lengths. */
const FALLS = [
  [0.55, -0.5],
  [-0.7, 0.35],
  [0.2, 0.75],
];

/** @param {Scene} scene */
function drawSalvo({ chart }) {
  const { salvo, marks } = chart;
  const from = marks.get(salvo?.from ?? "");
  const to = marks.get(salvo?.to ?? "");
  const hasFallen = Boolean(salvo && FALLEN.includes(salvo.stage));
  const hits = Math.min(salvo?.hits ?? 0, FALLS.length);
  /** @type {Attributes[]} */
  const bursts = [];
  if (salvo && to && hasFallen) {
    const reach = to.length * 0.22;
    FALLS.forEach(([right, down], place) => {
      const isHit = place < hits;
      const aside = isHit ? reach / 2 : to.length * 0.7;
      bursts.push({
        cx: to.at.x + right * aside,
        cy: to.at.y + down * aside,
        r: isHit ? reach : reach * 0.6,
        class: isHit ? "burst hit" : "burst",
      });
    });
  }
  updateParts(chart.parts, {
    salvo: {
      d: salvo && from && to ? lineThrough(from.at, to.at) : "",
      class: `salvo-line ${salvo?.weapon ?? ""}`,
      pathLength: 100,
    },
    bursts,
  });
}

// ---------- words ----------

/**
 * What matters most is placed first, clear of the controls.
 * @param {Scene} scene
 */
function placeWords(scene) {
  takeControls(scene);
  placeTitle(scene);
  placeRange(scene);
  placeNames(scene);
  placeWrecks(scene);
  placeQuadrants(scene);
  placeRingLabels(scene);
}

/** @param {Scene} scene */
function takeControls({ chart, space }) {
  const { inHand, parts, screen } = chart;
  const { controls, batteries } = parts;
  space.take(boxAbout({ x: screen.width - 40, y: 20 }, 70, 2 * controls.offsetHeight));
  if (inHand) {
    space.take(boxAbout(chart.knobOf(inHand), 40));
  }
  if (chart.fields.batteries.length > 0) {
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = batteries;
    const middle = { x: offsetLeft + offsetWidth / 2, y: offsetTop + offsetHeight / 2 };
    space.take(boxAbout(middle, offsetWidth, offsetHeight));
  }
}

/**
 * The title of the chart is at the foot of the table, left or right.
 * @param {Scene} scene
 */
function placeTitle({ chart, space }) {
  const { edge } = space;
  space.place(
    chart.parts.block,
    (width, height) => {
      const aside = (edge.width - width) / 2;
      const y = edge.y + (edge.height - height) / 2;
      return [-aside, aside].map((shift) => boxAbout({ x: edge.x + shift, y }, width, height));
    },
    true,
  );
}

/**
 * The range is on the line of sight, near its middle, or else beside it.
 * @param {Scene} scene
 */
function placeRange({ chart, space, sight, check }) {
  if (!sight) {
    return;
  }
  const { from, to } = sight;
  if (check.range) {
    space.place(
      chart.parts.pill,
      (width, height) => {
        const onLine = [0.5, 0.4, 0.6, 0.3, 0.7].map((part) =>
          boxAbout(pointBetween(from, to, part), width, height),
        );
        const middle = boxAbout(pointBetween(from, to, 0.5), 1);
        return [...onLine, ...space.spotsAbout(middle, width, height, [14, 40, 70])];
      },
      true,
    );
  }
  space.takeLine(from, to);
}

/**
 * Every ship has her name, or a line to it; of a great many some go without.
 * @param {Scene} scene
 */
function placeNames({ chart, space, firer, target }) {
  const marks = [...chart.marks.values()];
  const withRole = marks.filter(({ role }) => role);
  const others = marks.filter(({ role }) => !role);
  const areAllNamed = marks.length <= ALL_NAMED;
  const places = marks.map(({ at }) => at);
  const leaders = [];
  for (const mark of [...withRole, ...others]) {
    const { parts, hull, role, at, length } = mark;
    if (!role && !chart.settings.names) {
      parts.tag.style.cssText = "visibility: hidden";
      continue;
    }
    const spot = space.placeName(parts.tag, hull, NAME_GAPS, Boolean(role) || areAllNamed);
    const drawn = mark === firer || mark === target ? hull : boxAbout(at, length * 0.8);
    const leader = spot && leaderOf(spot, drawn, places);
    if (leader) {
      leaders.push({ d: lineThrough(...leader), "data-colour": parts.node.dataset.colour });
    }
  }
  updateParts(chart.parts, { leaders });
}

/**
 * The name of a wreck is beside its mark.
 * @param {Scene} scene
 */
function placeWrecks({ chart, view, matrix, scale, space }) {
  const labels = /** @type {HTMLCollectionOf<HTMLElement>} */ (chart.parts.sunk.children);
  view.wrecks.forEach((wreck, place) => {
    const mark = boxAbout(matrix.transformPoint(wreck), 2 * WRECK_YARDS * scale);
    space.take(mark);
    space.place(labels[place], (width, height) =>
      chart.settings.names ? space.spotsAbout(mark, width, height, [4, 12]) : [],
    );
  });
}

/** @param {Scene} scene */
function placeQuadrants({ chart, space, firer, quadrantLines }) {
  if (!firer) {
    return;
  }
  const { at, turn, length } = firer;
  const labels = /** @type {HTMLCollectionOf<HTMLElement>} */ (chart.parts.quadrants.children);
  quadrantLines.forEach((line, place) => {
    const direction = turn + directionWithin(quadrantLines, place, 0.5);
    space.place(labels[place], (width, height) =>
      [14, 24, 36].map((gap) =>
        boxAbout(towards(at, direction, length * 0.8 + gap), width, height),
      ),
    );
    space.takeLine(at, towards(at, turn + line, 700));
  });
}

/** @param {Scene} scene */
function placeRingLabels(scene) {
  const { chart, space, centre, scale } = scene;
  if (!centre) {
    return;
  }
  const labels = /** @type {HTMLCollectionOf<HTMLElement>} */ (chart.parts.labels.children);
  ringLabels(scene).forEach(({ yards, kind }, place) => {
    space.place(
      labels[place],
      (width, height) =>
        RING_LABEL_DIRECTIONS_DEG.map((direction) => ({
          ...turnedBox(towards(centre.at, direction, yards * scale), direction, width, height),
          // No words stand on their heads.
          turnDeg: cosine(direction) < 0 ? direction + 180 : direction,
        })),
      kind === "doubt",
    );
  });
}

/**
 * The box about words that are turned.
 * @param {Point} middle
 * @param {number} turnDeg
 * @param {number} width
 * @param {number} height
 */
function turnedBox(middle, turnDeg, width, height) {
  const wide = height + width * Math.abs(cosine(turnDeg));
  const high = height + width * Math.abs(sine(turnDeg));
  return boxAbout(middle, wide, high);
}
