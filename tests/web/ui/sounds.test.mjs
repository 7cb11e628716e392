import assert from "node:assert/strict";
import { test } from "node:test";

/** What an audio context was asked for: sources with the second they begin and end. */
const started = [];
let contexts = 0;

class Node {
  constructor(_context, settings = {}) {
    Object.assign(this, settings);
    this.gain = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
  }
  connect(next) { return next; }
  start(at) { this.begins = at; }
  stop(at) { started.push({ begins: this.begins, seconds: at - this.begins }); }
}
Object.assign(globalThis, {
  AudioContext: class {
    state = "running";
    currentTime = 5;
    sampleRate = 100;
    destination = {};
    constructor() { contexts += 1; }
  },
  AudioBuffer: class { getChannelData() { return new Float32Array(50); } },
  GainNode: Node, OscillatorNode: Node, AudioBufferSourceNode: Node, BiquadFilterNode: Node,
});
const { SOUNDS, playSound } = await import("../../../clients/web/js/ui/sounds.js");
const { changeSettings } = await import("../../../clients/web/js/settings/settings.js");

test("nothing sounds, and no audio is opened, until somebody turns sounds on", () => {
  playSound("win");
  assert.deepEqual([started, contexts], [[], 0]);
});

test("each sound is played tone by tone, and two of a kind at once are one", () => {
  changeSettings({ sound: true });
  for (const sound of ["lay", "lay", "turn", "shuffle", "win"]) playSound(sound);
  const expected = ["lay", "turn", "shuffle", "win"].flatMap((sound) => SOUNDS[sound].map(({ at }) => 5 + at));
  assert.deepEqual(started.map(({ begins }) => begins), expected);
  assert.equal(contexts, 1);
});

test("every sound is short", () => {
  for (const [name, tones] of Object.entries(SOUNDS)) {
    const seconds = Math.max(...tones.map((tone) => tone.at + tone.seconds));
    assert.ok(seconds <= (name === "win" ? 1.2 : 0.5), `${name} lasts ${seconds} s`);
  }
});
