/**
 * The dialog after a game: how it ended, how that compares, and what to do next.
 *
 * @import { Daily, GameCard, GameResult, RulesPage } from "wire"
 * @import { App } from "../main.js"
 * @import { Session } from "../game/session.js"
 */
import { beginRanked, dealCasual } from "../daily/begin_deal.js";
import { dealState, levelWords, nextDeal } from "../daily/deal_states.js";
import { showGameShare, showShareDialog } from "../daily/share_dialog.js";
import { makeStreakBadge } from "../daily/streak_badge.js";
import { gameCounts, isOfEvening } from "../game/session.js";
import { durationWords, scoreWords } from "../language/format.js";
import { refusalWords } from "../language/refusals.js";
import { formatNumber, t } from "../language/translate.js";
import { dealAddress, leaderboardAddress } from "../leaderboards/leaderboard_names.js";
import { struckWords } from "../leaderboards/disqualified.js";
import { readDaily, readResult, readRules } from "../net/api.js";
import { raceRunButton } from "../race/race_run.js";
import { makeSignsBar, phrasesAtEnd } from "../reactions/reactions_bar.js";
import { button, element, fill, keepFocus, link } from "../ui/dom.js";
import { comparisons, parComparison } from "./comparison.js";
import { recordLinks } from "./record_link.js";

/**
 * What the dialog needs from the server. What cannot be read is null: the dialog opens without it.
 * @param {GameCard} game
 * @param {() => Promise<OpenDeal|undefined>} [findNextDeal] finds what opens the next deal of an arena
 * @returns {Promise<{result: GameResult|null, daily: Daily|null, openNext?: OpenDeal|null}>}
 */
export async function readEnding({ id, day }, findNextDeal) {
  const [result, daily, openNext] = await Promise.all([
    readResult(id).catch(() => null), day ? readDaily(day).catch(() => null) : null, findNextDeal?.().catch(() => null),
  ]);
  return { result, daily, openNext };
}

/**
 * @param {Session} session
 * @param {GameCard} game
 * @param {{app: App, rules: RulesPage, ending: ReturnType<typeof readEnding>}} about `ending` is shown as soon as it is there
 * @returns {HTMLDialogElement} the dialog, which is open already
 */
export function showGameOver(session, game, { app, rules, ending }) {
  const struck = element("p", { class: "struck-run", role: "status" });
  const compared = element("ul", { class: "compared", "aria-live": "polite" });
  const actions = element("p", { class: "actions" });
  const problem = element("p", { class: "problem", role: "alert" });
  const record = element("p", { class: "fine" });
  const isIdle = session.status === "out_of_time" && game.mode !== "race" && !game.ranked;
  const kind = isIdle ? "idle" : session.status;
  const why = session.status === "out_of_time" && game.mode === "daily" && game.ranked ? "closed" : kind;
  const phrases = phrasesAtEnd("own", { won: session.status === "won", reached: session.score, goal: rules.maximum });
  const signs = makeSignsBar("game", game.id, { player: app.player, connection: app.connection, mayGive: true, phrases });
  /** @type {HTMLDialogElement} */
  const dialog = element("dialog", { class: `panel ending ${session.status}`, "aria-labelledby": "ending-title" },
    element("p", { class: "eyebrow" }, t(`ending.${why}_words`)),
    element("div", { class: "headline" }, element("h2", { id: "ending-title" }, t(`ending.${kind}`)),
      element("p", { class: "large-figure" }, scoreWords(session.score, rules.maximum))),
    element("dl", { class: "stats" }, figures(session)),
    struck, compared, actions, problem, signs.panel, record);

  /** @param {Awaited<ReturnType<typeof readEnding>>} known */
  function show({ result, daily, openNext }) {
    const all = [...parComparison(game, daily, session), ...(result ? comparisons(result) : [])];
    struck.textContent = result?.struck ? struckWords(result.struck) : "";
    fill(compared, all.map(({ kind, words, good }) =>
      element("li", { class: good && "good" }, kind === "streak" && makeStreakBadge(result?.streak ?? 0), words)));
    keepFocus(actions, () => fill(actions, nextStep(game, daily, openNext, { app, problem }), bestRunSteps(game, result, { app, problem }),
      link(`/replay/${game.id}`, t("ending.replay"), "button"),
      !gameCounts(session) && !isOfEvening(game) && game.competition !== "puzzle"
        && link(dealAddress(game.number ? `${game.rules}-${game.number}` : game.deal), t("ending.deal"), "button"),
      game.ranked && link(leaderboardAddress(`deal:${game.deal}`), t("ending.board"), "button"),
      button(t("ending.share"), () => (game.mode === "daily" && game.day && game.ranked && session.played > 0
        ? showShareDialog(game.day) : showGameShare(session, game, rules))),
      button(t("ending.look"), () => dialog.close())));
    fill(record, isOfEvening(game) ? null : recordLinks(game.id, daily));  // it is secret until the round is over
  }

  show({ result: null, daily: null });
  fill(record);
  document.body.append(dialog);
  dialog.addEventListener("click", ({ target }) => target instanceof Element && target.closest("a") && dialog.close());
  dialog.addEventListener("close", () => {
    signs.close();
    dialog.remove();
  });
  dialog.showModal();
  ending.then((known) => dialog.open && show(known));
  return dialog;
}

/** @param {Session} session */
function figures({ played, milliseconds, active }) {
  /** @type {Record<string, string>} */
  const values = { moves: formatNumber(played), time: durationWords(milliseconds ?? 0) };
  if (active !== null) values.active = durationWords(active);
  return Object.entries(values).map(([name, value]) => element("div", {}, element("dt", {}, t(`ending.${name}`)), element("dd", {}, value)));
}

/** @typedef {{app: App, problem: HTMLElement}} Around the application, and where a refusal is shown */
/** @typedef {() => Promise<void>} OpenDeal opens a deal and goes to its table */

/**
 * The first button: the next deal of the arena or day, else the day's deals; back to the evening or the puzzle; of any other game new cards.
 * @param {GameCard} game
 * @param {Daily|null} daily
 * @param {OpenDeal|null|undefined} openNext
 * @param {Around} around
 */
function nextStep(game, daily, openNext, { app, problem }) {
  /** @param {string} words @param {() => Promise<void>} begin */
  const playing = (words, begin) => button(words, async () => {
    problem.textContent = "";
    try {
      await begin();
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  }, "button primary");
  if (isOfEvening(game) && game.about) {
    return [openNext && playing(t("evenings.next_deal"), openNext), link(`/evenings/${game.about.split("/")[0]}`, t("evenings.back"), openNext ? "button" : "button primary")];
  }
  if (game.competition === "puzzle") return link(`/puzzle/${game.about}`, t("puzzle.back"), "button primary");
  if (!game.day) return [playing(t("ending.another"), () => dealCasual(game.rules, app)), link("/", t("watch.todays_deals"), "button")];
  const now = Date.now();
  const next = daily && nextDeal(daily.deals, (deal) => dealState(deal, daily, now));
  if (!daily || !next) return link(`/daily/${game.day}`, t("ending.days_deals"), "button primary");
  return playing(t("ending.next_deal", { level: levelWords(next.level) }), async () => beginRanked(daily, next, (await readRules(next.rules)).name, app));
}

/** Compare this run with the best one of the deal, watch that one, and race it. @param {GameCard} game @param {GameResult|null} result @param {Around} around */
function bestRunSteps({ id, day, slot }, result, { app, problem }) {
  const best = result?.best_run;
  if (!best || !day || !slot) return [];
  return [link(`/compare/${id},${best}`, t("ending.compare_best"), "button"), link(`/replay/${best}`, t("ending.watch_best"), "button"), raceRunButton(t("ending.race_best"), { day, slot, run: best }, { app, problem })];
}
