/**
 * The first page: today's challenge, everybody's progress, and other games and races that are on.
 *
 * @import { Daily, DailyDeal, Home, LiveGame, Meter, Race, RulesCard } from "wire"
 * @import { App } from "../../main.js"
 */
import { makeFan } from "../../cards/card_picture.js";
import { dealCasual } from "../../daily/begin_deal.js";
import { makeChallengeCard } from "../../daily/challenge_card.js";
import { makeCommitmentPanel } from "../../daily/commitment_panel.js";
import { followDay } from "../../daily/day_changes.js";
import { dealState, dealsTodayWords, isRevealed, levelWords, streakWords } from "../../daily/deal_states.js";
import { makeProgressMeters } from "../../daily/progress_meters.js";
import { awaitShuffling } from "../../daily/shuffling.js";
import { showShareDialog } from "../../daily/share_dialog.js";
import { makeStreakBadge } from "../../daily/streak_badge.js";
import { dayWords, momentWords, nameWords, scoreWords, timeLeftWords } from "../../language/format.js";
import { t, tNodes } from "../../language/translate.js";
import { readHome, readYesterday } from "../../net/api.js";
import { serverNow } from "../../net/server_clock.js";
import { makeUnfinishedGames } from "../../daily/unfinished_games.js";
import { makeWelcome } from "../../daily/welcome.js";
import { makeReturnLink } from "../../race/race_return.js";
import { served } from "../../settings/served.js";
import { button, element, fill, fromMarkup, link, oneAtATime } from "../../ui/dom.js";
import { loadLater } from "../../ui/load_later.js";
import { makeChoices } from "../../ui/tabs.js";

/** @type {import("../../router.js").Show} */
export async function show(root, _parameters, app) {
  app.title("");
  const [home, makeYesterday] = await Promise.all([readHome(), app.player && readReturn()]);
  const { today: daily, today_away: away, rules, live, coming, races, unfinished = [], sample, welcome: said } = home;
  const names = new Map(rules.map((one) => [one.slug, one]));
  const others = element("div", { class: "pair" }, liveSection(live.filter((game) => game.day !== daily?.day), names),
    raceSection(races, names), comingSection(coming, names));
  const welcome = sample ? makeWelcome(sample, firstActions(sample.rules, daily, names, app)) : null;
  const due = element("div", { class: "first" });
  const showDue = async (/** @type {Home} */ found) => {
    fill(due, found.challenges?.length || found.evenings?.length ? (await loadLater()).makeDue(found) : null);
    due.hidden = !due.firstChild;
  };
  await showDue(home);
  const first = element("div", { class: "first" }, makeReturnLink(app), due, welcome?.node,
    makeUnfinishedGames(unfinished, (slug) => nameIn(names, slug)), makeYesterday?.((slug) => nameIn(names, slug)));
  const today = daily && makeToday(daily, names, app, {
    heading: welcome ? "h2" : "h1", again: () => app.go(location.pathname, { replace: true }),
  });
  fill(root, houseSection(said), first, today ? [today.node, today.wall] : noChallenge(welcome ? "h2" : "h1", away), others, app.player && moreSection());
  welcome?.draw();
  const stop = daily && today ? followDay(app, daily, today.onProgress, () => readHome().then(showDue).catch(() => {})) : () => {};
  const timer = today ? setInterval(today.tick, 20000) : 0;
  const stopWaiting = daily ? awaitShuffling(daily, () => app.go(location.pathname, { replace: true })) : () => {};
  return () => {
    stopWaiting();
    welcome?.close();
    stop();
    clearInterval(timer);
  };
}

/**
 * What makes the panel for somebody who comes back, once the names of games are known; null if it cannot be read just now.
 * @returns {Promise<((nameOf: (slug: string) => string) => HTMLElement|null)|null>}
 */
async function readReturn() {
  try {
    const [told, { makeYesterday }] = await Promise.all([readYesterday(), loadLater()]);
    return (nameOf) => makeYesterday(told, nameOf);
  } catch {
    return null;
  }
}

/**
 * What somebody who is new can do: play a game that many people know, which counts nowhere, or go on to the deals of the day.
 * @param {string} slug of that game
 * @param {Daily|undefined} daily
 * @param {Names} names
 * @param {App} app
 */
function firstActions(slug, daily, names, app) {
  const play = button(t("home.play_first", { game: nameIn(names, slug) }), oneAtATime(() => dealCasual(slug, app)), "button primary large");
  return [play, link(daily ? `/daily/${daily.day}` : "/games", t(daily ? "home.to_the_day" : "home.choose_game"), "button large")];
}

/**
 * @param {Daily} daily
 * @param {Names} names
 * @param {App} app
 * @param {{heading: "h1"|"h2", again: () => void}} about `again` shows the page again
 */
function makeToday(daily, names, app, { heading, again }) {
  // The server has sent this day as today, so it counts as open: its clock is known to a second.
  const now = Math.min(serverNow(), daily.ends_at - 1);
  /** @type {Map<string, Meter>} */
  const meters = new Map();
  const card = makeChallengeCard(daily, names, app, { now, again });
  const left = element("p", { class: "fine" });
  const place = element("div");
  const stateOf = (/** @type {DailyDeal} */ deal) => dealState(deal, daily, now);
  const finished = daily.deals.some((deal) => deal.your_game && ["done", "spoiled"].includes(stateOf(deal)));
  let shown = daily.deals.find((deal) => stateOf(deal) === "begun") ?? daily.deals[0];
  /** @type {ReturnType<typeof makeProgressMeters>|null} */
  let progress = null;

  /** @param {DailyDeal} deal */
  function pick(deal) {
    shown = deal;
    progress = makeProgressMeters({
      mine: deal.your_game, open: isRevealed(stateOf(deal)), maximum: names.get(deal.rules)?.maximum,
    });
    fill(place, element("p", { class: "fine" }, nameIn(names, deal.rules)), progress.node);
    draw();
  }
  function draw() {
    progress?.show([...meters.values()].filter((meter) => meter.deal === shown.deal));
  }
  function tick() {
    left.textContent = timeLeftSentence(daily, serverNow());
  }

  tick();
  pick(shown);
  return {
    tick,
    node: element("section", { class: "panel challenge today" },
      element("header", {},
        element("div", {},
          element("p", { class: "eyebrow" }, t("home.challenge_of", { day: dayWords(daily.day) })),
          element(heading, {}, dealsTodayWords(daily.deals.length)),
          daily.streak ? element("p", { class: "streak" }, makeStreakBadge(daily.streak), streakWords(daily.streak)) : null),
        makeFan(["AS", "QH", "JC", "KD"])),
      card.node,
      element("footer", {},
        element("p", { class: "fine" }, t("home.same_for_all")), left,
        element("p", { class: "actions" }, link(`/board/${daily.day}`, t("home.todays_board"), "button"),
          finished && button(t("home.share_day"), () => showShareDialog(daily.day)),
          link("/calendar", t("home.days_gone_by"), "button")),
        makeCommitmentPanel(daily))),
    wall: element("section", { class: "panel" }, element("h2", {}, t("home.everybody_fares")),
      daily.deals.length > 1 && makeChoices(t("home.which_deal"),
        daily.deals.map((deal) => ({ text: levelWords(deal.level), value: deal })), shown, pick),
      place),
    /** @param {Meter[]} games */
    onProgress(games) {
      games.forEach((meter) => meters.set(meter.game, meter));
      draw();
      card.progress(meters);
    },
  };
}

/** @param {Daily} daily @param {number} now */
function timeLeftSentence(daily, now) {
  if (now < daily.ends_at) return t("home.open_for", { time: timeLeftWords(daily.ends_at - now) });
  return now < daily.closes_at ? t("home.finish_for", { time: timeLeftWords(daily.closes_at - now) }) : t("home.day_over");
}

/** What a host says on this page. @param {string|undefined} markup */
function houseSection(markup) {
  return (markup || served.branding?.rules) && element("section", { class: "panel prose welcome-text" }, markup && fromMarkup(markup),
    served.branding?.rules && element("p", {}, link("/about", t("admin.house_rules"))));
}

/** @param {"h1"|"h2"} heading @param {boolean|undefined} away whether there is one that cannot be read just now */
function noChallenge(heading, away) {
  const games = link("/games", t("home.any_game"));
  return element("section", { class: "panel challenge" },
    element(heading, {}, away ? t("home.challenge_away") : t("home.no_challenge")),
    element("p", {}, away ? tNodes("home.challenge_away_words", { games }) : tNodes("home.no_challenge_words", { games })));
}

/** @param {string} title @param {HTMLElement[]} rows @param {HTMLElement|null} [more] */
const listSection = (title, rows, more = null) => rows.length > 0 &&
  element("section", { class: "panel" }, element("h2", {}, title), element("ul", { class: "rows" }, rows), more);

/** What else there is, for those who have played already. */
const moreSection = () => element("p", { class: "actions" }, link("/evenings", t("evenings.evenings"), "button"),
  link("/puzzle", t("calendar.puzzle"), "button"));

/** @typedef {Map<string, RulesCard>} Names by slug */

/** @param {Names} names @param {string} slug */
const nameIn = (names, slug) => names.get(slug)?.name ?? slug;

/** @param {LiveGame[]} games @param {Names} names */
function liveSection(games, names) {
  return listSection(t("home.at_the_tables"), games.slice(0, 8).map((game) => element("li", {},
    link(`/watch/${game.game}`, t("home.plays", { name: nameWords(game.player), game: nameIn(names, game.rules) })),
    element("span", { class: "fine" }, t("home.live_figures",
      { score: scoreWords(game.score, names.get(game.rules)?.maximum), moves: t("common.moves", { count: game.moves }) })))),
  element("p", {}, link("/theatre", t("watch.several"))));
}

/** @param {Race[]} races @param {Names} names */
function raceSection(races, names) {
  return listSection(t("home.open_races"), races.slice(0, 5).map((race) => element("li", {},
    link(`/race/${race.race}`, nameIn(names, race.rules)),
    element("span", { class: "fine" }, t("home.racers_there", { there: race.racers.length, size: race.size })))));
}

/** @param {Daily[]} coming the next one first @param {Names} names */
function comingSection(coming, names) {
  return listSection(t("home.coming"), coming.slice(0, 4).map((daily) => element("li", {}, link(`/daily/${daily.day}`, dayWords(daily.day)),
    element("span", {}, daily.deals.map(({ rules }) => nameIn(names, rules)).join(", ")),
    element("span", { class: "fine" }, t("home.opens", { moment: momentWords(daily.opens_at) })))));
}
