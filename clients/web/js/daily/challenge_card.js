/**
 * The challenge of a day: its deals side by side, the state of each for the reader, and what the reader may do with it.
 *
 * @import { Daily, DailyDeal, Meter, RulesCard } from "wire"
 * @import { App } from "../main.js"
 */
import { capitalize, durationWords, scoreWords, statusWords } from "../language/format.js";
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { leaderboardAddress } from "../leaderboards/leaderboard_names.js";
import { enterDaily, startPractice } from "../net/api.js";
import { button, element, fill, link } from "../ui/dom.js";
import { beginDeal, beginRanked } from "./begin_deal.js";
import { certifiedWords } from "./certified_words.js";
import { dealState, dealStateWords, levelWords, nextDeal } from "./deal_states.js";
import { confirmSpoil } from "./spoil_dialog.js";

/**
 * Make the card. The primary button is that of the next deal: the first one in progress, or else the first one not started.
 * @param {Daily} daily
 * @param {Map<string, RulesCard>} rules by slug
 * @param {App} app
 * @param {{now: number, again: () => void}} about `again` shows the page again
 * @returns {{node: HTMLElement, progress: (meters: Map<string, Meter>) => void}} `progress` takes the meters of runs by game
 */
export function makeChallengeCard(daily, rules, app, { now, again }) {
  const first = nextDeal(daily.deals, (deal) => dealState(deal, daily, now));
  const deals = daily.deals.map((deal) => makeDeal(deal, daily, rules.get(deal.rules), app, { now, again, first: deal === first }));
  return {
    node: element("ol", { class: "deals" }, deals.map(({ node }) => node)),
    progress: (meters) => deals.forEach(({ progress }) => progress(meters)),
  };
}

/**
 * @param {DailyDeal} deal
 * @param {Daily} daily
 * @param {RulesCard|undefined} rules
 * @param {App} app
 * @param {{now: number, again: () => void, first: boolean}} about
 */
function makeDeal(deal, daily, rules, app, { now, again, first }) {
  const current = dealState(deal, daily, now);
  const name = rules?.name ?? deal.rules;
  const state = element("p", { class: "state" }, dealStateWords(current));
  // There from the beginning, so that the buttons below stay where they are when the figures arrive.
  const figures = element("p", { class: "own-figures" });
  const problem = element("p", { class: "problem", role: "alert" });
  const attempt = (/** @type {Promise<unknown>} */ work) => work.catch((refusal) => {
    problem.textContent = refusalWords(refusal);
  });
  const node = element("li", { class: `deal ${current}` },
    element("p", { class: "eyebrow" }, levelWords(deal.level),
      deal.runs > 0 && element("span", { class: "fine" }, t("deals.runs", { count: deal.runs }))),
    element("h2", {}, link(`/games/${deal.rules}`, name)),
    element("p", { class: "summary" }, rules ? rules.summary : ""),
    deal.seal && element("p", { class: "fine certified" }, element("span", { "aria-hidden": "true" }, "✓ "), certifiedWords(deal)),
    state,
    deal.your_game && figures,
    element("p", { class: "actions" }, actions(current, { deal, daily, name, app, again, attempt, first })),
    problem);
  return {
    node,
    /** @param {Map<string, Meter>} meters */
    progress(meters) {
      const own = meters.get(deal.your_game ?? "");
      if (!own) return;
      if (current !== "begun") fill(state, element("strong", {}, capitalize(statusWords(own.status))));
      figures.textContent = ownFigures(own, rules?.maximum);
    },
  };
}

/** @param {Meter} meter @param {number} [maximum] */
function ownFigures(meter, maximum) {
  return t(meter.ranked ? "deals.own" : "deals.own_unranked",
    { score: scoreWords(meter.score, maximum), moves: t("common.moves", { count: meter.moves }), time: durationWords(meter.milliseconds) });
}

/**
 * The buttons and links of a deal.
 * @param {ReturnType<typeof dealState>} current
 * @param {Object} about
 * @param {DailyDeal} about.deal
 * @param {Daily} about.daily
 * @param {string} about.name of the game's rules
 * @param {App} about.app
 * @param {() => void} about.again
 * @param {(work: Promise<unknown>) => void} about.attempt
 * @param {boolean} about.first
 */
function actions(current, { deal, daily, name, app, again, attempt, first }) {
  /** @param {HTMLElement} made @param {string} key */
  const withLabel = (made, key) => {
    made.setAttribute("aria-label", t(`deals.${key}_label`, { game: name, level: levelWords(deal.level) }));
    return made;
  };
  /** @param {string} key @param {() => Promise<unknown>} work @param {string} look */
  const act = (key, work, look) => withLabel(button(t(`deals.${key}`), () => attempt(work()), look), key);
  /** @param {string} key @param {string} href */
  const go = (key, href) => withLabel(link(href, t(`deals.${key}`), "button"), key);
  const begin = (/** @type {typeof startPractice} */ how) => beginDeal(daily, deal, app, how);
  const play = (/** @type {string} */ key) => act(key, () => begin(enterDaily), first ? "button primary" : "button");
  const more = () => act("practise", () => begin(startPractice), "button");
  const board = () => go("board", leaderboardAddress(`deal:${deal.deal}`));
  const spoil = () => act("spoil", () => confirmSpoil(daily, deal, app).then((done) => done && again()), "quiet");
  switch (current) {
    case "fresh": return [act("play", () => beginRanked(daily, deal, name, app), first ? "button primary" : "button"), spoil()];
    case "begun": return [play("go_on"), spoil()];
    case "done": return [deal.your_game && go("replay", `/replay/${deal.your_game}`), more(), board()];
    case "spoiled": return [deal.your_game && go("your_run", `/play/${deal.your_game}`), more(), board()];
    case "missed": return [board()];
    case "past": return [more(), board()];
    default: return [];
  }
}
