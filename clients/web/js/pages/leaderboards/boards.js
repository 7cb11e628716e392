/**
 * The leaderboards: one page for the leaderboard of a deal, a day, a week, a month, all time or a game, with live updates.
 *
 * @import { Daily, DailyDeal, Group, Meter, RulesCard } from "wire"
 * @import { LeaderboardName } from "../../leaderboards/leaderboard_names.js"
 * @import { LeaderboardQuery } from "../../leaderboards/leaderboard_panel.js"
 * @import { App } from "../../main.js"
 */
import { dealState, isRevealed, levelWords } from "../../daily/deal_states.js";
import { makeProgressMeters } from "../../daily/progress_meters.js";
import { isFinished } from "../../game/session.js";
import { t, tNodes } from "../../language/translate.js";
import {
  dayOfLeaderboard, leaderboardAddress, leaderboardOf, leaderboardWords, neighbourLeaderboards, orderWords, parseLeaderboard,
} from "../../leaderboards/leaderboard_names.js";
import { makeLeaderboardPanel } from "../../leaderboards/leaderboard_panel.js";
import { listGroups, listRules, readDaily } from "../../net/api.js";
import { serverNow } from "../../net/server_clock.js";
import { element, fill, link } from "../../ui/dom.js";
import { makeTabs } from "../../ui/tabs.js";

const KINDS = ["day", "week", "month", "all", "game"];

/** @type {import("../../router.js").Show} */
export async function show(root, { board: text, slot }, app) {
  const now = serverNow();
  const board = parseLeaderboard(slot ? `${text}.${slot}` : text, now);
  const wanted = readWanted(location.search);
  const day = dayOfLeaderboard(board, now);
  const [daily, rules, groups] = await Promise.all([
    readDaily(day).catch(() => null), listRules(), app.player ? listGroups().catch(() => []) : [],
  ]);
  const games = new Map(rules.map((one) => [one.slug, one]));
  const deal = daily?.deals.find((one) => one.deal === board.about);
  const game = games.get(board.kind === "deal" ? deal?.rules ?? "" : board.about);
  const title = leaderboardWords(board, game?.name);
  app.title(t("boards.page_title", { title }));

  const open = !deal || !daily || isRevealed(dealState(deal, daily, now));
  const view = makeLeaderboardPanel(board, wanted, { me: app.player?.id, title, open, maximum: game?.maximum });
  const playing = deal && daily?.state === "open" ? makeGamesInProgress(deal, { open, maximum: game?.maximum }) : null;
  fill(root,
    element("header", { class: "heading" },
      element("p", { class: "eyebrow" }, deal
        ? tNodes("boards.deal_of", {
          level: levelWords(deal.level), day: link(`/daily/${day}`, leaderboardWords(parseLeaderboard(day, now))),
        })
        : t("boards.eyebrow")),
      element("h1", {}, title), neighbourLinks(board, wanted, now)),
    element("div", { class: "choosing" }, kindTabs(board, wanted, day, daily, rules),
      board.kind === "game" && gameChoice(board, rules, wanted, app),
      playerTabs(board, wanted, groups, app)),
    view.node,
    element("p", { class: "fine" }, orderWords(board.kind), " ", link("/boards/how", t("boards.how"))),
    playing?.node);
  await view.load();
  const stops = [
    app.connection.watchLeaderboard(wanted.bots ? `bots:${board.name}` : board.name, () => view.changed()),
    playing && app.connection.watchDay(day, playing.onProgress),
  ];
  return () => {
    stops.forEach((stop) => stop?.());
    view.close();
  };
}

/**
 * What the query of the address asks for.
 * @param {string} search
 * @returns {import("../../leaderboards/leaderboard_panel.js").LeaderboardQuery}
 */
function readWanted(search) {
  const given = new URLSearchParams(search);
  const text = (/** @type {string} */ name) => given.get(name) ?? "";
  return { among: text("among"), bots: text("bots"), around: text("around"), offset: Number(text("offset")) || 0 };
}

/** The games in progress of a deal, with links to watch them. @param {DailyDeal} deal @param {{open: boolean, maximum?: number}} about */
function makeGamesInProgress(deal, about) {
  const progress = makeProgressMeters({ mine: deal.your_game, ...about });
  const node = element("section", { class: "panel", hidden: true }, element("h2", {}, t("boards.under_way")), progress.node);
  /** @type {Map<string, Meter>} */
  const meters = new Map();
  return {
    node,
    /** @param {Meter[]} games */
    onProgress(games) {
      games.forEach((meter) => meters.set(meter.game, meter));
      const playing = [...meters.values()].filter((meter) => meter.deal === deal.deal && !isFinished(meter.status));
      progress.show(playing);
      node.hidden = playing.length === 0;
    },
  };
}

/**
 * @param {LeaderboardName} board
 * @param {LeaderboardQuery} wanted
 * @param {string} day
 * @param {Daily|null} daily
 * @param {RulesCard[]} rules
 */
function kindTabs(board, wanted, day, daily, rules) {
  const among = { among: wanted.among, bots: wanted.bots };
  const deals = (daily?.deals ?? []).map(({ deal, level }) => ({
    text: levelWords(level), href: leaderboardAddress(`deal:${deal}`, among), current: board.name === `deal:${deal}`,
  }));
  const game = daily?.deals[0]?.rules ?? rules[0].slug;
  const periods = KINDS.map((kind) => ({
    text: t(`boards.kind_${kind}`), href: leaderboardAddress(leaderboardOf(kind, day, game), among), current: board.kind === kind,
  }));
  return makeTabs(t("boards.which_board"), [...deals, ...periods]);
}

/**
 * A choice with a button, so that the keyboard can go through the list without leaving the page.
 * @param {LeaderboardName} board
 * @param {RulesCard[]} rules
 * @param {LeaderboardQuery} wanted
 * @param {App} app
 */
function gameChoice(board, rules, wanted, app) {
  const choice = element("select", { id: "game-choice", "aria-label": t("boards.game_choice") },
    rules.map(({ slug, name }) => element("option", { value: slug, selected: slug === board.about }, name)));
  return element("form", { class: "line", on: { submit: (event) => {
    event.preventDefault();
    app.go(leaderboardAddress(`game:${choice.value}`, { among: wanted.among, bots: wanted.bots }));
  } } }, element("span", {}, choice, element("button", { class: "button" }, t("boards.game_show"))));
}

/** @param {LeaderboardName} board @param {LeaderboardQuery} wanted @param {Group[]} groups @param {App} app */
function playerTabs(board, wanted, groups, app) {
  const who = (/** @type {string} */ text, /** @type {string} */ among, bots = "") => ({
    text, href: leaderboardAddress(board.name, { among, bots }), current: wanted.among === among && wanted.bots === bots,
  });
  return makeTabs(t("boards.who"), [...(app.player ? [who(t("boards.friends"), "friends")] : []),
    ...groups.map(({ id, name }) => who(name, `group:${id}`)), who(t("boards.everybody"), ""), who(t("boards.bots"), "", "1")]);
}

/** @param {LeaderboardName} board @param {LeaderboardQuery} wanted @param {number} now */
function neighbourLinks(board, wanted, now) {
  const { before, after } = neighbourLeaderboards(board, now);
  const to = (/** @type {string} */ name) => leaderboardAddress(name, { among: wanted.among, bots: wanted.bots });
  return (before || after) && element("p", { class: "turning" },
    before && link(to(before), t("boards.before")), after && link(to(after), t("boards.after")));
}
