/** The rows of a leaderboard as a table. At an update rows glide to their new places, and changed rows are highlighted. */
import { durationWords, nameWords, rankWords, scoreWords, statusWords } from "../language/format.js";
import { formatNumber, t } from "../language/translate.js";
import { element, keepFocus } from "../ui/dom.js";
import { playerName } from "../ui/player_name.js";
import { highlight, reorder } from "../ui/reorder.js";
import { changedRows } from "./leaderboard_names.js";

/**
 * @import { BoardEntry } from "wire"
 * @typedef {Object} TableOptions
 * @property {string} kind of leaderboard
 * @property {string} [me] the reader's own player id
 * @property {string} label the caption of the table
 * @property {boolean} open whether everybody's runs may be seen, or only the reader's own
 * @property {number} [maximum] the highest possible score, on the leaderboard of a deal
 * @property {(entry: BoardEntry) => HTMLElement|null} [box] makes the checkbox that picks a run to compare
 */

/**
 * @param {TableOptions} options
 * @returns {{node: HTMLElement, show: (entries: BoardEntry[]) => void, goToRow: (player: string) => void}}
 *   `goToRow` scrolls to a player's row and gives it the focus
 */
export function makeLeaderboardTable(options) {
  const heads = ["rank", "player", ...(options.kind === "deal" ? ["score", "moves", "time", "active", "end"] : ["points", "moves", "time", "runs"])];
  const body = element("tbody");
  const node = element("table", { class: "ranking" }, element("caption", { class: "unseen" }, options.label),
    element("thead", {}, element("tr", {}, heads.map((head) => element("th", { scope: "col", class: head }, t(`boards.head_${head}`))),
      options.box && element("th", { scope: "col", class: "compare" }, t("boards.head_compare")))), body);
  /** @type {Map<string, {node: HTMLTableRowElement, digest: string}>} */
  const rows = new Map();
  /** @type {BoardEntry[]|null} */
  let before = null;

  /** @param {BoardEntry[]} entries */
  function show(entries) {
    /** @type {Set<string>} */
    const changed = before ? changedRows(before, entries) : new Set();
    reorder(body, entries.map((entry) => {
      const row = rows.get(entry.player.id) ?? { node: element("tr", { class: entry.player.id === options.me ? "own" : "" }), digest: "" };
      rows.set(entry.player.id, row);
      const digest = JSON.stringify(entry);
      if (row.digest !== digest) keepFocus(row.node, () => row.node.replaceChildren(...cells(entry, options)));
      row.digest = digest;
      return row.node;
    }));
    rows.forEach(({ node }, player) => changed.has(player) && highlight(node));
    before = entries;
  }

  /** @param {string} player */
  function goToRow(player) {
    const row = rows.get(player)?.node;
    row?.scrollIntoView({ block: "center" });
    row?.querySelector("a")?.focus({ preventScroll: true });
    if (row) highlight(row);
  }

  return { node, show, goToRow };
}

/** @param {BoardEntry} entry @param {TableOptions} look */
function cells(entry, { kind, me, open, maximum, box }) {
  const own = entry.player.id === me;
  /** @param {string} name @param {import("../ui/dom.js").Child} shown */
  const cell = (name, shown) => element("td", { class: name, "data-head": t(`boards.head_${name}`) }, shown);
  const deal = kind === "deal";
  return [
    cell("rank", rankWords(entry.rank)),
    element("th", { scope: "row" }, playerName(entry.player, { own })),
    deal ? cell("score", scoreWords(entry.score ?? 0, maximum)) : cell("points", formatNumber(entry.points ?? 0)),
    cell("moves", formatNumber(entry.moves)),
    cell("time", durationWords(entry.milliseconds)),
    deal && cell("active", entry.active === undefined ? "–" : durationWords(entry.active)),
    deal ? cell("end", resultCell(entry, own || open)) : cell("runs", formatNumber(entry.runs ?? 0)),
    box && element("td", { class: "compare" }, entry.game && box(entry)),
  ].filter((one) => one instanceof Node);
}

/** @param {BoardEntry} entry @param {boolean} open */
function resultCell({ result, game, player }, open) {
  const words = statusWords(result ?? "");
  if (!game || !open) return words;
  return element("a", { href: `/replay/${game}`, "aria-label": t("boards.replay_label", { result: words, name: nameWords(player) }) }, words);
}
