// Tools of the chart. A point is {x, y}; a pose has a heading too; a box is {x, y, w, h} about its middle.

export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
export const wrap = (degrees) => ((degrees % 360) + 360) % 360;
export const sin = (degrees) => Math.sin((degrees * Math.PI) / 180);
export const cos = (degrees) => sin(degrees + 90);
export const far = (a, b) => Math.hypot(b.x - a.x, b.y - a.y);
export const slope = (a, b) => (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI;
export const towards = ({ x, y }, degrees, away) => ({
  x: x + sin(degrees) * away,
  y: y - cos(degrees) * away,
});
/** Part of the way from pose to pose, turning the short way. */
export const mix = (a, b, part) => ({
  x: a.x + (b.x - a.x) * part,
  y: a.y + (b.y - a.y) * part,
  scale: a.scale * (b.scale / a.scale) ** part,
  heading: wrap(a.heading + (wrap(b.heading - a.heading + 180) - 180) * part),
});
export const roundStep = (least) =>
  [1, 2, 5, 10]
    .map((factor) => factor * 10 ** Math.floor(Math.log10(least)))
    .find((step) => step >= least);
export const box = ({ x, y }, w, h = w) => ({ x, y, w, h });
export const bounds = (points) => {
  const [xs, ys] = ["x", "y"].map((axis) => points.map((point) => point[axis])),
    l = Math.min(...xs),
    t = Math.min(...ys),
    w = Math.max(...xs) - l,
    h = Math.max(...ys) - t;
  return { x: l + w / 2, y: t + h / 2, w, h };
};

const put = (node, values) => {
  for (const [name, value] of Object.entries(values)) {
    if (name === "text") {
      if (node.textContent !== value) node.textContent = value;
    } else if (node.getAttribute(name) !== `${value}`) node.setAttribute(name, value);
  }
};
/** Set what changed of some parts: attributes and text, or those of their children. */
export const draw = (parts, wanted) => {
  for (const [name, values] of Object.entries(wanted)) {
    const node = parts[name];
    if (!Array.isArray(values)) {
      put(node, values);
      continue;
    }
    while (node.childElementCount > values.length) node.lastElementChild.remove();
    values.forEach((each, n) =>
      put(
        node.children[n] ??
          node.appendChild(document.createElementNS(node.namespaceURI, node.dataset.of)),
        each,
      ),
    );
  }
};
export const stand = ({ x, y }, turn = 0) => ({
  transform: `translate(${x} ${y}) rotate(${turn})`,
});
export const open = (id) => {
  const content = document.getElementById(id).content.cloneNode(true),
    parts = { content };
  for (const part of content.querySelectorAll("[data-part]")) parts[part.dataset.part] = part;
  return parts;
};
export const path = (...points) => `M${points.map(({ x, y }) => `${x} ${y}`).join("L")}`;
export const figure = new Intl.NumberFormat(document.documentElement.lang, {
  maximumFractionDigits: 0,
}).format;

/** What is still free on the sheet: first come, first served. */
export class Room {
  taken = [];

  constructor(edge) {
    this.edge = edge;
  }

  line(a, b) {
    const parts = Math.min(far(a, b) / 12, 150);
    for (let n = 0; n < parts; n += 1) this.taken.push(box(mix(a, b, n / parts), 9));
  }

  /** Put words into the first free box, last time's first, or else into the least bad. */
  place(node, spots, must) {
    const { edge, taken } = this,
      some = (value) => Math.max(value, 0),
      boxes = spots(node.offsetWidth, node.offsetHeight);
    let best,
      least = must ? Infinity : 0.01;
    for (const spot of [boxes[node.spot], ...boxes]) {
      if (!spot) continue;
      const { x, y, w, h } = spot;
      let cost =
        40 *
        (some(Math.abs(x - edge.x) + (w - edge.w) / 2) +
          some(Math.abs(y - edge.y) + (h - edge.h) / 2));
      for (const other of taken) {
        if (cost > least) break;
        cost +=
          some((w + other.w) / 2 - Math.abs(x - other.x)) *
          some((h + other.h) / 2 - Math.abs(y - other.y));
      }
      if (cost < least) [best, least] = [spot, cost];
      if (!cost) break;
    }
    node.spot = boxes.indexOf(best);
    node.style.cssText = best
      ? `transform: translate(${best.x}px, ${best.y}px) translate(-50%, -50%) rotate(${best.turn ?? 0}deg)`
      : "visibility: hidden";
    if (best) taken.push(best);
  }

  about({ x, y, w, h }, wide, high, gaps) {
    const { edge } = this,
      aside = (edge.w - wide) / 2,
      part = (value) => clamp(1.3 * value, -1, 1);
    return gaps.flatMap((gap) =>
      [90, 270, 180, 0, 130, 230, 50, 310, 155, 205, 25, 335].map((turn) =>
        box(
          {
            x: clamp(
              x + part(sin(turn)) * (w / 2 + gap + wide / 2),
              edge.x - aside,
              edge.x + aside,
            ),
            y: y - part(cos(turn)) * (h / 2 + gap * 0.7 + high / 2),
          },
          wide,
          high,
        ),
      ),
    );
  }
}
