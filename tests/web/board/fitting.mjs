/**
 * Reads positions of every game, arranges each on screens of many sizes, and writes one line for each problem.
 * `node fitting.mjs <file>`; tests/web/board/test_fitting.py writes the file and expects no problem.
 */
import { readFileSync } from "node:fs";

import { pileBox, turnedBox } from "../../../clients/web/js/board/boxes.js";
import { expandPile } from "../../../clients/web/js/game/cards.js";
import { arrangePiles } from "../../../clients/web/js/board/geometry.js";
import { makeLayoutChoice } from "../../../clients/web/js/board/layout_choice.js";
import { distances, spreadDirection } from "../../../clients/web/js/board/spreading.js";

/**
 * The table area of two phones upright, the same on their side, a tablet, a desktop, a large screen and 4K; the narrowest card
 * on each; whether all must be visible.
 */
const FELTS = [
  { name: "360 by 740", width: 348, height: 497, narrowest: 30, whole: true },
  { name: "390 by 844", width: 378, height: 601, narrowest: 30, whole: true },
  { name: "844 by 390", width: 698, height: 303, narrowest: 25, whole: true },
  { name: "740 by 360", width: 598, height: 273, narrowest: 22, whole: true },
  { name: "820 wide", width: 790, height: 980, narrowest: 48, whole: true },
  { name: "1440 wide", width: 1395, height: 690, narrowest: 44, whole: true },
  { name: "2560 wide", width: 2515, height: 1230, narrowest: 64, whole: true },
  { name: "3840 wide", width: 3795, height: 1950, narrowest: 110, whole: true },
];
/** Rounding to whole pixels may make a difference of so many pixels. */
const SLACK = 1.5;
/** In a column of more cards than this, half of the usual strip of each is enough. Who likes large cards sees less of half of them. */
const MOST_CARDS = 14;

const games = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const [slug, { positions, ...layouts }] of Object.entries(games)) {
  for (const felt of FELTS) {
    const table = makeLayoutChoice(layouts)(felt);
    for (const likings of [{}, { large: true }, { mirrored: true }]) {
      const faults = new Set(positions.flatMap((seen, number) => faultsOf(table, seen, { ...felt, ...likings }, number === 0)));
      for (const fault of faults) console.log(`${slug}, ${felt.name}${Object.keys(likings).map((liking) => `, ${liking}`)}: ${fault}`);
    }
  }
}

function faultsOf(table, seen, felt, dealt) {
  const piles = Object.fromEntries(Object.entries(seen).map(([name, cards]) => [name, expandPile(cards)]));
  const arrangement = arrangePiles(table, piles, felt);
  const { card, width, height } = arrangement;
  const faults = [];
  if (width > felt.width + SLACK) faults.push(`the table is ${width} wide`);
  if ((dealt || felt.whole) && height > felt.height + SLACK) faults.push(`the table is ${height} high`);
  if (card.width < felt.narrowest) faults.push(`cards are ${card.width} wide`);
  const shown = arrangement.piles.filter(({ place }) => !place.only_filled || piles[place.name]?.length);
  for (const { place, box, cards } of shown) {
    for (const inner of [box, ...cards.map((spot) => turnedBox(spot, card.width, card.height))]) {
      if (inner.x < -SLACK || inner.y < -SLACK || inner.x + inner.width > width + SLACK || inner.y + inner.height > height + SLACK) {
        faults.push(`${place.name} lies beyond the table`);
      }
    }
    faults.push(...unread(place, piles[place.name] ?? [], cards, { card, large: felt.large }));
  }
  shown.forEach((one, index) => shown.slice(index + 1).forEach((other) => {
    if (overlap(one.box, other.box, SLACK) && !overlap(pileBox(one.place), pileBox(other.place), 0)) faults.push(`${one.place.name} and ${other.place.name} overlap`);
  }));
  return faults;
}

/** Cards of which less shows than rank and suit need. A tenth of that is empty space around them. */
function unread(place, faces, spots, { card, large }) {
  const way = spreadDirection(place);
  if (!way || spots.length < 2) return [];
  const { least } = distances(place, faces, large ? 0 : card.width);
  const share = large && faces.length > MOST_CARDS / 2 ? 0 : faces.length > MOST_CARDS ? 0.45 : 0.9;
  const short = least.some((step, index) => {
    const shows = Math.abs(spots[index + 1][way.along] - spots[index][way.along]);
    return faces[index] !== "--" && shows < share * step * card.width - SLACK;
  });
  return short ? [`${place.name} cannot be read`] : [];
}

/** Whether two boxes overlap by more than a little. If they do in the layout itself, it is meant. */
function overlap(one, other, slack) {
  const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  return across > slack && down > slack;
}
