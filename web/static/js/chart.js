// <dreyer-chart>: the table from above, as a chart that can be panned, zoomed and turned.

import {
  bounds,
  clamp,
  draw,
  far,
  figure,
  mix,
  open,
  slope,
  towards,
  wrap,
} from "./chart-parts.js";
import { FieldsOfFire } from "./chart-fields.js";
import { listen } from "./chart-gestures.js";
import { paint } from "./chart-paint.js";
import { t, tell } from "./strings.js";

const STORE = "dreyer-chart",
  still = matchMedia("(prefers-reduced-motion: reduce)");

class DreyerChart extends HTMLElement {
  given = { selection: {} };
  marks = new Map();
  edges = { top: 0, bottom: 0 };
  fitted = "ships";
  fields = new FieldsOfFire(this);
  kept = {
    rings: true,
    arcs: true,
    names: true,
    smoke: true,
    fields: false,
    turned: 0,
    ...JSON.parse(localStorage.getItem(STORE)),
  };

  get turned() {
    return this.kept.turned;
  }
  /** Nearly a quarter becomes one. */
  set turned(up) {
    const quarter = Math.round(up / 90) * 90;
    this.#keep({ turned: wrap(Math.abs(quarter - up) < 12 ? quarter : up) });
    if (this.fitted) this.#show(this.fitted, true);
    else this.#aim({ ...this.eye, heading: this.turned }, true);
  }
  /** Pixels at top and bottom that are covered. */
  set inset(edges) {
    Object.assign(this.edges, edges);
    this.#show(this.fitted);
  }

  connectedCallback() {
    if (this.parts) return;
    const parts = (this.parts = open("chart-sheet")),
      { layers } = parts;
    this.append(parts.content);
    parts.controls.onclick = ({ target }) => {
      const { act, by } = target.closest("button")?.dataset ?? {};
      this[act]?.(by);
    };
    for (const tick of layers.elements) tick.checked = this.kept[tick.name];
    layers.onchange = ({ target }) => this.#keep({ [target.name]: target.checked });
    parts.batteries.onclick = ({ target }) => {
      if (target.dataset.battery) this.fields.show(target.dataset.battery);
    };
    listen(this);
    new ResizeObserver(() => {
      [this.width, this.height] = [this.clientWidth, this.clientHeight];
      this.#show(this.fitted);
      this.draw();
    }).observe(this);
    // Ages grow and fonts come late, with no view to say so.
    setInterval(() => this.draw(), 1000);
    this.read();
  }

  #keep(changes) {
    localStorage.setItem(STORE, JSON.stringify(Object.assign(this.kept, changes)));
    this.fields.follow();
    this.draw();
  }

  read() {
    const {
        marks,
        parts,
        eye,
        given: { view },
      } = this,
      count = marks.size,
      now = performance.now();
    if (!view || !parts) return;
    const {
        title,
        ruleset_title: rules,
        yards_per_inch: inch,
        width_yards: x,
        height_yards: y,
      } = view.table,
      ships = view.ships.filter((ship) => ship.placed);
    Object.assign(this, {
      corners: [
        { x: 0, y: 0 },
        { x, y: 0 },
        { x, y },
        { x: 0, y },
      ],
      seen: now,
      until: now + 300,
    });
    for (const [name, { parts }] of marks) {
      if (ships.some((ship) => ship.name === name)) continue;
      parts.node.remove();
      parts.tag.remove();
      marks.delete(name);
    }
    for (const ship of ships) {
      const mark = marks.get(ship.name) ?? { parts: open("chart-ship"), pose: ship };
      marks.set(ship.name, mark);
      if (!mark.to) {
        parts.fleet.append(mark.parts.node);
        parts.tags.append(mark.parts.tag);
      }
      mark.to = ship;
      // What was moved here stays until the view has caught up.
      if (now > mark.held?.until) mark.held = null;
      const {
          name,
          side,
          state,
          heading,
          sigma_yards,
          length_yards: long,
          width_yards: broad,
        } = ship,
        href = `#ship-${ship.silhouette}`;
      const { shape, colour, letter, name: nation } = view.sides.find(({ key }) => key === side);
      const kind = { "data-shape": shape, "data-colour": colour, "data-state": state };
      draw(mark.parts, {
        node: {
          ...kind,
          "data-ship": name,
          "aria-label": t("chart.ship", {
            name,
            side: nation,
            heading: Math.round(heading),
            state: t(`chart.state_${state}`),
          }),
        },
        tag: kind,
        name: { text: name },
        letter: { text: letter },
        shape: { href: `#base-${shape}` },
        hull: { href: `${href}-plain` },
        detail: { href },
        sign: { href: `#mark-${state}` },
        base: { x: -broad / 2, y: -long / 2, width: broad, height: long },
        spread: { r: 2 * sigma_yards },
      });
    }
    draw(parts, {
      title: { text: title },
      rules: { text: rules },
      scale: { text: t("chart.scale", { yards: figure(inch) }) },
    });
    // Whoever has not looked elsewhere keeps all ships in sight.
    if (!eye || (this.fitted && marks.size !== count) || (this.fitted === "ships" && this.astray))
      this.#show("ships", eye);
  }

  #matrix({ x, y, scale, heading }) {
    const { top, bottom } = this.edges;
    return new DOMMatrix()
      .translate(this.width / 2, (this.height + top - bottom) / 2)
      .scale(scale, -scale)
      .rotate(heading)
      .translate(-x, -y);
  }

  #under(at, eye = this.eye) {
    return this.#matrix(eye).inverse().transformPoint(at);
  }

  #inside({ x, y }) {
    return {
      x: Math.round(clamp(x, 0, this.corners[2].x)),
      y: Math.round(clamp(y, 0, this.corners[2].y)),
    };
  }

  /** Ships and eye come a part of their way with each frame. */
  draw() {
    this.frame ??= requestAnimationFrame((now) => {
      const part = still.matches || now > this.until ? 1 : 0.25;
      this.frame = null;
      if (!this.eye) return;
      this.shown = mix(this.shown, this.eye, part);
      for (const mark of this.marks.values())
        mark.pose = mark.held ?? mix(mark.pose, mark.to, part);
      paint(this, this.#matrix(this.shown), now);
      if (part < 1) this.draw();
    });
  }

  #show(what, glide) {
    const {
      width,
      height,
      corners,
      turned: heading,
      edges: { top, bottom },
    } = this;
    if (!width || !corners || !what) return;
    const turn = new DOMMatrix().rotate(heading),
      ships = [...this.marks.values()].map(({ to }) => to),
      longest = Math.max(1, ...ships.map((ship) => ship.length_yards));
    const over = (points, rim) => {
      const { w, h, ...middle } = bounds(points.map((point) => turn.transformPoint(point))),
        { x, y } = turn.inverse().transformPoint(middle);
      const fit = (pixels, yards) => Math.max(pixels - rim, 40) / (yards || 1);
      return { x, y, heading, scale: Math.min(fit(width, w), fit(height - top - bottom, h)) };
    };
    let aim = over(corners, 24),
      fitted = "table";
    this.range = [aim.scale * 0.7, 240 / longest];
    if (ships.length && what === "ships") {
      const { x, y, scale: full } = over(ships, 92),
        scale = Math.min(full, 64 / longest),
        lies = Math.round(heading / 90) % 2;
      // Show little of what lies beside the table.
      const keep = (value, size, pixels) => {
        const half = Math.min(pixels / scale, size) / 2 - 32 / scale;
        return clamp(value, half, size - half);
      };
      if (scale > aim.scale)
        [aim, fitted] = [
          {
            heading,
            scale,
            x: keep(x, corners[2].x, lies ? height : width),
            y: keep(y, corners[2].y, lies ? width : height),
          },
          "ships",
        ];
    }
    this.#aim(aim, glide, fitted);
  }

  #aim(eye, glide, fitted) {
    Object.assign(this, {
      eye,
      fitted,
      shown: glide ? this.shown : eye,
      until: performance.now() + 300,
    });
    this.draw();
  }

  /** All ships, then the whole table. */
  fit() {
    this.#show(this.fitted === "ships" ? "table" : "ships", true);
  }

  zoom(by, at = { x: this.width / 2, y: this.height / 2 }) {
    this.look(at, at, by, 0, true);
  }

  turn() {
    this.turned = (Math.round(this.turned / 90) + 1) * 90;
  }

  /** Bring the water under one pixel to lie under another. */
  look(from, to, zoom = 1, turn = 0, glide = false) {
    if (!this.eye) return;
    const { x, y, scale, heading } = this.eye,
      eye = { x, y, scale: clamp(scale * zoom, ...this.range), heading: wrap(heading - turn) },
      before = this.#under(from),
      after = this.#under(to, eye);
    this.#aim(
      { ...eye, ...this.#inside({ x: x + before.x - after.x, y: y + before.y - after.y }) },
      glide,
    );
  }

  tell(type, detail) {
    tell(type, detail, this);
  }

  tapSea(at) {
    this.tell(this.editing ? "point" : "clear", this.#inside(this.#under(at)));
  }

  shipAt(at) {
    return [...this.marks.values()]
      .filter((mark) => far(mark.at, at) < Math.max(30, mark.length * 0.6))
      .sort((a, b) => far(a.at, at) - far(b.at, at))[0];
  }

  get inHand() {
    return this.editing && (this.marks.get(this.active) ?? this.marks.get(this.selection.firer));
  }
  get knob() {
    return towards(this.inHand.at, this.inHand.turn, this.inHand.length / 2 + 54);
  }

  /** A finger takes hold of the knob, or of a ship. */
  grip(at) {
    const turns = this.inHand && far(this.knob, at) < 26,
      mark = turns ? this.inHand : this.shipAt(at);
    if (!this.editing || this.laying || !mark) return null;
    const {
        pose,
        to: { name },
      } = mark,
      start = this.#under(at);
    this.active = name;
    const move = (to) => {
      const { x, y } = this.#under(to);
      if (turns) this.#hold(mark, pose, 90 - Math.round(slope(pose, { x, y })));
      else this.#hold(mark, { x: pose.x + x - start.x, y: pose.y + y - start.y }, pose.heading);
    };
    return { name, move };
  }

  #hold(mark, point, heading) {
    mark.held = { ...this.#inside(point), heading: wrap(heading), until: Infinity };
    this.draw();
  }

  moved(name) {
    const { held } = this.marks.get(name),
      { x, y, heading } = held;
    held.until = performance.now() + 3000;
    this.tell("moved", { name, x, y, heading });
  }

  /** Move by keys, in parts of her base; up is up on the screen. */
  nudge(name, arrow = { x: 0, y: 0 }, part, bend = 0) {
    const mark = this.marks.get(name),
      step = mark.to.length_yards * part,
      { x, y, heading } = mark.held ?? mark.to;
    this.active = name;
    this.#hold(
      mark,
      new DOMMatrix().translate(x, y).rotate(-this.turned).scale(step, -step).transformPoint(arrow),
      heading + bend,
    );
    clearTimeout(mark.soon);
    mark.soon = setTimeout(() => this.moved(name), 400);
  }

  release(name) {
    this.marks.get(name).held = null;
    this.draw();
  }
}

for (const name of ["view", "selection", "check", "editing", "laying"]) {
  Object.defineProperty(DreyerChart.prototype, name, {
    get() {
      return this.given[name];
    },
    set(value) {
      this.given[name] = value;
      if (name === "selection") this.active = null;
      if (name === "view") this.read();
      this.fields.follow();
      this.draw();
    },
  });
}
customElements.define("dreyer-chart", DreyerChart);
