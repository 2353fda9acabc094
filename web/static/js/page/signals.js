// Sound, vibration and reading aloud, each with a switch that this browser keeps. A page calls signal("turn"); what a
// switch, the device or prefers-reduced-motion forbids is left out in silence.
import { announce, closest, findAll, listen } from "../common/dom.js";

/** @import { Switches } from "../common/types.js" */

/**
 * A part of a sound: a tone that may slide to another pitch, or noise through a filter that does.
 * @typedef {object} Voice
 * @property {"tone" | "noise"} kind
 * @property {number} hz where its pitch or the filter begins
 * @property {number} [toHz] where it ends
 * @property {OscillatorType} [wave]
 * @property {BiquadFilterType} [filter]
 * @property {number} [at] in seconds after the sound begins
 * @property {number} seconds until it has died away
 * @property {number} [rise] in seconds until it is loudest
 * @property {number} loudness from 0 to 1
 */

/** @typedef {{ voices: Voice[], pulses: number[] }} Signal */

const STORE = "dreyer-signals";
const TOUCHED = "dreyer-touched";
const NOISE_SECONDS = 2;
/** Nothing is louder than this, since phones lie close to people. */
const LOUDEST = 0.5;
const SILENCE = 0.0001;
const FIRST_RISE = 0.005;

/**
 * A stroke of a ship's bell.
 * @param {number} at
 * @param {number} loudness
 * @returns {Voice[]}
 */
const bell = (at, loudness) => [
  { kind: "tone", hz: 1180, at, seconds: 1.1, loudness },
  { kind: "tone", hz: 2790, at, seconds: 0.5, loudness: loudness * 0.4 },
  { kind: "tone", hz: 4620, at, seconds: 0.18, loudness: loudness * 0.2 },
];

/**
 * A short knock, as of a die on a table.
 * @param {number} at
 * @param {number} hz
 * @returns {Voice}
 */
const knock = (at, hz) => ({
  kind: "noise",
  filter: "bandpass",
  hz,
  at,
  seconds: 0.05,
  loudness: 0.7,
});

/**
 * What each signal sounds like, and its pulses and pauses in milliseconds.
 * @satisfies {Record<string, Signal>}
 */
const SIGNALS = {
  turn: { voices: [...bell(0, 0.35), ...bell(0.32, 0.35)], pulses: [90, 90, 90] },
  nudge: {
    voices: [...bell(0, 0.3), ...bell(0.16, 0.3), ...bell(0.5, 0.3), ...bell(0.66, 0.3)],
    pulses: [60, 60, 60, 160, 60, 60, 60],
  },
  dice: { voices: [knock(0, 2600), knock(0.07, 1900), knock(0.17, 2300)], pulses: [15] },
  gun: {
    voices: [
      { kind: "noise", filter: "lowpass", hz: 1400, toHz: 90, seconds: 0.9, loudness: 0.9 },
      { kind: "tone", hz: 110, toHz: 34, seconds: 0.5, loudness: 0.8 },
    ],
    pulses: [40],
  },
  splash: {
    voices: [
      {
        kind: "noise",
        filter: "bandpass",
        hz: 500,
        toHz: 2600,
        seconds: 0.75,
        rise: 0.16,
        loudness: 0.7,
      },
    ],
    pulses: [],
  },
  hit: {
    voices: [
      { kind: "noise", filter: "lowpass", hz: 3200, toHz: 140, seconds: 0.6, loudness: 0.9 },
      { kind: "tone", wave: "triangle", hz: 190, toHz: 55, seconds: 0.4, loudness: 0.6 },
    ],
    pulses: [120],
  },
  ricochet: {
    voices: [
      { kind: "noise", filter: "bandpass", hz: 2400, seconds: 0.08, loudness: 0.7 },
      { kind: "tone", wave: "triangle", hz: 1500, toHz: 620, seconds: 0.45, loudness: 0.25 },
    ],
    pulses: [25],
  },
  sunk: {
    voices: [
      { kind: "noise", filter: "lowpass", hz: 900, toHz: 45, seconds: 1.9, loudness: 1 },
      { kind: "tone", wave: "sawtooth", hz: 92, toHz: 30, seconds: 1.8, rise: 0.3, loudness: 0.6 },
    ],
    pulses: [220, 80, 320],
  },
  no: {
    voices: [
      { kind: "tone", wave: "triangle", hz: 330, seconds: 0.16, loudness: 0.4 },
      { kind: "tone", wave: "triangle", hz: 247, at: 0.17, seconds: 0.28, loudness: 0.4 },
    ],
    pulses: [50, 60, 50],
  },
};

/** @typedef {keyof typeof SIGNALS} SignalName */

const stillness = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether this device can vibrate at all; iPhones cannot. */
export const canVibrate = "vibrate" in navigator;

/** Whether the person asks for as little motion as can be. */
export const isStill = () => stillness.matches;

/**
 * What was chosen in this browser. What was not is on, but for vibration where motion is to be little, and reading aloud.
 * @returns {Switches}
 */
export function switches() {
  /** @type {Partial<Switches>} */
  let chosen = {};
  try {
    chosen = JSON.parse(localStorage.getItem(STORE) ?? "{}");
  } catch {
    // What stands there is not ours.
  }
  const vibration = chosen.vibration ?? !isStill();
  return {
    sound: chosen.sound ?? true,
    vibration: canVibrate && vibration,
    speech: chosen.speech ?? false,
  };
}

/**
 * Turn sound, vibration or reading aloud on or off in this browser, for all of its pages.
 * @param {keyof Switches} name
 * @param {boolean} isOn
 */
export function turn(name, isOn) {
  const chosen = { ...switches(), [name]: isOn };
  localStorage.setItem(STORE, JSON.stringify(chosen));
  announce("switches", chosen);
}

let isTouched = false;
/** @type {AudioContext | undefined} */
let audio;
/** @type {AudioBuffer | undefined} */
let noise;

/** The device's sound, once a person has touched a page of this tab. */
function findAudio() {
  if (!audio && sessionStorage.getItem(TOUCHED) && switches().sound) {
    audio = new AudioContext();
  }
  return audio;
}

/** @param {BaseAudioContext} context */
function noiseOf(context) {
  if (!noise) {
    noise = context.createBuffer(1, NOISE_SECONDS * context.sampleRate, context.sampleRate);
    const samples = noise.getChannelData(0);
    for (let place = 0; place < samples.length; place += 1) {
      samples[place] = Math.random() * 2 - 1;
    }
  }
  return noise;
}

/**
 * The source of a voice, and what its pitch is.
 * @param {BaseAudioContext} context
 * @param {Voice} voice
 * @returns {{ source: AudioScheduledSourceNode, end: AudioNode, pitch: AudioParam }}
 */
function sourceOf(context, { kind, wave = "sine", filter = "lowpass" }) {
  if (kind === "tone") {
    const source = new OscillatorNode(context, { type: wave });
    return { source, end: source, pitch: source.frequency };
  }
  const source = new AudioBufferSourceNode(context, { buffer: noiseOf(context), loop: true });
  const end = new BiquadFilterNode(context, { type: filter });
  source.connect(end);
  return { source, end, pitch: end.frequency };
}

/**
 * @param {BaseAudioContext} context
 * @param {Voice} voice
 * @param {number} begin
 */
function sound(context, voice, begin) {
  const { hz, toHz = hz, at = 0, seconds, rise = FIRST_RISE, loudness } = voice;
  const { source, end, pitch } = sourceOf(context, voice);
  const [from, until] = [begin + at, begin + at + seconds];
  const volume = new GainNode(context, { gain: SILENCE });
  volume.gain.setValueAtTime(SILENCE, from);
  volume.gain.exponentialRampToValueAtTime(loudness * LOUDEST, from + rise);
  volume.gain.exponentialRampToValueAtTime(SILENCE, until);
  pitch.setValueAtTime(hz, from);
  pitch.exponentialRampToValueAtTime(toHz, until);
  end.connect(volume).connect(context.destination);
  source.start(from);
  source.stop(until);
}

/**
 * Play a signal's sound alone.
 * @param {SignalName} name
 * @param {number} [delay] in seconds
 */
export function play(name, delay = 0) {
  const context = switches().sound ? findAudio() : undefined;
  // Before the first touch the browser allows no sound; one that comes late would say what is past.
  if (context?.state !== "running") {
    return;
  }
  for (const voice of SIGNALS[name].voices) {
    sound(context, voice, context.currentTime + delay);
  }
}

/**
 * Give a signal's vibration alone.
 * @param {SignalName} name
 */
export function vibrate(name) {
  const { pulses } = SIGNALS[name];
  // Browsers refuse it to a page that nobody has touched.
  if (pulses.length && isTouched && switches().vibration) {
    navigator.vibrate(pulses);
  }
}

/**
 * Give a signal: its sound and its vibration, as far as they are on.
 * @param {SignalName} name
 */
export function signal(name) {
  play(name);
  vibrate(name);
}

/** A person has touched the page: from now on there may be sound. */
function wake() {
  isTouched = true;
  sessionStorage.setItem(TOUCHED, "yes");
  const context = findAudio();
  if (context?.state === "suspended") {
    context.resume();
  }
}

/** Show in the menu what is on. */
function showSwitches() {
  const now = switches();
  for (const button of findAll("[data-switch]")) {
    const name = /** @type {keyof Switches} */ (button.dataset.switch);
    button.ariaChecked = String(now[name]);
  }
  for (const note of findAll("[data-missing]")) {
    note.hidden = canVibrate;
    /** @type {HTMLButtonElement} */ (note.closest("button")).disabled = !canVibrate;
  }
}

for (const gesture of ["pointerup", "keydown"]) {
  addEventListener(gesture, wake, { capture: true, passive: true });
}
document.addEventListener("click", (event) => {
  const name = /** @type {keyof Switches | undefined} */ (
    closest(event, "[data-switch]")?.dataset.switch
  );
  if (!name) {
    return;
  }
  const isOn = !switches()[name];
  turn(name, isOn);
  if (isOn && name === "sound") {
    play("turn");
  }
  if (isOn && name === "vibration") {
    vibrate("turn");
  }
});
// Another tab of this browser may have changed them.
addEventListener("storage", showSwitches);
listen("switches", showSwitches);
showSwitches();
