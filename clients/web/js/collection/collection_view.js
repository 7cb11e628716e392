/**
 * A player's collection: shields, badges, and every game of the server with the picture of its table. A game that the player has not won is
 * pale.
 *
 * @import { Badge, CollectedGame, Collection, ShelfGame } from "wire"
 */
import { dayAt, monthWords } from "../language/calendar.js";
import { dayWords, durationWords, nameWords, scoreWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { makeTablePicture } from "../shelf/table_picture.js";
import { SHELVES } from "../shelf/choice.js";
import { copyButton } from "../ui/copy_button.js";
import { element, link } from "../ui/dom.js";
import { playerMarks } from "../ui/player_name.js";
import { makeMedal } from "./medals.js";

/**
 * @param {Collection} collection
 * @param {ShelfGame[]} games every game of the server
 * @param {{isOwn: boolean}} about
 */
export function makeCollection({ player, games: collected, shields, held, badges }, games, { isOwn }) {
  const own = new Map(collected.map((game) => [game.rules, game]));
  const names = new Map(games.map(({ slug, name }) => [slug, name]));
  const nameOf = (/** @type {string} */ slug) => names.get(slug) ?? slug;
  const honours = [
    ...listShields({ shields, held }, nameOf),
    ...badges.map((badge) => honour(badge.kind, badgeWords(badge, nameOf), dayWords(badge.day), badge.game && `/replay/${badge.game}`)),
  ];
  return [
    element("header", { class: "heading" },
      element("p", { class: "eyebrow" }, link(`/players/${player.id}`, nameWords(player)), playerMarks(player)),
      element("h1", {}, t("collection.title")),
      element("p", {}, wonWords(games, own)),
      element("p", { class: "actions" }, isOwn && copyButton(t("collection.copy_link"), location.href))),
    element("section", { class: "panel" }, element("h2", {}, t("collection.badges")),
      honours.length ? element("ul", { class: "honours" }, honours) : element("p", { class: "fine" }, t("collection.no_badges"))),
    ...SHELVES.map((shelf) => shelfSection(shelf, games.filter((game) => game.shelf === shelf), own)),
  ];
}

/**
 * The shields of a player for their page, without the badges; nothing if there is none.
 * @param {Collection} collection
 * @param {(slug: string) => string} nameOf
 */
export function makeShields(collection, nameOf) {
  const shields = listShields(collection, nameOf);
  return shields.length ? element("ul", { class: "honours small" }, shields) : null;
}

/** @param {Pick<Collection, "shields"|"held">} collection @param {(slug: string) => string} nameOf */
function listShields({ shields, held = [] }, nameOf) {
  return [
    ...shields.map(({ rules }) => honour("shield", t("collection.shield", { game: nameOf(rules) }), "", `/games/${rules}`)),
    ...held.map(({ rules, month }) => honour("shield", t("collection.shield_held", { game: nameOf(rules) }), monthWords(month), `/games/${rules}`)),
  ];
}

/** @param {ShelfGame[]} games @param {Map<string, CollectedGame>} own */
function wonWords(games, own) {
  return t("collection.won_of", { won: games.filter(({ slug }) => own.get(slug)?.won).length, count: games.length });
}

/** @param {string} shelf @param {ShelfGame[]} games @param {Map<string, CollectedGame>} own */
function shelfSection(shelf, games, own) {
  return element("section", {}, element("h2", {}, t(`games.shelf_${shelf}`)), element("p", { class: "fine" }, wonWords(games, own)),
    element("ul", { class: "collected" }, games.map((game) => gameEntry(game, own.get(game.slug)))));
}

/** @param {ShelfGame} game @param {CollectedGame} [own] */
function gameEntry({ slug, name, picture, maximum }, own) {
  const { first_win: first, best_win: best } = own ?? {};
  const lines = first && best
    ? [t("collection.first_won", { day: dayWords(dayAt(first.at)) }),
      t("collection.best", { moves: t("common.moves", { count: best.moves }), time: durationWords(best.milliseconds) })]
    : [own ? t("collection.not_won", { score: scoreWords(own.best_score, maximum) }) : t("collection.not_played")];
  return element("li", { class: first ? "panel won" : "panel" }, makeTablePicture(picture),
    element("h3", {}, link(`/games/${slug}`, name)), lines.map((line) => element("p", { class: "fine" }, line)));
}

/** @param {string} kind @param {string} words @param {string} day @param {string} [href] */
function honour(kind, words, day, href) {
  return element("li", {}, makeMedal(kind),
    element("span", {}, href ? link(href, words) : words, day && element("small", { class: "fine" }, day)));
}

/** @param {Badge} badge @param {(slug: string) => string} nameOf */
function badgeWords({ kind, days, rules, runs }, nameOf) {
  if (kind === "streak") return t("collection.badge_streak", { count: days ?? 0 });
  return t(`collection.badge_${kind}`, { game: nameOf(rules ?? ""), runs: runs ?? 0 });
}
