import assert from "node:assert/strict";
import { test } from "node:test";

/** The symbols that the page has, by id: as much of a document as the faces need. @type {Map<string, {id: string, innerHTML: string}>} */
const symbols = new Map();
globalThis.document = {
  documentElement: { dataset: {} },
  getElementById: (id) => symbols.get(id) ?? null,
  createElementNS: () => ({ id: "", innerHTML: "", setAttribute: () => {}, append: (symbol) => symbols.set(symbol.id, symbol) }),
  body: { append: (sheet) => symbols.set(sheet.id, sheet) },
};
const { faceSymbol } = await import("../../../clients/web/js/cards/card_faces.js");

const RANKS = [..."A23456789TJQK"];
const STYLES = ["small", "medium", "large"].flatMap((size) => ["top", "bottom", "left", "right"].flatMap((edge) =>
  ["pictures", "simple", "corners"].flatMap((design) => [false, true].map((tight) => ({ size, edge, design, tight })))));

/** Where the rank of a card stands: the middle and the line of its first index, and the size of its letters. */
function indexOf(card, { size, edge, design, tight }) {
  const { innerHTML } = symbols.get(faceSymbol(card, size, edge, tight, { design, faces: "standard", backs: "plain" }));
  const text = innerHTML.match(/<text class="rank" x="([\d.]+)" y="([\d.]+)" font-size="([\d.]+)"/);
  const drawn = innerHTML.match(/<path d="[^"]+" transform="translate\(([\d.]+) ([\d.]+)\) scale\(([\d.]+)\)"/);
  if (card[0] !== "J") return text.slice(1).map(Number);
  const [x, y, scale] = drawn.slice(1).map(Number);
  return [x, y, scale * 100];
}

test("the index of every rank has the same place, line and size on each face, the jack's too", () => {
  for (const style of STYLES) {
    const places = new Set(RANKS.map((rank) => indexOf(`${rank}S`, style).map((number) => number.toFixed(3)).join(" ")));
    assert.equal(places.size, 1, `${JSON.stringify(style)}: ${[...places].join(" | ")}`);
  }
});

test("the jack's letter stands on the line and is as high as a capital", () => {
  const { innerHTML } = symbols.get(faceSymbol("JS", "large", "top", false, { design: "pictures", faces: "standard", backs: "plain" }));
  const [, letter] = innerHTML.match(/<path d="([^"]+)"/);
  const heights = [...letter.matchAll(/([MLCHV])([^MLCHVZ]*)/g)].flatMap(([, command, rest]) => {
    const numbers = rest.match(/-?\d*\.?\d+/g).map(Number);
    return command === "H" ? [] : command === "V" ? numbers : numbers.filter((_, index) => index % 2);
  });
  assert.equal(Math.min(...heights), -68);
  assert.ok(Math.max(...heights) <= 2, "it does not hang below the line");
});

test("every face and every back is another drawing", () => {
  const style = (design, backs) => ({ design, backs, faces: "standard" });
  const drawn = (card, design, backs) => symbols.get(faceSymbol(card, "large", "top", false, style(design, backs))).innerHTML;
  assert.equal(new Set(["pictures", "simple", "corners"].map((design) => drawn("QH", design, "plain"))).size, 3);
  assert.equal(new Set(["lattice", "waves", "stars", "plain"].map((backs) => drawn("--", "pictures", backs))).size, 4);
});

test("with two corners the suit shows on a card that another one covers", () => {
  for (const [size, shown] of [["medium", 0.31], ["large", 0.27]]) {
    const { innerHTML } = symbols.get(faceSymbol("QH", size, "top", false, { design: "corners", faces: "standard", backs: "plain" }));
    const [, middle, scale] = innerHTML.match(/<path d="[^"]+" transform="translate\([\d.]+ ([\d.]+)\) scale\(([\d.]+)\)"/).map(Number);
    assert.ok(middle + scale / 2 <= 140 * shown, size);
  }
});
