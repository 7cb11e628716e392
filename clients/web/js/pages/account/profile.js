/**
 * A player's page: streaks, results in each game, and the latest games.
 *
 * @import { GameCard, Player, Profile } from "wire"
 * @import { App } from "../../main.js"
 */
import { dayAt } from "../../language/calendar.js";
import { dayWords, durationWords, momentWords, statusWords } from "../../language/format.js";
import { formatNumber, hasText, t } from "../../language/translate.js";
import { followPlayer, listFriends, listRules, readProfile, unfollowPlayer } from "../../net/api.js";
import { button, element, fill, link } from "../../ui/dom.js";
import { playerMarks } from "../../ui/player_name.js";

/** @type {import("../../router.js").Show} */
export async function show(root, { player: id }, app) {
  const [profile, rules] = await Promise.all([readProfile(id), listRules()]);
  const names = new Map(rules.map(({ slug, name }) => [slug, name]));
  const { player } = profile;
  const own = player.id === app.player?.id;
  app.title(player.name);
  fill(root,
    element("header", { class: "heading" },
      element("p", { class: "eyebrow" }, t(own ? "profile.you" : "profile.player")), element("h1", {}, player.name, playerMarks(player)),
      element("p", { class: "fine" }, t("profile.since", { day: dayWords(dayAt(profile.since)) })),
      element("p", { class: "actions" },
        own ? link("/account", t("profile.account"), "button") : !player.guest && followButton(player, app))),
    element("section", { class: "panel" }, element("dl", { class: "figures-row" }, figureList(profile))),
    gamesSection(profile, names), recentSection(profile, names));
}

/** @param {Profile} profile */
function figureList({ played, won, streak, best_streak: best }) {
  const values = {
    played: formatNumber(played),
    won: played ? t("profile.won_share", { won, share: formatNumber(won / played, { style: "percent" }) }) : formatNumber(won),
    streak: t("common.days", { count: streak }), best_streak: t("common.days", { count: best }),
  };
  return Object.entries(values).map(([name, value]) => element("div", {}, element("dt", {}, t(`profile.${name}`)), element("dd", {}, value)));
}

/** @param {Profile} profile @param {Map<string, string>} names */
function gamesSection({ by_game: games }, names) {
  if (games.length === 0) return null;
  const most = Math.max(...games.map(({ played }) => played));
  return element("section", { class: "panel" }, element("h2", {}, t("profile.game_by_game")),
    element("table", { class: "ranking tally" },
      element("thead", {}, element("tr", {}, ["game", "played", "won", "best"].map((head, index) =>
        element("th", { scope: "col", class: index > 0 ? "number" : undefined }, t(`profile.head_${head}`))))),
      element("tbody", {}, [...games].sort((one, other) => other.played - one.played).map(({ rules, played, won, best_score: best }) =>
        element("tr", {}, element("th", { scope: "row" }, link(`/games/${rules}`, names.get(rules) ?? rules),
          most > 1 && bar(won, played, most)),
          element("td", { class: "number" }, formatNumber(played)), element("td", { class: "number" }, formatNumber(won)),
          element("td", { class: "number" }, formatNumber(best)))))));
}

/**
 * A bar whose length shows how many games were played, filled as far as they were won.
 * @param {number} won
 * @param {number} played
 * @param {number} most
 */
function bar(won, played, most) {
  const filled = element("span");
  filled.style.width = `${(100 * won) / played}%`;
  const gauge = element("span", { class: "gauge", "aria-hidden": "true" }, filled);
  gauge.style.width = `${Math.max(4, (100 * played) / most)}%`;
  return gauge;
}

/** @param {Profile} profile @param {Map<string, string>} names */
function recentSection({ recent }, names) {
  return element("section", { class: "panel" }, element("h2", {}, t("profile.recent")),
    recent.length === 0 ? element("p", { class: "fine" }, t("profile.none"))
      : element("ul", { class: "rows" }, recent.map(({ game, score, moves, milliseconds }) => element("li", {},
        link(`/replay/${game.id}`, names.get(game.rules) ?? game.rules),
        element("span", {}, t("profile.result",
          { status: statusWords(game.status), score, moves: t("common.moves", { count: moves }), time: durationWords(milliseconds) })),
        element("span", { class: "fine" }, [kindWords(game), momentWords(game.started_at)].filter(Boolean).join(" · "))))));
}

/** @param {GameCard} game */
function kindWords({ mode, ranked }) {
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
