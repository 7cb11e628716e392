/**
 * The morning after a day: for each deal how far the field came, where it was lost, what parted winners from losers, the best
 * line, and one position to try.
 *
 * @import { DealReview, RulesPage } from "wire"
 * @import { App } from "../../main.js"
 */
import { makeBarPlot } from "../../account/bar_plot.js";
import { showWay } from "../../analysis/winning_line_dialog.js";
import { levelWords } from "../../daily/deal_states.js";
import { parseMove } from "../../game/moves.js";
import { replaySteps, waySteps } from "../../game/replay_steps.js";
import { dayWords, moveWords } from "../../language/format.js";
import { refusalWords } from "../../language/refusals.js";
import { formatNumber, t } from "../../language/translate.js";
import { playOn, readBestLine, readReplay, readReview, readRules } from "../../net/api.js";
import { button, element, fill, link } from "../../ui/dom.js";

/** @type {import("../../router.js").Show} */
export async function show(root, { day }, app) {
  const review = await readReview(day);
  const rules = await Promise.all(review.deals.map((deal) => readRules(deal.rules)));
  app.title(t("review.title", { day: dayWords(day) }));
  /** @type {Set<HTMLDialogElement>} */
  const dialogs = new Set();
  fill(root,
    element("header", { class: "heading" }, element("p", { class: "eyebrow" }, t("review.eyebrow")),
      element("h1", {}, t("review.title", { day: dayWords(day) })),
      element("p", { class: "turning" }, link(`/daily/${day}`, t("review.the_day")), link(`/board/${day}`, t("daily.the_days_board"))),
      element("p", { class: "fine" }, t("review.about"))),
    review.state === "working" && element("p", { role: "status" }, t("review.working")),
    review.deals.map((deal, index) => makeDeal(day, deal, rules[index], app, dialogs)));
  return () => dialogs.forEach((dialog) => dialog.close());
}

/**
 * @param {string} day
 * @param {DealReview} deal
 * @param {RulesPage} rules
 * @param {App} app
 * @param {Set<HTMLDialogElement>} dialogs those that were opened
 */
function makeDeal(day, deal, rules, app, dialogs) {
  const problem = element("p", { class: "problem", role: "alert" });
  const attempt = (/** @type {() => Promise<void>} */ work) => work().catch((refusal) => {
    problem.textContent = refusalWords(refusal);
  });
  const { best, to_try: trial, looked_at: looked, analysed, decided, positions } = deal;
  return element("section", { class: "panel review" },
    element("p", { class: "eyebrow" }, levelWords(deal.level)), element("h2", {}, link(`/games/${deal.rules}`, rules.name)),
    deal.runs === 0 ? element("p", {}, t("review.nobody")) : [
      element("p", {}, t("review.counts", { count: deal.runs, won: formatNumber(deal.won) })), fieldPlot(deal),
      ...(looked > 0 ? [...part("lost", lossWords(deal)), ...part("parting", partingWords(deal, rules))] : []),
      ...part("best", best ? `${t(`review.best_${best.source}`, { count: best.moves })} ${t("review.best_note")}` : t("review.best_unknown"),
        best && button(t("review.show_best"), () => attempt(async () => {
          const [way, replay] = await Promise.all([readBestLine(day, deal.slot), readReplay(best.game)]);
          const steps = waySteps(replaySteps(replay)[0].session, way);
          dialogs.add(await showWay(rules, steps, t("review.best_title", { game: rules.name }), t("review.back")));
        }))),
      ...(trial ? part("try", t(trial.moves ? "review.try_from" : "review.try_deal", { moves: trial.moves, count: trial.lost }),
        button(t("review.try_it"), () => attempt(async () => {
          await app.ensurePlayer();
          app.go(`/play/${(await playOn(trial.game, trial.version)).id}`);
        }), "button primary")) : []),
      looked > 0 && element("p", { class: "fine" }, t("review.decided", { analysed, looked, decided, positions })),
    ], problem);
}

/** @param {string} key @param {string} words @param {HTMLElement|null|undefined|false} [action] */
function part(key, words, action) {
  return [element("h3", {}, t(`review.${key}`)), element("p", {}, words), action && element("p", { class: "actions" }, action)];
}

/** How far the runs came, in tenths of the way; those that were won stand at the end. @param {DealReview} deal */
function fieldPlot({ field }) {
  const last = field.length - 1;
  return makeBarPlot({
    label: t("review.plot"), legend: [t("review.won"), t("review.runs")], heads: [t("review.head_way"), t("review.runs")],
    bars: field.map((runs, tenth) => {
      const name = tenth === last ? t("review.won") : t("review.part", { from: tenth * 10, to: tenth * 10 + 10 });
      return { name, short: name, height: runs, part: tenth === last ? runs : 0, cells: [formatNumber(runs)] };
    }),
    most: Math.max(1, ...field),
  });
}

/** @param {DealReview} deal */
function lossWords({ losses }) {
  return losses ? t("review.lost_between", { ...losses, count: losses.runs }) : t("review.lost_unknown");
}

/** @param {DealReview} deal @param {RulesPage} rules */
function partingWords({ parting }, rules) {
  if (!parting) return t("review.parting_unknown");
  const piles = new Set(rules.layout.piles.map(({ name }) => name));
  const words = (/** @type {string} */ text) => moveWords(parseMove(text, (name) => piles.has(name)));
  const { moves, lost, won } = parting;
  return t(moves ? "review.parting_move" : "review.parting_deal", { moves, count: lost, won, losing: words(parting.losing_move), winning: words(parting.winning_move) });
}
