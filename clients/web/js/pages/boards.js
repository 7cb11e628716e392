/** The boards: one page for a deal, a day, a week, a month, all time and a game, live. */
import { listGroups, listRules, readBoard, readDaily } from "../api.js";
import { boardAddress, boardOf, boardWords, dayOfBoard, neighbours, orderWords, parseBoard } from "../boards.js";
import { levelWords } from "../deals.js";
import { element, fill, link } from "../dom.js";
import { makeRanking } from "../ranking.js";
import { tabs } from "../tabs.js";
import { rankWords } from "../words.js";

const PAGE = 50;
/** A board that changes often is asked for at most so often, in milliseconds. */
const PACE = 800;

/** @param {HTMLElement} root */
export async function show(root, { board: text, slot }, app) {
  const now = Date.now();
  const board = parseBoard(slot ? `${text}.${slot}` : text, now);
  const wanted = readWanted(location.search);
  const day = dayOfBoard(board, now);
  const [daily, rules, groups] = await Promise.all([
    readDaily(day).catch(() => null), listRules(), app.player ? listGroups().catch(() => []) : [],
  ]);
  const names = new Map(rules.map(({ slug, name }) => [slug, name]));
  const deal = daily?.deals.find((one) => one.deal === board.about);
  const game = board.kind === "deal" ? names.get(deal?.rules) : names.get(board.about);
  const title = boardWords(board, game);
  app.title(`Board: ${title}`);

  const view = makeView(board, wanted, app, title);
  fill(root,
    element("header", { class: "heading" },
      element("p", { class: "eyebrow" }, deal ? `${levelWords(deal.level)} deal of ` : "Board", deal && link(`/daily/${day}`, boardWords(parseBoard(day, now)))),
      element("h1", {}, title), stepper(board, wanted, now)),
    element("div", { class: "choosing" }, kindTabs(board, wanted, day, daily, rules), board.kind === "game" && gameChoice(board, rules, wanted, app),
      whoTabs(board, wanted, groups, app)),
    view.node,
    element("p", { class: "fine" }, orderWords(board.kind), " ", link("/boards/how", "How points are reckoned")));
  await view.load();
  const stop = app.connection.followBoard(wanted.bots ? `bots:${board.name}` : board.name, () => view.changed());
  return () => {
    stop();
    view.close();
  };
}

/** What an address asks for beside the board. @param {string} search */
function readWanted(search) {
  const given = new URLSearchParams(search);
  return { among: given.get("among") ?? "", bots: given.get("bots") ?? "", around: given.get("around") ?? "", offset: Number(given.get("offset")) || 0 };
}

function kindTabs(board, wanted, day, daily, rules) {
  const among = { among: wanted.among, bots: wanted.bots };
  const deals = (daily?.deals ?? []).map(({ deal, level }) => ({
    text: levelWords(level), href: boardAddress(`deal:${deal}`, among), current: board.name === `deal:${deal}`,
  }));
  const periods = Object.entries({ day: "Day", week: "Week", month: "Month", all: "All time", game: "Game" }).map(([kind, text]) => ({
    text, href: boardAddress(boardOf(kind, day, daily?.deals[0]?.rules ?? rules[0].slug), among), current: board.kind === kind,
  }));
  return tabs("Board", [...deals, ...periods]);
}

function gameChoice(board, rules, wanted, app) {
  const choice = element("select", { id: "game-choice", "aria-label": "Game", on: {
    change: () => app.go(boardAddress(`game:${choice.value}`, { ...wanted, offset: 0 })),
  } }, rules.map(({ slug, name }) => element("option", { value: slug, selected: slug === board.about }, name)));
  return choice;
}

function whoTabs(board, wanted, groups, app) {
  const who = (text, among, bots = "") => ({
    text, href: boardAddress(board.name, { among, bots }), current: wanted.among === among && wanted.bots === bots,
  });
  return tabs("Who", [who("Everybody", ""), app.player && who("Friends", "friends"),
    ...groups.map(({ id, name }) => who(name, `group:${id}`)), who("Bots", "", "1")].filter(Boolean));
}

function stepper(board, wanted, now) {
  const { before, after } = neighbours(board, now);
  const to = (name) => boardAddress(name, { among: wanted.among, bots: wanted.bots });
  return (before || after) && element("p", { class: "turning" }, before && link(to(before), "‹ Before"), after && link(to(after), "After ›"));
}

/** The rows, one's own place, and the way through the pages. */
function makeView(board, wanted, app, title) {
  const me = app.player?.id;
  const ranking = makeRanking({ kind: board.kind, me, label: title });
  const yours = element("p", { class: "yours", hidden: true });
  const empty = element("p", { hidden: true }, emptyWords(board, wanted), " ", link("/", "Today’s challenge"));
  const pages = element("nav", { class: "actions", "aria-label": "Pages" });
  const news = element("p", { class: "unseen", role: "status" });
  const node = element("section", { class: "panel" }, yours, ranking.node, empty, pages, news);
  let timer = 0;
  let asked = 0;

  async function load() {
    clearTimeout(timer);
    timer = 0;
    asked = Date.now();
    const { offset, ...rest } = wanted;
    const page = await readBoard(board.name, { ...rest, bots: wanted.bots && "1", offset: wanted.around ? undefined : offset, limit: PAGE });
    ranking.show(page.entries);
    ranking.node.hidden = page.entries.length === 0;
    empty.hidden = page.entries.length > 0;
    showOwn(page);
    fill(pages, paging(page, page.offset));
  }

  function showOwn({ you, total, entries }) {
    yours.hidden = !you;
    if (!you) return;
    const seen = entries.some(({ player }) => player.id === me);
    fill(yours, `You are ${rankWords(you.rank)} of ${total}. `,
      !seen && link(boardAddress(board.name, { among: wanted.among, bots: wanted.bots, around: "me" }), "Go there"));
  }

  function paging({ total, entries }, offset) {
    const to = (at, words) => link(boardAddress(board.name, { among: wanted.among, bots: wanted.bots, offset: Math.max(0, at) }), words, "button");
    const last = offset + entries.length;
    return [offset > 0 && to(0, "The top"), offset > PAGE && to(offset - PAGE, `‹ ${Math.max(1, offset - PAGE + 1)} to ${offset}`),
      last < total && to(last, `${last + 1} to ${Math.min(total, last + PAGE)} ›`),
      (offset > 0 || last < total) && element("span", { class: "fine" }, `${total} in all`)];
  }

  return {
    node, load,
    changed() {
      if (timer) return;
      timer = setTimeout(() => load().then(() => {
        news.textContent = "The board has changed.";
      }).catch(() => {}), Math.max(0, asked + PACE - Date.now()));
    },
    close: () => clearTimeout(timer),
  };
}

function emptyWords(board, { among, bots }) {
  if (among === "friends") return "None of your friends is on this board yet.";
  if (among) return "Nobody of this group is on this board yet.";
  if (bots) return "No bot is on this board yet.";
  return board.kind === "deal" ? "Nobody has finished this deal yet." : "Nobody is on this board yet.";
}
