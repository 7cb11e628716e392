/**
 * What somebody who comes back wants to know: the own places of yesterday, how everybody fared, friends and groups, and the streak.
 *
 * @import { FieldOfDeal, FriendRun, Glance, Returning } from "wire"
 */
import { nameWords, rankWords, scoreWords, statusWords } from "../language/format.js";
import { formatNumber, t } from "../language/translate.js";
import { element, link } from "../ui/dom.js";
import { playerName } from "../ui/player_name.js";
import { streakWords } from "./deal_states.js";
import { makeStreakBadge } from "./streak_badge.js";

/**
 * @param {Returning} told
 * @param {(slug: string) => string} nameOf the name of a game
 * @returns {HTMLElement|null} null for somebody who did not play yesterday, and whose friends did nothing
 */
export function makeYesterday({ day, deals, points, streak, best_streak: best, boards = [], friends = [] }, nameOf) {
  const hasPlayed = deals.some(({ yours }) => yours);
  if (!hasPlayed && friends.length === 0) return null;
  const isAlone = friends.length === 0 && boards.every(({ among }) => !among);
  return element("section", { class: "panel yesterday" }, element("h2", {}, t("yesterday.title")),
    hasPlayed && element("p", { class: "lead" }, boards.map((glance) => placeOn(glance, day)),
      element("span", {}, t("yesterday.points", { count: points }))),
    streak > 0 && element("p", { class: "fine" }, makeStreakBadge(streak), streakWords(streak),
      best > streak && ` · ${t("yesterday.best_streak", { days: t("common.days", { count: best }) })}`),
    element("ul", { class: "rows" }, deals.map((deal) => dealRow(deal, nameOf))),
    element("p", {}, link(`/review/${day}`, t("daily.review"))),
    (boards.length > 0 || friends.length > 0) && element("details", {},
      element("summary", {}, t(isAlone ? "boards.everybody" : "yesterday.others")),
      element("div", { class: "glances" }, friendSection(friends, nameOf), boards.map((glance) => glanceSection(glance, day)))));
}

/** The reader's own place on a board; null if the reader is not on it. @param {Glance} glance @param {string} day */
function placeOn({ among, name, total, you }, day) {
  return you ? element("span", {}, boardLink(among, name, day), " ", element("strong", {}, t("yesterday.place", { rank: rankWords(you.rank), total }))) : null;
}

/** @param {string|undefined} among @param {string|undefined} name of a group @param {string} day */
function boardLink(among, name, day) {
  return link(`/board/${day}${among ? `?among=${among}` : ""}`, name ?? t(among ? "boards.friends" : "boards.everybody"));
}

/** @param {FieldOfDeal} field @param {(slug: string) => string} nameOf */
function dealRow({ deal, rules, maximum, runs, won, best_score: best, yours }, nameOf) {
  return element("li", {}, link(`/board/deal:${deal}`, nameOf(rules)),
    element("span", {}, yours
      ? [statusWords(yours.result), scoreWords(yours.score, maximum), yours.place && t("yesterday.place", { rank: rankWords(yours.place.rank), total: yours.place.total })]
        .filter(Boolean).join(" · ")
      : t("yesterday.not_played")),
    element("span", { class: "fine" }, t("yesterday.field", { won, count: runs, score: formatNumber(best) })));
}

/** The first rows of a board, and the reader's own row under them if it is not among them. @param {Glance} glance @param {string} day */
function glanceSection({ among, name, entries, you }, day) {
  const rows = you && !entries.some(({ player }) => player.id === you.player.id) ? [...entries, you] : entries;
  return element("section", {}, element("h3", {}, boardLink(among, name, day)),
    element("ul", { class: "rows" }, rows.map((row) => element("li", {},
      element("span", {}, rankWords(row.rank)), playerName(row.player, { own: row.player.id === you?.player.id }),
      element("span", { class: "fine" }, t("yesterday.points", { count: row.points ?? 0 }))))));
}

/** @param {FriendRun[]} friends @param {(slug: string) => string} nameOf */
function friendSection(friends, nameOf) {
  return friends.length > 0 && element("section", {}, element("h3", {}, t("yesterday.friends_did")),
    element("ul", { class: "rows" }, friends.map(({ player, deal, rules, result, score, maximum }) => element("li", {},
      element("span", {}, link(`/players/${player.id}`, nameWords(player))), link(`/board/deal:${deal}`, nameOf(rules)),
      element("span", { class: "fine" }, `${statusWords(result)} · ${scoreWords(score, maximum)}`)))));
}
