/**
 * A day: its deals with the reader's results, its commitment and, once it is closed, everything to play again and to check.
 *
 * @import { Daily, Meter, RulesCard } from "wire"
 */
import { makeChallengeCard } from "../../daily/challenge_card.js";
import { beaconEnd, makeCommitmentPanel } from "../../daily/commitment_panel.js";
import { followDay } from "../../daily/day_changes.js";
import { dealState, isRevealed } from "../../daily/deal_states.js";
import { makeProgressMeters } from "../../daily/progress_meters.js";
import { awaitShuffling } from "../../daily/shuffling.js";
import { showShareDialog } from "../../daily/share_dialog.js";
import { dayAt, daysLater, monthOf } from "../../language/calendar.js";
import { dayWords, momentWords } from "../../language/format.js";
import { t, tNodes } from "../../language/translate.js";
import { listRules, readDaily } from "../../net/api.js";
import { serverNow } from "../../net/server_clock.js";
import { dailyNonce } from "../../proof/seal.js";
import { button, element, fill, link } from "../../ui/dom.js";

/** @type {import("../../router.js").Show} */
export async function show(root, { day }, app) {
  const [daily, rules] = await Promise.all([readDaily(day), listRules()]);
  const names = new Map(rules.map((one) => [one.slug, one]));
  const now = serverNow();
  app.title(dayWords(daily.day));
  const card = makeChallengeCard(daily, names, app, { now, again: () => app.go(location.pathname, { replace: true }) });
  const progressLists = daily.deals.map((deal) => {
    const open = isRevealed(dealState(deal, daily, now));
    return { deal, ...makeProgressMeters({ mine: deal.your_game, open, maximum: names.get(deal.rules)?.maximum }) };
  });
  const begun = daily.state !== "announced";
  fill(root,
    element("header", { class: "heading" },
      element("p", { class: "eyebrow" }, link(`/calendar/${monthOf(daily.day)}`, t("calendar.eyebrow"))),
      element("h1", {}, dayWords(daily.day)),
      neighbourLinks(daily.day, now)),
    element("section", { class: "panel challenge today" }, card.node,
      element("footer", {}, element("p", { class: "fine" }, stateWords(daily, now)),
        element("p", { class: "actions" }, begun && link(`/board/${daily.day}`, t("daily.the_days_board"), "button"),
          daily.state === "closed" && link(`/review/${daily.day}`, t("daily.review"), "button"),
          daily.deals.some(({ your_game: game }) => game) && button(t("home.share_day"), () => showShareDialog(daily.day))))),
    element("section", { class: "panel" }, element("h2", {}, t("daily.the_seal")), makeCommitmentPanel(daily, true),
      daily.secret && checkInstructions(daily, names)),
    begun ? progressLists.map(({ deal, node }) => element("section", { class: "panel" },
      element("h2", {}, t(daily.state === "closed" ? "daily.runs_of" : "daily.game", { game: nameIn(names, deal.rules) })), node)) : []);
  const stopWaiting = awaitShuffling(daily, () => app.go(location.pathname, { replace: true }));
  /** @type {Map<string, Meter>} */
  const meters = new Map();
  const stop = followDay(app, daily, (games) => {
    games.forEach((meter) => meters.set(meter.game, meter));
    progressLists.forEach((wall) => wall.show([...meters.values()].filter((meter) => meter.deal === wall.deal.deal)));
    card.progress(meters);
  });
  return () => {
    stopWaiting();
    stop();
  };
}

/** @typedef {Map<string, RulesCard>} Names by slug */

/** @param {Names} names @param {string} slug */
const nameIn = (names, slug) => names.get(slug)?.name ?? slug;

/** @param {Daily} daily @param {number} now */
function stateWords({ state, shuffling, opens_at: opens, ends_at: ends, closes_at: closes }, now) {
  const kind = state === "open" && now >= ends ? "ended" : state;
  return t(`daily.state_${shuffling ? "shuffling" : kind}`, { opens: momentWords(opens), ends: momentWords(ends), closes: momentWords(closes) });
}

/** @param {string} day @param {number} now */
function neighbourLinks(day, now) {
  const next = daysLater(day, 1);
  return element("p", { class: "turning" }, link(`/daily/${daysLater(day, -1)}`, t("daily.day_before")),
    day < dayAt(now) && link(next === dayAt(now) ? "/" : `/daily/${next}`, t("daily.day_after")));
}

/** @param {Daily} daily @param {Names} names */
function checkInstructions(daily, names) {
  return element("details", {},
    element("summary", {}, t("daily.check")),
    element("p", {}, t("daily.check_commitment")),
    element("pre", {}, `(printf 'cadogan/commitment/1\\0'; echo ${daily.secret} | xxd -r -p) | sha256sum`),
    element("p", {}, t("daily.check_seeds")),
    element("ul", {}, daily.deals.map(({ deal, rules, candidate = 0 }) => element("li", {}, tNodes("daily.check_seed",
      { game: nameIn(names, rules), code: element("code", {}, `cadogan/seed/1\\0${rules}\\0${dailyNonce(deal, candidate, beaconEnd(daily))}\\0`) })))),
    element("p", {}, tNodes("daily.check_record", { command: element("code", {}, "cadogan verify FILE") })));
}
