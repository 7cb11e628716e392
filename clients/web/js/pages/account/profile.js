/**
 * A player's page: streaks, results in each game, and the latest games.
 *
 * @import { GameCard, Player, Profile } from "wire"
 * @import { App } from "../../main.js"
 */
import { makeReportButton, reportTitle } from "../../account/report.js";
import { makeStatistics } from "../../account/statistics.js";
import { readForm } from "../../evening/evenings_api.js";
import { makeStreakBadge } from "../../daily/streak_badge.js";
import { isOfEvening } from "../../game/session.js";
import { dayAt } from "../../language/calendar.js";
import { dayWords, durationWords, momentWords, nameWords, scoreWords, statusWords } from "../../language/format.js";
import { formatNumber, hasText, t } from "../../language/translate.js";
import { followPlayer, listFriends, listRules, readCollection, readProfile, unfollowPlayer } from "../../net/api.js";
import { reportPlayer } from "../../net/reports_api.js";
import { button, element, fill, link } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";
import { loadLater } from "../../ui/load_later.js";
import { playerMarks } from "../../ui/player_name.js";

/** @type {import("../../router.js").Show} */
export async function show(root, { player: id }, app) {
  const [profile, form, collection, rules, { makeFormPanel, makeShields }] = await Promise.all([
    readProfile(id), readForm(id), readCollection(id), listRules(), loadLater(), loadCss("/style/collection.css"),
  ]);
  const names = new Map(rules.map(({ slug, name }) => [slug, name]));
  const { player } = profile;
  const nameOf = (/** @type {string} */ slug) => names.get(slug) ?? slug;
  const own = player.id === app.player?.id;
  app.title(nameWords(player));
  fill(root,
    element("header", { class: "heading" },
      element("p", { class: "eyebrow" }, t(own ? "profile.you" : "profile.player")), element("h1", {}, nameWords(player), playerMarks(player)),
      element("p", { class: "fine" }, t("profile.since", { day: dayWords(dayAt(profile.since)) })),
      makeShields(collection, nameOf),
      element("p", { class: "actions" }, link(`/players/${player.id}/collection`, t("collection.title"), "button"),
        ...own ? [link("/account", t("profile.account"), "button")] : [!player.guest && followButton(player, app), !player.guest && !player.bot && link(`/evenings?play=${encodeURIComponent(player.name)}`, t("matches.play"), "button"), app.player && !app.player.guest
          && makeReportButton(reportTitle(player), "name", (report) => reportPlayer(player.id, report))])),
    makeFormPanel(form), element("section", { class: "panel" }, element("dl", { class: "figures-row" }, figureList(profile))),
    makeStatistics(profile, names), recentSection(profile, names));
}

/** @param {Profile} profile */
function figureList({ played, won, streak, best_streak: best }) {
  const values = {
    played: formatNumber(played),
    won: played ? t("profile.won_share", { won, share: formatNumber(won / played, { style: "percent" }) }) : formatNumber(won),
    streak: t("common.days", { count: streak }), best_streak: t("common.days", { count: best }),
  };
  /** @type {Record<string, HTMLElement|null>} */
  const badges = { streak: makeStreakBadge(streak), best_streak: makeStreakBadge(best) };
  return Object.entries(values).map(([name, value]) =>
    element("div", {}, element("dt", {}, t(`profile.${name}`)), element("dd", {}, badges[name], value)));
}

/** @param {Profile} profile @param {Map<string, string>} names */
function recentSection({ recent, by_game: games }, names) {
  const maxima = new Map(games.map(({ rules, maximum }) => [rules, maximum]));
  return element("section", { class: "panel" }, element("h2", {}, t("profile.recent")),
    recent.length === 0 ? element("p", { class: "fine" }, t("profile.none"))
      : element("ul", { class: "rows" }, recent.map(({ game, score, moves, milliseconds }) => element("li", {},
        link(`/replay/${game.id}`, names.get(game.rules) ?? game.rules),
        element("span", {}, t("profile.result",
          { status: statusWords(game.status), score: scoreWords(score, maxima.get(game.rules)), moves: t("common.moves", { count: moves }), time: durationWords(milliseconds) })),
        element("span", { class: "fine" }, [kindWords(game), momentWords(game.started_at)].filter(Boolean).join(" · "))))));
}

/** @param {GameCard} game */
function kindWords(game) {
  if (isOfEvening(game)) return t("evenings.evening");
  const { mode, ranked } = game;
  const kind = mode === "daily" && !ranked ? "unranked" : mode;
  return hasText(`profile.kind_${kind}`) ? t(`profile.kind_${kind}`) : "";
}

/**
 * One button to follow and to unfollow. Whether the reader follows the player already is requested.
 * @param {Player} player
 * @param {App} app
 */
function followButton(player, app) {
  let following = false;
  const made = button("", async () => {
    await app.ensurePlayer();
    await (following ? unfollowPlayer : followPlayer)(player.name);
    show(!following);
  });
  /** @param {boolean} follows */
  function show(follows) {
    following = follows;
    made.textContent = t(follows ? "profile.unfollow" : "profile.follow");
  }
  show(false);
  if (app.player) listFriends().then((friends) => show(friends.some(({ id }) => id === player.id))).catch(() => {});
  return made;
}
