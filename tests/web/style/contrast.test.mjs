import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const sheet = readFileSync(new URL("../../../clients/web/style/base.css", import.meta.url), "utf8");
const TEXT = 4.5;
const SIGN = 3;
/** The lightest background of a text on the table: `.deal.fresh` in daily.css. */
const VEIL = 0x12 / 255;

test("texts on the page and its panels have enough contrast, in light and in dark", () => {
  for (const colours of modes(tables()[0])) {
    for (const ground of ["page", "panel"]) {
      for (const ink of ["ink", "soft", "accent", "grave", "gold"]) assertContrast(colours, ink, ground, TEXT);
      for (const sign of ["edge", "focus"]) assertContrast(colours, sign, ground, SIGN);
    }
    assertContrast(colours, "accent-ink", "accent", TEXT);
    assertContrast(colours, "bar-ink", "bar", TEXT);
  }
});

test("texts on every table have enough contrast, in light and in dark, on a highlighted deal too", () => {
  for (const table of tables()) {
    for (const colours of modes(table)) {
      const veiled = { ...colours, veiled: colours.felt.map((part) => part + (1 - part) * VEIL) };
      for (const ground of ["felt", "felt-deep", "veiled"]) {
        for (const ink of ["felt-ink", "felt-soft", "brass"]) assertContrast(veiled, ink, ground, TEXT);
      }
    }
  }
});

function assertContrast(colours, ink, ground, least) {
  const found = contrast(colours[ink], colours[ground]);
  assert.ok(found >= least, `${ink} on ${ground} of the ${colours.table} table, ${colours.mode}: ${found.toFixed(2)}`);
}

/** The custom colours of every table, the default one first, each as [light, dark]. */
function tables() {
  const blocks = [...sheet.matchAll(/:root(?:\[data-table="(\w+)"\])? \{([^}]*--felt:[^}]*)\}/g)];
  const read = (text) => [...text.matchAll(/--([a-z-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g)]
    .map(([, name, light, dark, both]) => [name, [light ?? both, dark ?? both]]);
  const [plain, ...others] = blocks.map(([, table = "green", text]) => ({ table, ...Object.fromEntries(read(text)) }));
  return [plain, ...others.map((other) => ({ ...plain, ...other }))];
}

function modes({ table, ...colours }) {
  return ["light", "dark"].map((mode, index) =>
    ({ table, mode, ...Object.fromEntries(Object.entries(colours).map(([name, both]) => [name, parts(both[index])])) }));
}

const parts = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);

/** The contrast ratio as the Web Content Accessibility Guidelines define it. */
function contrast(one, other) {
  const luminance = (colour) => {
    const [red, green, blue] = colour.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test("there are four tables", () => {
  assert.deepEqual(tables().map(({ table }) => table), ["green", "blue", "wine", "slate"]);
});
