/** A board's rows as a table that is told again and again: rows glide, and a changed one lights up. */
import { changedRows } from "./boards.js";
import { element } from "./dom.js";
import { nameOf } from "./people.js";
import { flash, reorder } from "./reorder.js";
import { duration, rankWords, statusWords } from "./words.js";

/**
 * @param {{kind: string, me?: string, label: string}} about the kind of board; one's own player id
 * @returns {{node: HTMLElement, show: (entries: object[]) => void}}
 */
export function makeRanking({ kind, me, label }) {
  const deal = kind === "deal";
  const heads = ["Rank", "Player", deal ? "Score" : "Points", "Moves", "Time", deal ? "End" : "Runs"];
  const body = element("tbody");
  const node = element("table", { class: "ranking" }, element("caption", { class: "unseen" }, label),
    element("thead", {}, element("tr", {}, heads.map((head, index) =>
      element("th", { scope: "col", class: index > 1 && head !== "End" ? "number" : undefined }, head)))), body);
  const rows = new Map();
  let before = null;

  function show(entries) {
    const changed = before ? changedRows(before, entries) : new Set();
    reorder(body, entries.map((entry) => {
      const row = rows.get(entry.player.id) ?? { node: element("tr", { class: entry.player.id === me ? "own" : "" }), told: "" };
      rows.set(entry.player.id, row);
      const told = JSON.stringify(entry);
      if (row.told !== told) row.node.replaceChildren(...cells(entry, deal, me));
      row.told = told;
      return row.node;
    }));
    changed.forEach((player) => flash(rows.get(player).node));
    before = entries;
  }

  return { node, show };
}

function cells(entry, deal, me) {
  const end = deal ? entry.game && element("a", { href: `/replay/${entry.game}` }, statusWords(entry.result)) : entry.runs;
  return [
    element("td", { class: "rank" }, rankWords(entry.rank)),
    element("th", { scope: "row" }, nameOf(entry.player, { own: entry.player.id === me })),
    element("td", { class: "number" }, deal ? entry.score : entry.points),
    element("td", { class: "number" }, entry.moves),
    element("td", { class: "number" }, duration(entry.milliseconds)),
    element("td", { class: deal ? "" : "number" }, end ?? ""),
  ];
}
