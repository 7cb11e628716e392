/**
 * A leaderboard on the page: its rows, the reader's own rank, links to its other parts, and what to do where it is empty.
 *
 * @import { Board } from "wire"
 * @typedef {{among: string, bots: string, around: string, offset: number}} LeaderboardQuery
 */
import { rankWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { readLeaderboard } from "../net/api.js";
import { button, element, fill, link } from "../ui/dom.js";
import { leaderboardAddress } from "./leaderboard_names.js";
import { makeLeaderboardTable } from "./leaderboard_table.js";
import { makeRunPicker } from "./run_picker.js";
import { makeStruckList } from "./disqualified.js";

const PAGE_ROWS = 50;
/** A leaderboard that changes often is requested at most once in this time. */
const RELOAD_MILLISECONDS = 800;

/**
 * @param {import("./leaderboard_names.js").LeaderboardName} board
 * @param {LeaderboardQuery} wanted
 * @param {{me?: string, title: string, open: boolean, maximum?: number}} about the reader's own player id; whether everybody's runs
 *   may be seen; the highest possible score of the deal's game
 */
export function makeLeaderboardPanel(board, wanted, { me, title, open, maximum }) {
  const comparing = board.kind === "deal" && open ? makeRunPicker() : null;
  const ranking = makeLeaderboardTable({ kind: board.kind, me, label: title, open, maximum, box: comparing?.box });
  const ownRank = element("p", { class: "yours", hidden: true });
  const emptyNotice = element("div", { class: "empty", hidden: true }, emptyWords(board, wanted, open));
  const pages = element("nav", { class: "actions", "aria-label": t("boards.pages") });
  const struck = element("div", { class: "struck" });
  const changeNotice = element("p", { class: "unseen", role: "status" });
  const node = element("section", { class: "panel standings" }, ownRank, ranking.node, emptyNotice, comparing?.node, pages, struck, changeNotice);
  let timer = 0;
  let asked = 0;
  let known = "";

  /** Request the rows and show them. @returns {Promise<boolean>} whether there is anything new */
  async function load() {
    clearTimeout(timer);
    timer = 0;
    asked = Date.now();
    const { offset, among, bots, around } = wanted;
    const page = await readLeaderboard(board.name,
      { among, around, bots: bots ? 1 : undefined, offset: around ? undefined : offset, limit: PAGE_ROWS });
    const seen = JSON.stringify(page);
    if (seen === known) return false;
    known = seen;
    ranking.show(page.entries);
    ranking.node.hidden = page.entries.length === 0;
    emptyNotice.hidden = page.entries.length > 0;
    if (comparing) comparing.node.hidden = page.entries.length < 2;
    showOwn(page);
    fill(pages, pageLinks(page));
    fill(struck, ...makeStruckList(page.struck, open));
    return true;
  }

  const addressWith = (/** @type {Partial<LeaderboardQuery>} */ more) =>
    leaderboardAddress(board.name, { among: wanted.among, bots: wanted.bots, ...more });

  /** @param {Board} page */
  function showOwn({ you, total, entries }) {
    ownRank.hidden = !you;
    if (!you) return;
    const seen = entries.some(({ player }) => player.id === you.player.id);
    fill(ownRank, t("boards.your_rank", { rank: rankWords(you.rank), total }), " ",
      seen ? button(t("boards.go_there"), () => ranking.goToRow(you.player.id), "quiet")
        : link(addressWith({ around: "me" }), t("boards.go_there")));
  }

  /** @param {Board} page */
  function pageLinks({ total, entries, offset }) {
    const last = offset + entries.length;
    const to = (/** @type {number} */ first, /** @type {string} */ words) => link(addressWith({ offset: Math.max(0, first) }), words, "button");
    return [offset > 0 && to(0, t("boards.the_top")),
      offset > PAGE_ROWS && to(offset - PAGE_ROWS, t("boards.page_before", { first: Math.max(1, offset - PAGE_ROWS + 1), last: offset })),
      last < total && to(last, t("boards.page_after", { first: last + 1, last: Math.min(total, last + PAGE_ROWS) })),
      (offset > 0 || last < total) && element("span", { class: "fine" }, t("boards.in_all", { total }))];
  }

  return {
    node,
    /** Show the rows for the first time. If they were requested around the reader's own rank, the focus goes there. */
    async load() {
      await load();
      if (wanted.around && me) ranking.goToRow(me);
    },
    changed() {
      if (timer) return;
      timer = setTimeout(() => load().then((isNew) => {
        if (isNew) changeNotice.textContent = t("boards.changed");
      }).catch(() => {}), Math.max(0, asked + RELOAD_MILLISECONDS - Date.now()));
    },
    close: () => clearTimeout(timer),
  };
}

/**
 * Why there are no rows, and what to do about it.
 * @param {import("./leaderboard_names.js").LeaderboardName} board
 * @param {LeaderboardQuery} wanted
 * @param {boolean} open
 */
function emptyWords(board, { among, bots }, open) {
  const { words, way } = (() => {
    if (among === "friends") return { words: "empty_friends", way: link("/people", t("boards.do_friends"), "button") };
    if (among) return { words: "empty_group", way: link("/people", t("boards.do_group"), "button") };
    if (bots) return { words: "empty_bots", way: link("/account", t("boards.do_bots"), "button") };
    if (board.kind !== "deal") return { words: "empty", way: null };
    const day = board.about.split(".")[0];
    return { words: "empty_deal", way: open && link(`/daily/${day}`, t("boards.do_practise"), "button") };
  })();
  return [element("p", {}, t(`boards.${words}`)),
    element("p", { class: "actions" }, link("/", t("common.todays_challenge"), "button primary"), way)];
}
