// <dreyer-chart>: the table from above, as a chart that can be panned, zoomed and turned.
import { openTemplate, updateParts, figure } from "./elements.js";
import { FieldsOfFire } from "./fields-of-fire.js";
import { followGestures } from "./gestures.js";
import { paint } from "./paint.js";
import { fitViewport, matrixOf, viewportBetween } from "./viewport.js";
import { announce, listen } from "../common/dom.js";
import {
  boxAbout,
  clamp,
  distance,
  ORIGIN,
  poseBetween,
  slopeDegrees,
  towards,
  wrapDegrees,
} from "../common/geometry.js";
import { t } from "../common/strings.js";

/** @import { Announcements, PairCheck, PlacedShip, Point, Pose, Selection, ShownStage, TableView } from "../common/types.js" */
/** @import { Parts } from "./elements.js" */
/** @import { Fitted, Screen, Viewport } from "./viewport.js" */
/** @import { Box } from "../common/geometry.js" */

/**
 * What a device keeps of the chart: the layers that are shown, and the heading that is up.
 * @typedef {object} Settings
 * @property {boolean} rings
 * @property {boolean} arcs
 * @property {boolean} names
 * @property {boolean} smoke
 * @property {boolean} fields
 * @property {number} turned
 *
 * A ship on the chart.
 * @typedef {object} ShipMark
 * @property {Parts} parts
 * @property {PlacedShip} ship what the view says of her
 * @property {Pose} pose where she is drawn, in yards
 * @property {(Pose & { until: number }) | null} held where a hand has put her, until the view has caught up
 * @property {Point} at where she is drawn, in pixels
 * @property {number} turn her heading on the screen
 * @property {number} length in pixels
 * @property {"firer" | "target" | "blocker" | ""} role
 * @property {Box} hull the pixels that she takes
 * @property {number} [nudgeTimer]
 *
 * What a finger has hold of.
 * @typedef {{ name: string, move: (point: Point) => void }} Grip
 */

const STORE = "dreyer-chart";
const GLIDE_MS = 300;
/** The part of their way that ships and viewport come with each frame. */
const GLIDE_PART = 0.25;
/** A ship that was moved stays there so long, for the view to catch up. */
const CATCH_UP_MS = 3000;
const NUDGE_MS = 400;
const QUARTER_DEG = 90;
/** A heading this close to a quarter becomes one. */
const NEARLY_QUARTER_DEG = 12;
/** A picture for a room looks anew once all ships would be so much larger or smaller. */
const REFIT = 1.2;
/** In such a picture no ship is closer to the edge, in pixels. */
const PICTURE_RIM = 40;
/** The settings of a picture that nobody touches: no rings, for they are about one ship. */
const PICTURE_SETTINGS = { rings: false, arcs: false, fields: false, names: true, smoke: true };
/** Fingers hit what is this close, in pixels. */
const SHIP_REACH = 30;
const KNOB_REACH = 26;
const KNOB_GAP = 54;
/** Pixels between a chosen ship and the controls. */
const CHOSEN_RIM = 16;

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

export class DreyerChart extends HTMLElement {
  /** @type {Parts} */
  parts = {};

  /** The ships that are placed, by name. @type {Map<string, ShipMark>} */
  marks = new Map();

  fields = new FieldsOfFire(this);

  /** @type {Settings} */
  settings = {
    rings: true,
    arcs: true,
    names: true,
    smoke: true,
    fields: false,
    turned: 0,
    ...JSON.parse(localStorage.getItem(STORE) ?? "{}"),
  };

  /** The chart's pixels; those at top and bottom may be covered. @type {Screen} */
  screen = { width: 0, height: 0, top: 0, bottom: 0 };

  /** The corners of the table in yards, from the origin round. @type {Point[]} */
  corners = [];

  /** Where the chart looks, once it has a view. @type {Viewport | null} */
  viewport = null;

  /** What is on the screen, on its way there. @type {Viewport | null} */
  shownViewport = null;

  /** When the view came, on the clock of the frames. */
  viewedAt = 0;

  /** Whether a ship is drawn beyond the edge. */
  hasShipBeyondEdge = false;

  /** What all of is shown; null where somebody has looked elsewhere. @type {Fitted | null} */
  #fitted = "ships";

  /** The least and the largest scale. @type {[number, number]} */
  #scales = [0, Infinity];

  #glidesUntil = 0;

  #isFrameAsked = false;

  /** The ship that was taken hold of last. @type {string | null} */
  #active = null;

  /** @type {TableView | null} */
  #view = null;

  /** @type {Selection} */
  #selection = {};

  /** @type {PairCheck | null} */
  #check = null;

  /** The stage of a salvo that is shown. @type {ShownStage | null} */
  #salvo = null;

  #editing = false;

  /** @type {Point[] | null} */
  #laying = null;

  // ---------- what pages set ----------

  get view() {
    return this.#view;
  }

  set view(view) {
    this.#view = view;
    this.#readView();
    this.#changed();
  }

  /** The ship that looks, and the one that she looks at. */
  get selection() {
    return this.#selection;
  }

  set selection(selection) {
    this.#selection = selection;
    this.#active = null;
    this.#changed();
    this.keepChosenInView();
  }

  /** What the server says of the two. */
  get check() {
    return this.#check;
  }

  set check(check) {
    this.#check = check;
    this.#changed();
  }

  /** The stage of a salvo that is shown. */
  get salvo() {
    return this.#salvo;
  }

  set salvo(salvo) {
    this.#salvo = salvo;
    this.draw();
  }

  /** Whether ships are moved by hand. */
  get editing() {
    return this.#editing;
  }

  set editing(editing) {
    this.#editing = editing;
    this.#changed();
  }

  /** The ends of a smoke front that is being laid. */
  get laying() {
    return this.#laying;
  }

  set laying(laying) {
    this.#laying = laying;
    this.#changed();
  }

  /** The heading that is up. Nearly a quarter becomes one. */
  get turned() {
    return this.settings.turned;
  }

  set turned(heading) {
    const quarter = Math.round(heading / QUARTER_DEG) * QUARTER_DEG;
    const isNearly = Math.abs(quarter - heading) < NEARLY_QUARTER_DEG;
    this.#saveSettings({ turned: wrapDegrees(isNearly ? quarter : heading) });
    if (this.#fitted) {
      this.#show(this.#fitted, true);
    } else if (this.viewport) {
      this.#aim({ ...this.viewport, heading: this.turned }, true);
    }
  }

  /**
   * Pixels at top and bottom that are covered.
   * @param {{ top: number, bottom: number }} covered
   */
  set inset({ top, bottom }) {
    this.screen.top = top;
    this.screen.bottom = bottom;
    this.#show(this.#fitted, this.#isPicture);
    this.keepChosenInView();
  }

  /** Whether nobody can touch it: the picture on a television. */
  get #isPicture() {
    return this.dataset.picture !== undefined;
  }

  #changed() {
    this.fields.follow();
    this.draw();
  }

  /** @param {Partial<Settings>} changes */
  #saveSettings(changes) {
    Object.assign(this.settings, changes);
    localStorage.setItem(STORE, JSON.stringify(this.settings));
    this.#changed();
  }

  // ---------- its elements ----------

  connectedCallback() {
    if (this.parts.sheet) {
      return;
    }
    const { content, parts } = openTemplate("chart-sheet");
    this.parts = parts;
    if (this.#isPicture) {
      Object.assign(this.settings, PICTURE_SETTINGS, { turned: 0 });
    }
    this.append(content);
    this.#listenToControls();
    followGestures(this);
    listen("salvo", (salvo) => {
      this.salvo = salvo;
    });
    new ResizeObserver(() => {
      this.screen.width = this.clientWidth;
      this.screen.height = this.clientHeight;
      this.#show(this.#fitted);
      this.keepChosenInView();
      this.draw();
    }).observe(this);
    // Ages grow and fonts come late, with no view to say so.
    setInterval(() => this.draw(), 1000);
    this.#readView();
  }

  #listenToControls() {
    const { controls, layers, batteries } = this.parts;
    controls.onclick = ({ target }) => {
      const button = target instanceof Element && target.closest("button");
      const { act, by } = (button && button.dataset) || {};
      if (act === "turn") {
        this.#turn();
      } else if (act === "fit") {
        this.#fit();
      } else if (act === "zoom") {
        this.zoom(Number(by));
      }
    };
    /** @type {NodeListOf<HTMLInputElement>} */
    const ticks = layers.querySelectorAll("input");
    for (const tick of ticks) {
      tick.checked = Boolean(this.settings[/** @type {keyof Settings} */ (tick.name)]);
    }
    layers.onchange = ({ target }) => {
      const { name, checked } = /** @type {HTMLInputElement} */ (target);
      this.#saveSettings({ [name]: checked });
    };
    batteries.onclick = ({ target }) => {
      const { battery } = /** @type {HTMLElement} */ (target).dataset;
      if (battery) {
        this.fields.show(battery);
      }
    };
  }

  #readView() {
    const view = this.#view;
    if (!view || !this.parts.sheet) {
      return;
    }
    const { title, ruleset_title: rules, yards_per_inch: yardsPerInch } = view.table;
    const { width_yards: x, height_yards: y } = view.table;
    const count = this.marks.size;
    const chosenWereInView = this.#chosenInView;
    this.corners = [ORIGIN, { x, y: 0 }, { x, y }, { x: 0, y }];
    this.viewedAt = performance.now();
    this.#glidesUntil = this.viewedAt + GLIDE_MS;
    this.#readShips(view);
    updateParts(this.parts, {
      title: { text: title },
      rules: { text: rules },
      scale: { text: t("chart.scale", { yards: figure(yardsPerInch) }) },
    });
    // Whoever has not looked elsewhere keeps all ships in sight.
    const hasOthers = this.#fitted && this.marks.size !== count;
    const hasLostOne = this.#fitted === "ships" && this.hasShipBeyondEdge;
    if (!this.viewport || hasOthers || hasLostOne || this.#fitsBadly()) {
      this.#show("ships", this.viewport !== null);
    }
    if (chosenWereInView) {
      this.keepChosenInView();
    }
  }

  /** Whether a picture that nobody can zoom shows ships much too small, or one of them not whole. */
  #fitsBadly() {
    if (!this.#isPicture || !this.viewport || !this.screen.width) {
      return false;
    }
    const { width, height, top, bottom } = this.screen;
    const matrix = matrixOf(this.viewport, this.screen);
    for (const { ship } of this.marks.values()) {
      const { x, y } = matrix.transformPoint(ship);
      const isWhole = Math.min(x, y - top, width - x, height - bottom - y) >= PICTURE_RIM;
      if (!isWhole) {
        return true;
      }
    }
    const { scale } = this.#fitOf("ships").viewport;
    return Math.max(scale / this.viewport.scale, this.viewport.scale / scale) > REFIT;
  }

  /** @param {Fitted} wanted */
  #fitOf(wanted) {
    const ships = [...this.marks.values()].map(({ ship }) => ship);
    const { controls } = this.parts;
    const buttons = controls.offsetWidth && this.screen.width - controls.offsetLeft;
    return fitViewport(wanted, ships, this.corners, this.turned, this.screen, buttons);
  }

  /** @param {TableView} view */
  #readShips(view) {
    const ships = /** @type {PlacedShip[]} */ (view.ships.filter((ship) => ship.placed));
    const names = new Set(ships.map((ship) => ship.name));
    for (const [name, { parts }] of this.marks) {
      if (!names.has(name)) {
        parts.node.remove();
        parts.tag.remove();
        this.marks.delete(name);
      }
    }
    for (const ship of ships) {
      const mark = this.marks.get(ship.name) ?? this.#addMark(ship);
      mark.ship = ship;
      if (mark.held && this.viewedAt > mark.held.until) {
        mark.held = null;
      }
      this.#describeShip(mark, view);
    }
  }

  /** @param {PlacedShip} ship */
  #addMark(ship) {
    const { parts } = openTemplate("chart-ship");
    const { x, y, heading } = ship;
    /** @type {ShipMark} */
    const mark = {
      parts,
      ship,
      pose: { x, y, heading },
      held: null,
      at: ORIGIN,
      turn: 0,
      length: 0,
      role: "",
      hull: boxAbout(ORIGIN, 0),
    };
    this.marks.set(ship.name, mark);
    this.parts.fleet.append(parts.node);
    this.parts.tags.append(parts.tag);
    return mark;
  }

  /**
   * What a ship looks like, wherever she is.
   * @param {ShipMark} mark
   * @param {TableView} view
   */
  #describeShip({ parts, ship }, view) {
    const { name, state, length_yards: length, width_yards: width } = ship;
    const seen = ship.conditions.map((condition) => t(`chart.condition_${condition}`));
    const beside = [...ship.marks, ...seen].join(" · ");
    const side = view.sides.find(({ key }) => key === ship.side);
    const shape = side?.shape;
    const kind = { "data-shape": shape, "data-colour": side?.colour, "data-state": state };
    const words = t("chart.ship", {
      name,
      side: side?.name,
      heading: Math.round(ship.heading),
      state: t(`chart.state_${state}`),
    });
    updateParts(parts, {
      node: {
        ...kind,
        "data-ship": name,
        "data-conditions": ship.conditions.join(" "),
        "aria-label": beside ? `${words}, ${beside}` : words,
      },
      tag: kind,
      name: { text: name },
      beside: { text: beside },
      letter: { text: side?.letter },
      shape: { href: `#base-${shape}` },
      hull: { href: `#ship-${ship.silhouette}-plain` },
      detail: { href: `#ship-${ship.silhouette}` },
      sign: { href: `#mark-${state}` },
      base: { x: -width / 2, y: -length / 2, width, height: length },
      spread: { r: 2 * ship.sigma_yards },
    });
  }

  // ---------- where it looks ----------

  /**
   * The place on the table under a pixel.
   * @param {Point} pixel
   * @param {Viewport} viewport
   * @returns {Point}
   */
  #placeUnder(pixel, viewport) {
    return matrixOf(viewport, this.screen).inverse().transformPoint(pixel);
  }

  /**
   * The nearest place on the table, in whole yards.
   * @param {Point} place
   * @returns {Point}
   */
  #onTable({ x, y }) {
    const { x: width, y: height } = this.corners[2];
    return { x: Math.round(clamp(x, 0, width)), y: Math.round(clamp(y, 0, height)) };
  }

  /** Draw with the next frame; ships and viewport come a part of their way with each. */
  draw() {
    if (this.#isFrameAsked) {
      return;
    }
    this.#isFrameAsked = true;
    requestAnimationFrame((now) => {
      this.#isFrameAsked = false;
      this.#drawFrame(now);
    });
  }

  /** @param {number} now */
  #drawFrame(now) {
    const { viewport, shownViewport } = this;
    if (!viewport || !shownViewport) {
      return;
    }
    const part = reducedMotion.matches || now > this.#glidesUntil ? 1 : GLIDE_PART;
    this.shownViewport = viewportBetween(shownViewport, viewport, part);
    for (const mark of this.marks.values()) {
      mark.pose = mark.held ?? poseBetween(mark.pose, mark.ship, part);
    }
    paint(this, matrixOf(this.shownViewport, this.screen), now);
    if (part < 1) {
      this.draw();
    }
  }

  /**
   * Show all ships, or the whole table.
   * @param {Fitted | null} wanted
   * @param {boolean} [glide]
   */
  #show(wanted, glide = false) {
    if (!this.screen.width || this.corners.length === 0 || !wanted) {
      return;
    }
    const fit = this.#fitOf(wanted);
    this.#scales = fit.scales;
    this.#aim(fit.viewport, glide, fit.fitted);
  }

  /**
   * @param {Viewport} viewport
   * @param {boolean} glide
   * @param {Fitted | null} [fitted]
   */
  #aim(viewport, glide, fitted = null) {
    this.viewport = viewport;
    this.#fitted = fitted;
    if (!glide || !this.shownViewport) {
      this.shownViewport = viewport;
    }
    this.#glidesUntil = performance.now() + GLIDE_MS;
    this.draw();
  }

  /**
   * How far the middle of a chosen ship is from where she is whole in view, in pixels.
   * @param {string | null | undefined} name
   * @param {Viewport} viewport
   * @returns {{ from: Point, to: Point } | null} null where she is
   */
  #wayIntoView(name, viewport) {
    const mark = this.marks.get(name ?? "");
    const { width, height, top, bottom } = this.screen;
    if (!mark || !width) {
      return null;
    }
    const from = matrixOf(viewport, this.screen).transformPoint(mark.held ?? mark.ship);
    const room = Math.max(mark.ship.length_yards * viewport.scale, SHIP_REACH) * 0.8;
    // The controls are at the right, the batteries of a field of fire at the top.
    const { batteries, controls } = this.parts;
    const right = width - controls.offsetWidth - CHOSEN_RIM;
    const under = batteries.offsetHeight && batteries.offsetTop + batteries.offsetHeight;
    const free = Math.max(top, under);
    const to = {
      x: clamp(from.x, Math.min(room, right / 2), Math.max(right - room, right / 2)),
      y: clamp(from.y, free + room, Math.max(height - bottom - room, free + room)),
    };
    return distance(from, to) > 1 ? { from, to } : null;
  }

  /** The ships that are chosen, the latest last. */
  get #chosen() {
    const { firer, target } = this.#selection;
    return [firer, target].filter((name) => this.marks.has(name ?? ""));
  }

  get #chosenInView() {
    const { viewport } = this;
    return viewport && this.#chosen.every((name) => !this.#wayIntoView(name, viewport));
  }

  /** Whoever is chosen is whole in view. */
  keepChosenInView() {
    for (const name of this.#chosen) {
      const way = this.viewport && this.#wayIntoView(name, this.viewport);
      if (way) {
        const fitted = this.#fitted;
        this.look(way.from, way.to, 1, 0, true);
        this.#fitted = fitted;
      }
    }
  }

  /** All ships, then the whole table. */
  #fit() {
    this.#show(this.#fitted === "ships" ? "table" : "ships", true);
  }

  #turn() {
    this.turned = (Math.round(this.turned / QUARTER_DEG) + 1) * QUARTER_DEG;
  }

  /** @param {number} factor */
  zoom(factor) {
    const middle = { x: this.screen.width / 2, y: this.screen.height / 2 };
    this.look(middle, middle, factor, 0, true);
  }

  /**
   * Bring the water under one pixel to lie under another.
   * @param {Point} from
   * @param {Point} to
   * @param {number} [zoom]
   * @param {number} [turn]
   * @param {boolean} [glide]
   */
  look(from, to, zoom = 1, turn = 0, glide = false) {
    if (!this.viewport) {
      return;
    }
    const { x, y, scale, heading } = this.viewport;
    const viewport = {
      x,
      y,
      scale: clamp(scale * zoom, ...this.#scales),
      heading: wrapDegrees(heading - turn),
    };
    const before = this.#placeUnder(from, this.viewport);
    const after = this.#placeUnder(to, viewport);
    const middle = this.#onTable({ x: x + before.x - after.x, y: y + before.y - after.y });
    this.#aim({ ...viewport, ...middle }, glide);
  }

  // ---------- what is done on it ----------

  /**
   * @template {keyof Announcements} Kind
   * @param {Kind} kind
   * @param {Announcements[Kind]} detail
   */
  announce(kind, detail) {
    announce(kind, detail, this);
  }

  /** @param {Point} pixel */
  tapSea(pixel) {
    if (this.viewport) {
      const place = this.#onTable(this.#placeUnder(pixel, this.viewport));
      this.announce(this.editing ? "point" : "clear", place);
    }
  }

  /**
   * The nearest ship that a finger hits.
   * @param {Point} pixel
   */
  shipAt(pixel) {
    /** @type {ShipMark | null} */
    let nearest = null;
    let nearestDistance = Infinity;
    for (const mark of this.marks.values()) {
      const away = distance(mark.at, pixel);
      if (away < Math.max(SHIP_REACH, mark.length * 0.6) && away < nearestDistance) {
        nearest = mark;
        nearestDistance = away;
      }
    }
    return nearest;
  }

  /** The ship that has a knob to be turned by. */
  get inHand() {
    if (!this.editing) {
      return null;
    }
    const mark = this.marks.get(this.#active ?? "");
    return mark ?? this.marks.get(this.selection.firer ?? "") ?? null;
  }

  /**
   * Where a ship's knob is, in pixels.
   * @param {ShipMark} mark
   */
  knobOf({ at, turn, length }) {
    return towards(at, turn, length / 2 + KNOB_GAP);
  }

  /**
   * A finger takes hold of the knob, or of a ship.
   * @param {Point} pixel
   * @returns {Grip | null}
   */
  grip(pixel) {
    const { inHand, viewport } = this;
    const turns = inHand && distance(this.knobOf(inHand), pixel) < KNOB_REACH;
    const mark = turns ? inHand : this.shipAt(pixel);
    if (!this.editing || this.laying || !mark || !viewport) {
      return null;
    }
    const { name } = mark.ship;
    const { pose } = mark;
    const start = this.#placeUnder(pixel, viewport);
    this.#active = name;
    /** @param {Point} to */
    const move = (to) => {
      const place = this.#placeUnder(to, this.viewport ?? viewport);
      if (turns) {
        this.#hold(mark, pose, 90 - Math.round(slopeDegrees(pose, place)));
      } else {
        const moved = { x: pose.x + place.x - start.x, y: pose.y + place.y - start.y };
        this.#hold(mark, moved, pose.heading);
      }
    };
    return { name, move };
  }

  /**
   * @param {ShipMark} mark
   * @param {Point} place
   * @param {number} heading
   */
  #hold(mark, place, heading) {
    mark.held = { ...this.#onTable(place), heading: wrapDegrees(heading), until: Infinity };
    this.draw();
  }

  /**
   * A ship has been moved: she stays there until the view has caught up.
   * @param {string} name
   */
  moved(name) {
    const held = this.marks.get(name)?.held;
    if (!held) {
      return;
    }
    const { x, y, heading } = held;
    held.until = performance.now() + CATCH_UP_MS;
    this.announce("moved", { name, x, y, heading });
  }

  /**
   * Move a ship by keys, in parts of her base; up is up on the screen.
   * @param {string} name
   * @param {Point} arrow
   * @param {number} part
   * @param {number} turnDeg
   */
  nudge(name, arrow, part, turnDeg) {
    const mark = this.marks.get(name);
    if (!mark) {
      return;
    }
    const step = mark.ship.length_yards * part;
    const { x, y, heading } = mark.held ?? mark.ship;
    const toTable = new DOMMatrix().translate(x, y).rotate(-this.turned).scale(step, -step);
    this.#active = name;
    this.#hold(mark, toTable.transformPoint(arrow), heading + turnDeg);
    clearTimeout(mark.nudgeTimer);
    mark.nudgeTimer = setTimeout(() => this.moved(name), NUDGE_MS);
  }

  /**
   * A ship goes back to where the view says that she is.
   * @param {string} name
   */
  release(name) {
    const mark = this.marks.get(name);
    if (mark) {
      mark.held = null;
      this.draw();
    }
  }
}

customElements.define("dreyer-chart", DreyerChart);
