/** A day's leaderboard. */
import { listRules, readBoard, readDaily } from "../api.js";
import { button, element, fill, link } from "../dom.js";
import { dayWords, duration, rankWords, statusWords } from "../words.js";

const PAGE = 50;

/** @param {HTMLElement} root */
export async function show(root, { day }, app) {
  app.title(`Leaderboard of ${day}`);
  const [daily, rules] = await Promise.all([readDaily(day), listRules()]);
  const name = rules.find(({ slug }) => slug === daily.rules)?.name ?? daily.rules;
  const body = element("tbody");
  const more = element("p", { class: "actions" });
  const table = element("table", { class: "ranking" },
    element("thead", {}, element("tr", {}, ["", "Player", "Score", "Moves", "Time", ""].map((head) =>
      element("th", { scope: "col" }, head)))), body);
  const panel = element("section", { class: "panel" }, table, more);
  fill(root, element("header", { class: "heading" },
    element("p", { class: "eyebrow" }, `Leaderboard of ${dayWords(daily.day)}`),
    element("h1", {}, name),
    element("p", { class: "fine" }, "By score, then fewer moves, then time; equals share a rank. ",
      link(`/daily/${daily.day}`, "About this day"))), panel);
  await load(daily, 0, { body, more, panel });
}

async function load(daily, offset, { body, more, panel }) {
  const { total, entries } = await readBoard(daily.day, offset, PAGE);
  if (total === 0) {
    fill(panel, element("p", {}, "Nobody has finished this deal yet. ", link("/", "Today’s challenge")));
    return;
  }
  body.append(...entries.map((entry) => row(entry, daily)));
  const shown = offset + entries.length;
  fill(more, shown < total && button(`More (${total - shown})`, () => load(daily, shown, { body, more, panel })));
}

function row(entry, daily) {
  const own = entry.game === daily.your_game;
  return element("tr", { class: own ? "own" : "" },
    element("td", { class: "rank" }, rankWords(entry.rank)),
    element("td", {}, entry.player.name + (own ? " (you)" : ""), entry.player.guest && element("small", {}, " guest")),
    element("td", { class: "number" }, entry.score),
    element("td", { class: "number" }, entry.moves),
    element("td", { class: "number" }, duration(entry.milliseconds)),
    element("td", {}, link(`/replay/${entry.game}`, statusWords(entry.result))));
}
