/**
 * A few small sounds, made of oscillators and noise as they are needed: there are no files. They are off until the reader turns
 * them on in the settings.
 *
 * @typedef {"lay"|"turn"|"shuffle"|"win"} Sound
 * @typedef {{at: number, pitch: number, seconds: number, loudness: number, wave?: OscillatorType}} Tone `wave` is missing for noise,
 *   whose band has the pitch in its middle; `at` is in seconds from the beginning
 */
import { setting } from "../settings/settings.js";

/** What each sound is made of. @type {Record<Sound, Tone[]>} */
export const SOUNDS = {
  lay: [
    { at: 0, pitch: 900, seconds: 0.05, loudness: 0.5 },
    { at: 0, pitch: 150, seconds: 0.07, loudness: 0.25, wave: "sine" },
  ],
  turn: [{ at: 0, pitch: 2200, seconds: 0.06, loudness: 0.3 }, { at: 0.05, pitch: 1200, seconds: 0.05, loudness: 0.4 }],
  shuffle: Array.from({ length: 9 }, (_, index) => ({ at: index * 0.045, pitch: 1500 + 120 * (index % 3), seconds: 0.05, loudness: 0.28 })),
  win: [523.25, 659.25, 783.99, 1046.5].map((pitch, index) => (
    { at: index * 0.12, pitch, seconds: index === 3 ? 0.7 : 0.3, loudness: 0.22, wave: "triangle" })),
};
const LOUDNESS = 0.5;
/** A sound begins no sooner than this after one of its kind, so that many cards at once are one sound. */
const MIN_GAP_SECONDS = 0.05;

/** @type {AudioContext|null} */
let context = null;
/** @type {AudioBuffer|null} */
let noise = null;
/** When each sound last began, on the clock of the context. @type {Map<Sound, number>} */
const begun = new Map();

/** Play a sound, if the reader wants sounds and the browser has any. @param {Sound} sound */
export function playSound(sound) {
  if (setting("sound") !== true || !globalThis.AudioContext) return;
  context ??= new AudioContext();
  const running = context;
  if (running.state === "suspended") running.resume().catch(() => {});
  const now = running.currentTime;
  if (now - (begun.get(sound) ?? -1) < MIN_GAP_SECONDS) return;
  begun.set(sound, now);
  for (const tone of SOUNDS[sound]) playTone(running, tone, now);
}

/** @param {AudioContext} running @param {Tone} tone @param {number} now */
function playTone(running, { at, pitch, seconds, loudness, wave }, now) {
  const begins = now + at;
  const volume = new GainNode(running, { gain: 0 });
  volume.gain.setValueAtTime(0, begins);
  volume.gain.linearRampToValueAtTime(loudness * LOUDNESS, begins + 0.006);
  volume.gain.exponentialRampToValueAtTime(0.0001, begins + seconds);
  volume.connect(running.destination);
  const source = wave ? new OscillatorNode(running, { type: wave, frequency: pitch }) : new AudioBufferSourceNode(running, { buffer: noiseOf(running) });
  if (wave) source.connect(volume);
  else source.connect(new BiquadFilterNode(running, { type: "bandpass", frequency: pitch, Q: 1.2 })).connect(volume);
  source.start(begins);
  source.stop(begins + seconds);
}

/** Half a second of noise. @param {AudioContext} running */
function noiseOf(running) {
  if (!noise) {
    noise = new AudioBuffer({ length: running.sampleRate / 2, sampleRate: running.sampleRate });
    const samples = noise.getChannelData(0);
    for (let index = 0; index < samples.length; index += 1) samples[index] = 2 * Math.random() - 1;
  }
  return noise;
}
