/** A small table that shows what the settings do: it is drawn with the chosen settings, and two cards can be moved on it. */
import { Board } from "../board/board.js";
import { parseMove } from "../game/moves.js";
import { durationWords, moveWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { onSettingsChange, setting } from "../settings/settings.js";
import { button, element, fill } from "../ui/dom.js";
import { abbreviations, shortWords } from "../watch/notation.js";

/** @typedef {import("../board/boxes.js").Place} Place */

/** @param {string} name @param {string} role @param {number} x @param {number} y @param {Place["spread"]} [spread] @returns {Place} */
const place = (name, role, x, y, spread = "none") => ({ name, role, x, y, turn: 0, spread, step: 0.24 });

const PILES = [
  place("stock", "stock", 0, 0), place("waste", "waste", 1.1, 0),
  place("foundation.0", "foundation", 2.2, 0), place("foundation.1", "foundation", 3.3, 0),
  ...[0, 1, 2, 3].map((number) => place(`tableau.${number}`, "tableau", number * 1.1, 1.1, "down")),
];
/** @type {import("../game/effects.js").Piles} */
const LAID = {
  stock: ["--", "--", "--"], waste: ["7C"], "foundation.0": ["AS"], "foundation.1": ["AH"],
  "tableau.0": ["--", "KS"], "tableau.1": ["--", "9C", "8D"], "tableau.2": ["TD", "9S"],
  "tableau.3": ["QH", "JC"],
};
const MOVED = { ...LAID, "tableau.0": ["--", "KS", "QH", "JC"], "tableau.3": [] };
const MOVE = "tableau.3/tableau.0/2";
/** The size of the sample table in card widths and heights. */
const ROOM = [4.3, 2.7];
/** So high that the cards are large enough for pictures. */
const HEIGHT_PIXELS = 266;

/** @returns {{node: HTMLElement, draw: () => void, close: () => void}} */
export function makeSettingsSample() {
  const table = element("div");
  const felt = element("div", { class: "felt sample-felt", inert: true }, table);
  const figures = element("p", { class: "sample-figures" });
  const line = element("p", { class: "sample-move" });
  const room = () => ({ width: felt.clientWidth - 24, height: HEIGHT_PIXELS, grain: 1 });
  const board = new Board(table, { layout: { piles: PILES, room: ROOM } }, { label: t("settings.sample"), room });
  let piles = LAID;

  function draw() {
    board.draw({ piles, hand: { picked: [], count: 1 }, targets: new Map() });
  }

  function showSettings() {
    document.body.dataset.colours = setting("colours") === "four" ? "four" : "two";
    fill(figures, setting("score") ? element("span", {}, t("settings.sample_score", { score: 12 })) : null,
      setting("clock") ? element("span", {}, durationWords(83_000)) : null);
    line.textContent = moveText();
  }

  showSettings();
  const stopSettings = onSettingsChange(showSettings);
  const node = element("section", { class: "panel sample", "aria-labelledby": "sample-title" },
    element("h2", { id: "sample-title" }, t("settings.sample")), felt, figures, line,
    element("p", { class: "actions" }, button(t("settings.sample_move"), () => {
      piles = piles === LAID ? MOVED : LAID;
      draw();
    })));
  return {
    node, draw,
    close() {
      stopSettings();
      board.close();
      delete document.body.dataset.colours;
    },
  };
}

/** The sample's move in words or in short notation, as the setting says. */
function moveText() {
  const move = parseMove(MOVE, (name) => name in LAID);
  if (setting("notation") === "words") return moveWords(move);
  return shortWords(move, LAID, abbreviations(Object.keys(LAID)));
}
