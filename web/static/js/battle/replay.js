// <dreyer-replay>: a battle from its start, played or scrubbed through, on a page, a television or in a saved file.
import { lineThrough, placedAt, updateParts } from "../chart/elements.js";
import { FreeSpace, leaderOf } from "../chart/labels.js";
import {
  boundsOf,
  boxAbout,
  clamp,
  distance,
  pointBetween,
  poseBetween,
  towards,
} from "../common/geometry.js";

/** @import { Parts } from "../chart/elements.js" */
/** @import { Point, Pose, SideView } from "../common/types.js" */

/**
 * What the server sends (web/battle/report/replay.py).
 * @typedef {Pose & { status: "in action" | "gone" | "sunk" }} Position
 * @typedef {{ words: string, firer: string | null, target: string | null, side: string | null, hits: number }} Step
 *
 * @typedef {object} Segment
 * @property {string} title
 * @property {Record<string, Position>} ships
 * @property {Record<string, [number, number][]>} paths
 * @property {[[number, number], [number, number]][]} smoke
 * @property {Step[]} steps
 * @property {string | null} photo
 *
 * @typedef {object} Battle
 * @property {SideView[]} sides
 * @property {{ name: string, side: string, silhouette: string }[]} ships
 * @property {[number, number] | null} table
 * @property {Record<string, Position>} start
 * @property {Segment[]} segments
 *
 * A segment on the timeline, in milliseconds: its ships move first, then its steps follow one another.
 * @typedef {{ from: number, moveMs: number, stepMs: number, end: number }} Span
 *
 * A ship as she is drawn.
 * @typedef {{ node: Element, tag: HTMLElement, side: SideView }} ShipMark
 */

const MOVE_MS = 1800;
const STEP_MS = 900;
/** Of a segment with many salvos each is shorter. */
const MOST_STEPS_MS = 9000;
const HOLD_MS = 700;
/** Without moving pictures each segment stays so long. */
const STILL_MS = 2500;
/** A television waits so long before it begins anew. */
const LOOP_MS = 6000;
/** How far an arrow key goes: a quarter of a move, or half a salvo. */
const KEY_MS = 400;
/** @type {Record<string, number>} */
const KEY_WAYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };
/** The part of a step in which shells fly. */
const FLIGHT = 0.5;
const SPLASHES = 4;
const RIM = 70;
const FEW = 12;
const NAME_GAPS = [3, 10, 22];
const LEAST_YARDS = 6000;

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
const SVG = "http://www.w3.org/2000/svg";

export class DreyerReplay extends HTMLElement {
  /** @type {Parts} */
  #parts = {};

  /** @type {Battle | null} */
  #battle = null;

  /** @type {Span[]} */
  #spans = [];

  /** @type {Map<string, ShipMark>} */
  #marks = new Map();

  /** Where on the timeline it is, in milliseconds. */
  #time = 0;

  #isPlaying = false;

  #hasFilm = false;

  #lastFrame = 0;

  #isFrameAsked = false;

  #observer = new ResizeObserver(() => this.#ask());

  connectedCallback() {
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (
      this.querySelectorAll("[data-part]")
    )) {
      this.#parts[String(part.dataset.part)] = part;
    }
    const time = this.#timeField;
    if (time) {
      time.oninput = () => {
        this.pause();
        this.#go(Number(time.value));
      };
      time.onkeydown = (event) => {
        const way = KEY_WAYS[event.key];
        if (way) {
          event.preventDefault();
          this.pause();
          this.#go(this.#time + way * KEY_MS);
        }
      };
    }
    this.addEventListener("click", ({ target }) => {
      const button = target instanceof Element && target.closest("button");
      const act = button ? button.dataset.replay : "";
      if (act === "play") {
        this.toggle();
      } else if (act) {
        this.#leap(Number(act));
      }
    });
    const photos = this.#photosField;
    if (photos) {
      photos.onchange = () => this.#ask();
    }
    this.#observer.observe(this.#parts.stage);
    const { data } = this.#parts;
    if (data) {
      this.battle = JSON.parse(data.textContent ?? "null");
    } else if (!this.hidden) {
      this.load();
    }
  }

  disconnectedCallback() {
    this.pause();
    this.#observer.disconnect();
  }

  /** Fetch the battle from where the page says. */
  async load() {
    const answer = await fetch(String(this.dataset.source), { cache: "no-store" }).catch(
      () => null,
    );
    if (answer?.ok) {
      this.battle = await answer.json();
    }
  }

  get battle() {
    return this.#battle;
  }

  set battle(battle) {
    const wasAtEnd = this.#time >= this.#end;
    this.#battle = battle;
    this.#spans = battle ? spansOf(battle) : [];
    this.#makeShips();
    const time = this.#timeField;
    if (time) {
      time.max = String(this.#end);
    }
    this.#drawMarks();
    updateParts(this.#parts, { told: { text: "" } });
    this.toggleAttribute("data-empty", this.#spans.length === 0);
    this.#hasFilm = Boolean(battle?.table && battle.segments.some(({ photo }) => photo));
    if (this.#parts.film) {
      this.#parts.film.hidden = !this.#hasFilm;
    }
    this.#go(wasAtEnd && !this.#isLooping ? this.#end : Math.min(this.#time, this.#end));
    if (this.#isLooping && !this.#isPlaying) {
      this.play();
    }
  }

  /** Where a hand is on the timeline; a television has none. */
  get #timeField() {
    return /** @type {HTMLInputElement | undefined} */ (this.#parts.time);
  }

  get #photosField() {
    return /** @type {HTMLInputElement | undefined} */ (this.#parts.photos);
  }

  /** Whether the photos are shown: where a hand asks for them, and on a television wherever there are any. */
  get #isFilmShown() {
    return this.#hasFilm && (this.#photosField?.checked ?? this.#isLooping);
  }

  /** Whether it goes on by itself, for a room. */
  get #isLooping() {
    return this.dataset.loop !== undefined;
  }

  get #end() {
    return this.#spans.at(-1)?.end ?? 0;
  }

  play() {
    if (!this.#spans.length) {
      return;
    }
    if (this.#time >= this.#end) {
      this.#time = 0;
    }
    this.#isPlaying = true;
    this.#lastFrame = performance.now();
    this.#tellPlaying();
    this.#ask();
  }

  /** Back to the begin of the battle. */
  rewind() {
    this.#go(0);
  }

  pause() {
    this.#isPlaying = false;
    this.#tellPlaying();
  }

  toggle() {
    if (this.#isPlaying) {
      this.pause();
    } else {
      this.play();
    }
  }

  #tellPlaying() {
    this.toggleAttribute("data-playing", this.#isPlaying);
    const { play } = this.#parts;
    if (play) {
      play.ariaLabel = String(this.#isPlaying ? play.dataset.pause : play.dataset.play);
    }
  }

  /**
   * To the begin of another segment.
   * @param {number} way
   */
  #leap(way) {
    this.pause();
    const starts = [...this.#spans.map(({ from }) => from), this.#end];
    const next =
      way > 0
        ? starts.find((from) => from > this.#time + 1)
        : starts.findLast((from) => from < this.#time - 1);
    this.#go(next ?? (way > 0 ? this.#end : 0));
  }

  /** @param {number} time */
  #go(time) {
    this.#time = clamp(time, 0, this.#end);
    this.#ask();
  }

  #ask() {
    if (this.#isFrameAsked) {
      return;
    }
    this.#isFrameAsked = true;
    requestAnimationFrame((now) => {
      this.#isFrameAsked = false;
      this.#frame(now);
    });
  }

  /** @param {number} now */
  #frame(now) {
    if (this.#isPlaying) {
      const passed = Math.min(now - this.#lastFrame, 100);
      this.#lastFrame = now;
      this.#advance(passed);
      this.#ask();
    }
    this.#paint();
  }

  /** @param {number} passed in milliseconds */
  #advance(passed) {
    if (reducedMotion.matches) {
      const span = this.#spans.find(({ end }) => end > this.#time);
      const length = span ? span.end - span.from : STILL_MS;
      this.#time += (passed * length) / STILL_MS;
    } else {
      this.#time += passed;
    }
    if (this.#time < this.#end) {
      return;
    }
    if (this.#isLooping) {
      if (this.#time > this.#end + LOOP_MS) {
        this.#time = 0;
      }
    } else {
      this.#time = this.#end;
      this.pause();
    }
  }

  // ---------- what is drawn ----------

  #makeShips() {
    for (const { node, tag } of this.#marks.values()) {
      node.remove();
      tag.remove();
    }
    this.#marks.clear();
    for (const { name, side: key, silhouette } of this.#battle?.ships ?? []) {
      const side = /** @type {SideView} */ (this.#battle?.sides.find((each) => each.key === key));
      const node = document.createElementNS(SVG, "use");
      node.setAttribute("href", `#replay-${silhouette}`);
      node.setAttribute("class", `side-${side?.colour}`);
      node.dataset.ship = name;
      this.#parts.ships.append(node);
      const tag = document.createElement("span");
      tag.className = `side-${side?.colour}`;
      tag.textContent = name;
      this.#parts.names.append(tag);
      this.#marks.set(name, { node, tag, side });
    }
  }

  /** The marks on the timeline: where segments begin, and where ships were hit. */
  #drawMarks() {
    const all = this.#end || 1;
    const marks = this.#spans.flatMap((span, place) => {
      const segment = /** @type {Battle} */ (this.#battle).segments[place];
      const hits = segment.steps.flatMap((each, step) =>
        each.hits
          ? [{ class: "hit", at: span.from + span.moveMs + span.stepMs * (step + 0.5) }]
          : [],
      );
      return [{ class: "begin", at: span.from }, ...hits];
    });
    updateParts(this.#parts, {
      marks: marks.map(({ class: name, at }) => ({
        class: name,
        x1: (at / all) * 100,
        x2: (at / all) * 100,
        y1: name === "hit" ? 0 : 2,
        y2: 10,
      })),
    });
  }

  /** The segment that is shown, and how far it is. */
  #now() {
    const last = this.#spans.length - 1;
    const place = this.#spans.findIndex(({ end }) => this.#time < end);
    const index = place < 0 ? last : place;
    const span = this.#spans[index];
    const isStill = reducedMotion.matches && this.#isPlaying;
    const into = isStill ? span.end - span.from : Math.min(this.#time, span.end) - span.from;
    return {
      index,
      moved: clamp(into / span.moveMs, 0, 1),
      step: (into - span.moveMs) / span.stepMs,
    };
  }

  #paint() {
    const battle = this.#battle;
    const { clientWidth: width, clientHeight: height } = this.#parts.stage;
    if (!battle || !this.#spans.length || !width) {
      return;
    }
    const { index, moved, step } = this.#now();
    const segment = battle.segments[index];
    const before = index ? battle.segments[index - 1].ships : battle.start;
    const isFilm = Boolean(this.#isFilmShown);
    const photo = isFilm && segment.photo;
    const matrix = matrixOver(battle, width, height, isFilm);
    const scale = matrix.a;
    const size = clamp(width / (this.#marks.size > FEW ? 30 : 24), 22, 46);
    /** @param {string} name */
    const poseOf = (name) => {
      const now = segment.ships[name];
      const from = before[name] ?? now;
      return now && alongWay(segment.paths[name], from, now, moved);
    };
    /** @type {Map<string, { at: Point, turn: number }>} */
    const places = new Map();
    for (const name of this.#marks.keys()) {
      const pose = poseOf(name);
      if (pose) {
        const at = matrix.transformPoint(pose);
        places.set(name, { at: { x: at.x, y: at.y }, turn: pose.heading });
      }
    }
    /** @param {string} name */
    const fateOf = (name) => {
      const isTold = step >= segment.steps.length;
      return (isTold ? segment.ships : before)[name]?.status ?? "in action";
    };
    const photoBox = photo ? tableBox(matrix, battle.table ?? [0, 0]) : null;
    updateParts(this.#parts, {
      photo: photoBox ? { href: photo, ...photoBox } : { href: "", width: 0, height: 0 },
      tracks: this.#tracks(index, moved, matrix),
      smokes: segment.smoke.map(([from, to]) => ({
        d: lineThrough(
          matrix.transformPoint({ x: from[0], y: from[1] }),
          matrix.transformPoint({ x: to[0], y: to[1] }),
        ),
      })),
      ...shots(segment, step, places, battle.sides, size),
      title: { text: segment.title },
      hand: { x: (Math.min(this.#time, this.#end) / this.#end) * 100 },
      told: { text: toldOf(segment, step) },
      bar: barOf(scale, height),
      barwords: { text: this.#barWords(scale), y: height - 18 },
    });
    const time = this.#timeField;
    if (time) {
      time.value = String(Math.min(this.#time, this.#end));
      time.setAttribute("aria-valuetext", segment.title);
    }
    this.#placeShips(places, fateOf, size, { width, height });
  }

  /** @param {number} scale */
  #barWords(scale) {
    const yards = barYards(scale).toLocaleString(document.documentElement.lang || undefined);
    return String(this.#parts.barwords.dataset.words).replace("{yards}", yards);
  }

  /**
   * The ways so far: those of this segment as far as the ships are.
   * @param {number} index
   * @param {number} moved
   * @param {DOMMatrix} matrix
   */
  #tracks(index, moved, matrix) {
    const segments = /** @type {Battle} */ (this.#battle).segments.slice(0, index + 1);
    return segments.flatMap(({ paths }, place) =>
      Object.entries(paths).map(([name, points]) => {
        const isLatest = place === index;
        const way = isLatest ? cutWay(points, moved) : points.map(([x, y]) => ({ x, y }));
        return {
          d: lineThrough(...way.map((point) => matrix.transformPoint(point))),
          class: `side-${this.#marks.get(name)?.side?.colour} ${isLatest ? "latest" : ""}`,
        };
      }),
    );
  }

  /**
   * @param {Map<string, { at: Point, turn: number }>} places
   * @param {(name: string) => string} fateOf
   * @param {number} size
   * @param {{ width: number, height: number }} stage
   */
  #placeShips(places, fateOf, size, { width, height }) {
    const room = boxAbout({ x: width / 2, y: height / 2 }, width - 8, height - 8);
    const space = new FreeSpace(room);
    // The scale is in the lower left corner, what happens above it.
    space.take(boxAbout({ x: 80, y: height - 24 }, 160, 40));
    const { told } = this.#parts;
    space.take(
      boxAbout(
        { x: width / 2, y: told.offsetTop + told.offsetHeight / 2 },
        told.offsetWidth,
        told.offsetHeight,
      ),
    );
    const wrecks = [];
    /** @type {[ShipMark, import("../common/geometry.js").Box][]} */
    const named = [];
    for (const [name, mark] of this.#marks) {
      const place = places.get(name);
      const fate = fateOf(name);
      const { node, tag } = mark;
      node.classList.toggle("gone", fate === "gone");
      node.toggleAttribute("hidden", !place || fate === "sunk");
      if (!place) {
        tag.style.cssText = "visibility: hidden";
        continue;
      }
      const { at, turn } = place;
      const { transform } = placedAt(at, turn);
      updateParts(
        { node: /** @type {HTMLElement} */ (node) },
        { node: { transform: `${transform} scale(${size / 100})` } },
      );
      if (fate === "sunk") {
        wrecks.push({ d: crossAt(at, size * 0.3) });
      }
      tag.classList.toggle("sunk", fate === "sunk");
      const hull = boxAbout(at, size * 0.8);
      space.take(hull, boxAbout(towards(at, turn, size * 0.4), size * 0.4));
      named.push([mark, hull]);
    }
    const all = [...places.values()].map(({ at }) => at);
    const leaders = named.flatMap(([{ tag }, hull]) => {
      const spot = space.placeName(tag, hull, NAME_GAPS, true);
      const leader = spot && leaderOf(spot, hull, all);
      return leader ? [{ d: lineThrough(...leader) }] : [];
    });
    updateParts(this.#parts, { wrecks, leaders });
  }
}

/**
 * @param {Battle} battle
 * @returns {Span[]}
 */
function spansOf({ segments }) {
  /** @type {Span[]} */
  const spans = [];
  let from = 0;
  for (const { steps } of segments) {
    const stepMs = Math.min(STEP_MS, MOST_STEPS_MS / Math.max(steps.length, 1));
    const end = from + MOVE_MS + stepMs * steps.length + HOLD_MS;
    spans.push({ from, moveMs: MOVE_MS, stepMs, end });
    from = end;
  }
  return spans;
}

/**
 * From yards to pixels: so that all that ever happens is shown, or the whole table.
 * @param {Battle} battle
 * @param {number} width
 * @param {number} height
 * @param {boolean} isTable
 */
function matrixOver({ start, segments, table }, width, height, isTable) {
  const places =
    isTable && table
      ? [
          { x: 0, y: 0 },
          { x: table[0], y: table[1] },
        ]
      : [start, ...segments.map(({ ships }) => ships)].flatMap((ships) => Object.values(ships));
  const bounds = boundsOf(places);
  const rim = isTable ? 0 : Math.min(RIM, width / 8);
  const scale = Math.min(
    (width - 2 * rim) / Math.max(bounds.width, LEAST_YARDS),
    (height - 2 * rim) / Math.max(bounds.height, LEAST_YARDS / 2),
  );
  return new DOMMatrix()
    .translate(width / 2, height / 2)
    .scale(scale, -scale)
    .translate(-bounds.x, -bounds.y);
}

/**
 * @param {DOMMatrix} matrix
 * @param {[number, number]} table
 */
function tableBox(matrix, [width, height]) {
  const { x, y } = matrix.transformPoint({ x: 0, y: height });
  return { x, y, width: width * matrix.a, height: height * matrix.a };
}

/**
 * A way as far as its ship has come.
 * @param {[number, number][]} points
 * @param {number} part
 * @returns {Point[]}
 */
function cutWay(points, part) {
  const way = points.map(([x, y]) => ({ x, y }));
  const lengths = way.slice(1).map((point, place) => distance(way[place], point));
  let left = lengths.reduce((sum, length) => sum + length, 0) * part;
  const cut = [way[0]];
  for (const [place, length] of lengths.entries()) {
    if (left < length) {
      cut.push(pointBetween(way[place], way[place + 1], length ? left / length : 0));
      return cut;
    }
    cut.push(way[place + 1]);
    left -= length;
  }
  return cut;
}

/**
 * Where a ship is part of her way.
 * @param {[number, number][] | undefined} points
 * @param {Pose} from
 * @param {Pose} to
 * @param {number} part
 * @returns {Pose}
 */
function alongWay(points, from, to, part) {
  const pose = poseBetween(from, to, part);
  if (part >= 1 || !points || points.length < 2) {
    return part >= 1 ? to : pose;
  }
  return { ...pose, ...cutWay(points, part).at(-1) };
}

/**
 * The salvos that have been fired so far: the latest as it falls, the others as they fell.
 * @param {Segment} segment
 * @param {number} step
 * @param {Map<string, { at: Point }>} places
 * @param {SideView[]} sides
 * @param {number} size
 */
function shots({ steps }, step, places, sides, size) {
  const fires = [];
  const splashes = [];
  const bursts = [];
  const counts = [];
  for (const [number, { firer, target, side, hits }] of steps.entries()) {
    const from = places.get(firer ?? "")?.at;
    const to = places.get(target ?? "")?.at;
    const part = clamp(step - number, 0, 1);
    if (!from || !to || part === 0 || distance(from, to) < 1) {
      continue;
    }
    const colour = sides.find(({ key }) => key === side)?.colour;
    const isLatest = step < number + 1;
    const flown = Math.min(part / FLIGHT, 1);
    const tail = isLatest ? Math.max(flown - 0.35, 0) : 0;
    fires.push({
      d: lineThrough(pointBetween(from, to, tail), pointBetween(from, to, flown)),
      class: `side-${colour} ${isLatest ? "latest" : ""} ${hits ? "hits" : ""}`,
    });
    if (flown < 1) {
      continue;
    }
    const fallen = clamp((part - FLIGHT) / (1 - FLIGHT), 0, 1);
    if (isLatest && fallen < 1) {
      for (let splash = 0; splash < SPLASHES; splash += 1) {
        // They fall about the target, always alike.
        const at = towards(to, (number * 47 + splash * 91) % 360, size * (0.4 + 0.16 * splash));
        splashes.push({
          cx: at.x,
          cy: at.y,
          r: size * (0.05 + 0.13 * fallen),
          opacity: 1 - fallen,
        });
      }
    }
    if (hits) {
      const at = pointBetween(to, from, clamp((size * 0.75) / distance(from, to), 0, 0.5));
      bursts.push({ d: burstAt(at, size * (isLatest ? 0.3 + 0.1 * (1 - fallen) : 0.3)) });
      counts.push({ x: at.x, y: at.y, text: String(hits), "font-size": size * 0.34 });
    }
  }
  return { fires, splashes, bursts, counts };
}

/**
 * @param {Point} at
 * @param {number} radius
 */
function burstAt(at, radius) {
  const points = Array.from({ length: 16 }, (_, place) =>
    towards(at, place * 22.5, place % 2 ? radius : radius * 0.68),
  );
  return `${lineThrough(...points)}Z`;
}

/**
 * @param {Point} at
 * @param {number} half
 */
function crossAt({ x, y }, half) {
  return `M${x - half} ${y - half}L${x + half} ${y + half}M${x - half} ${y + half}L${x + half} ${y - half}`;
}

/**
 * What is told at this moment.
 * @param {Segment} segment
 * @param {number} step
 */
function toldOf({ steps }, step) {
  if (step < 0 || !steps.length) {
    return "";
  }
  return steps[Math.min(Math.floor(step), steps.length - 1)].words;
}

/** @param {number} scale */
function barYards(scale) {
  const most = 130 / scale;
  const power = 10 ** Math.floor(Math.log10(most));
  return power * ([5, 2, 1].find((factor) => factor * power <= most) ?? 1);
}

/**
 * @param {number} scale
 * @param {number} height
 */
function barOf(scale, height) {
  const length = barYards(scale) * scale;
  const y = height - 12;
  return { d: `M14 ${y - 5}V${y}H${14 + length}V${y - 5}` };
}

customElements.define("dreyer-replay", DreyerReplay);
