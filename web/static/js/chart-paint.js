// What the chart shows: sea, rings, ships, the line of sight, and words that keep apart.

import {
  bounds,
  box,
  clamp,
  cos,
  draw,
  far,
  figure,
  mix,
  path,
  Room,
  roundStep,
  sin,
  slope,
  stand,
  towards,
  wrap,
} from "./chart-parts.js";
import { t } from "./strings.js";

const NAMES = ["bow", "starboard", "stern", "port"],
  ORIGIN = { x: 0, y: 0 };
// Room on a ring is sought up and down, then ever more aside.
const RAYS = Array.from({ length: 48 }, (_, n) => (n & 2) * 90 + (n & 1 ? -8 : 8) * (n >> 2));

export const paint = (chart, matrix, now) => {
  const {
    parts,
    marks,
    kept,
    width,
    height,
    corners,
    edges: { top, bottom },
    shown: { scale, heading: up },
    given: { view, selection, check: given },
  } = chart;
  const at = (point) => matrix.transformPoint(point),
    measured = view.you.may.measure === "yes",
    crowd = marks.size > 12;
  const firer = marks.get(selection.firer),
    target = marks.get(selection.target),
    { inHand } = chart,
    line = firer && target && firer !== target;
  const check =
      line && given?.firer === selection.firer && given.target === selection.target
        ? given.drawn
        : null,
    doubt = (yes) => (yes ? "doubt" : "");
  const {
    range = "",
    remark = "",
    limits = [],
    bearings = [],
    stops = [],
    smoke = [],
    quadrant,
    open,
  } = check ?? {};
  const frame = bounds(corners.map(at)),
    edge = bounds(
      [-0.5, 0.5].map((side) => ({
        x: clamp(frame.x + side * frame.w, 0, width) - 32 * side,
        y: clamp(frame.y + side * frame.h, top, height - bottom) - 32 * side,
      })),
    ),
    room = new Room(edge);

  chart.astray = false;
  for (const [name, mark] of marks) {
    const { pose, to: ship } = mark,
      spot = at(pose),
      turn = pose.heading - up,
      length = Math.max(ship.length_yards * scale * 0.92, crowd ? 22 : 34),
      chosen = mark === firer || mark === target;
    const role =
        mark === firer
          ? "firer"
          : chosen
            ? "target"
            : stops.some((one) => one.name === name)
              ? "blocker"
              : "",
      hull = box(spot, length * (chosen ? 1.6 : 0.9)),
      seconds = ship.age_seconds + (now - chart.seen) / 1000;
    const [key, n] = seconds < 60 ? ["seconds", seconds] : ["minutes", seconds / 60];
    Object.assign(mark, { at: spot, turn, length, role, hull });
    draw(mark.parts, {
      node: {
        ...stand(spot),
        class: `vessel ${role} ${mark === inHand ? "in-hand" : ""}`,
        "aria-pressed": chosen,
      },
      age: { text: ship.state === "stale" ? t(`chart.age_${key}`, { n: Math.round(n) }) : "" },
    });
    mark.parts.node.style.cssText = `--turn: ${turn}deg; --size: ${length / 100}`;
    room.taken.push(hull, box(towards(spot, turn, length * 0.8), length * 0.44));
    chart.astray ||=
      Math.abs(spot.x - edge.x) > edge.w / 2 || Math.abs(spot.y - edge.y) > edge.h / 2;
  }

  // Until a ship is chosen the rings are about the list's first.
  const step = roundStep(80 / scale),
    centre = firer ?? (!chart.editing && marks.get(view.rings_about)),
    { x, y, heading } = centre?.pose || ORIGIN;
  const rings = centre && kept.rings ? view.rings : [],
    lines = firer && kept.arcs ? view.quadrant_lines_deg : [],
    lit = NAMES.indexOf(quadrant);
  const contours = [...new Set([...rings.map(({ yards }) => yards), ...limits])].map((r) => ({
    r,
    class: doubt(limits.includes(r)),
  }));
  const bands = rings.map(({ yards, title }, n) => ({
    text: title,
    class: "band",
    r: (yards + (rings[n - 1]?.yards ?? 0)) / 2,
  }));
  const labels = [...contours.map((ring) => ({ ...ring, text: figure(ring.r) })), ...bands];
  // Part of the way through a quadrant, in degrees from the bow.
  const within = (number, part) =>
    lines.at(number - 1) + wrap(lines[number] - lines.at(number - 1)) * part;
  const from = centre?.at,
    to = target?.at,
    on = (yards) => mix(from, to, Math.min((yards * scale) / far(from, to), 1)),
    broken = line && on(Math.min(9e9, ...stops.map((one) => one.at_yards)));
  chart.style.cssText = `--world: ${matrix}; --up: ${-up}deg; --yard: ${scale}; --x: ${frame.x}px; --y: ${frame.y}px; --w: ${frame.w}px; --h: ${frame.h}px; --bar: ${step * scale}; --covered: ${top}px`;
  chart.className = measured ? "measured" : "";
  draw(parts, {
    sea: { width: corners[2].x, height: corners[2].y },
    net: { width: step, height: step },
    contours,
    readout: {
      text: inHand
        ? t("chart.readout", {
            x: figure(inHand.pose.x),
            y: figure(inHand.pose.y),
            heading: String(Math.round(inHand.pose.heading) % 360).padStart(3, "0"),
          })
        : "",
    },
    across: { x: matrix.e, width: step * scale },
    along: { y: matrix.f, height: step * scale },
    full: { text: t("chart.yards", { yards: figure(step) }) },
    about: { transform: `translate(${x} ${y}) rotate(${-heading || 0}) scale(1 -1)` },
    tints: rings.map(({ yards: r }) => ({ r })).reverse(),
    spokes: lines.map((line) => ({
      d: "M0 0V-9e4",
      transform: `rotate(${line})`,
      class: doubt(bearings.includes(line)),
    })),
    lit: {
      d:
        lines.length && lit >= 0
          ? path(ORIGIN, ...[0, 0.5, 1].map((part) => towards(ORIGIN, within(lit, part), 9e4)))
          : "",
    },
    fields: chart.fields.paths,
    batteries: chart.fields.buttons,
    smokes: [
      ...(kept.smoke ? view.smoke : []),
      ...(chart.laying ?? []).map(({ x: x1, y: y1 }) => ({ x1, y1, x2: x1, y2: y1 })),
    ],
    declared: view.declared.map((pair) => ({
      d: path(marks.get(pair.firer).pose, marks.get(pair.target).pose),
    })),
    clear: { d: line ? path(from, broken) : "" },
    beyond: { d: line ? path(broken, to) : "" },
    stops: stops.map((one) => ({ d: "M0-10V10", ...stand(on(one.at_yards), slope(from, to)) })),
    signs: smoke.map((yards) => ({ href: "#mark-smoke", ...stand(on(yards)) })),
    pill: { class: `pill ${doubt(open)}` },
    range: { text: range },
    remark: { text: remark },
    quadrants: lines.map((_, n) => ({ text: t(`chart.${NAMES[n]}`) })),
    labels,
  });

  // What matters most is placed first, clear of the controls.
  room.taken.push(box({ x: width - 40, y: 20 }, 70, 2 * parts.controls.offsetHeight));
  if (inHand) room.taken.push(box(chart.knob, 40));
  if (chart.fields.batteries.length) {
    const {
      offsetLeft: left,
      offsetTop: high,
      offsetWidth: wide,
      offsetHeight: tall,
    } = parts.batteries;
    room.taken.push(box({ x: left + wide / 2, y: high + tall / 2 }, wide, tall));
  }
  room.place(
    parts.block,
    (w, h) =>
      [-1, 1].map((side) =>
        box({ x: edge.x + (side * (edge.w - w)) / 2, y: edge.y + (edge.h - h) / 2 }, w, h),
      ),
    true,
  );
  if (range)
    room.place(
      parts.pill,
      (w, h) => [
        ...[5, 4, 6, 3, 7].map((part) => box(mix(from, to, part / 10), w, h)),
        ...room.about(box(mix(from, to, 0.5), 1), w, h, [14, 40, 70]),
      ],
      true,
    );
  if (line) room.line(from, to);
  for (const {
    hull,
    role,
    parts: { tag },
  } of [...marks.values()].sort((a, b) => !a.role - !b.role)) {
    room.place(
      tag,
      (w, h) => (role || kept.names ? room.about(hull, w, h, [4, 14, 30, 50]) : []),
      role || !crowd,
    );
  }
  lines.forEach((line, n) => {
    room.place(parts.quadrants.children[n], (w, h) =>
      [14, 24, 36].map((gap) =>
        box(towards(from, firer.turn + within(n, 0.5), firer.length * 0.8 + gap), w, h),
      ),
    );
    room.line(from, towards(from, firer.turn + line, 700));
  });
  labels.forEach(({ r, class: kind }, n) =>
    room.place(
      parts.labels.children[n],
      (w, h) =>
        RAYS.map((ray) => ({
          turn: cos(ray) < 0 ? ray + 180 : ray,
          ...box(
            towards(from, ray, r * scale),
            h + w * Math.abs(cos(ray)),
            h + w * Math.abs(sin(ray)),
          ),
        })),
      kind === "doubt",
    ),
  );
};
