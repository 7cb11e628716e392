/**
 * A deal that was played, or a numbered one: its link, how everybody has fared with it, and a button that deals the same cards.
 *
 * @import { DealRun, PlayedDeal } from "wire"
 */
import { dayWords, durationWords, nameWords, rankWords, scoreWords, statusWords } from "../../language/format.js";
import { refusalWords } from "../../language/refusals.js";
import { formatNumber, t } from "../../language/translate.js";
import { playDeal, readDeal, readRules } from "../../net/api.js";
import { copyButton } from "../../ui/copy_button.js";
import { button, element, fill, link, oneAtATime } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";
import { playerName } from "../../ui/player_name.js";

const HEADS = ["rank", "player", "score", "moves", "time", "end"];

/** @type {import("../../router.js").Show} */
export async function show(root, { deal: name, slot }, app) {
  const id = slot ? `${name}.${slot}` : name;
  const [deal] = await Promise.all([readDeal(id), loadCss("/style/leaderboards.css")]);
  const rules = await readRules(deal.rules);
  app.title(t("deal.title", { game: rules.name }));
  const problem = element("p", { class: "problem", role: "alert" });
  const play = button(t("deal.play"), oneAtATime(async () => {
    problem.textContent = "";
    try {
      await app.ensurePlayer();
      app.go(`/play/${(await playDeal(id)).id}`);
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  }), "button primary large");
  fill(root,
    element("header", { class: "heading" },
      element("p", { class: "eyebrow" }, dealtFor(deal)),
      element("h1", {}, link(`/games/${deal.rules}`, rules.name))),
    element("section", { class: "panel" },
      element("p", {}, t("deal.words")),
      element("p", { class: "actions" }, play, copyButton(t("deal.copy"), location.origin + location.pathname)),
      problem),
    element("section", { class: "panel" },
      element("h2", {}, t("deal.runs")),
      element("p", { class: "fine" }, t("deal.players", { count: deal.players })),
      deal.runs.length > 0 && makeTable(deal.runs, rules.maximum, app.player?.id)));
}

/** What the cards were dealt for first, or the number of the deal. @param {PlayedDeal} deal */
function dealtFor({ day, race, number }) {
  if (number) return t("seat.numbered", { number: String(number) });
  if (day) return link(`/daily/${day}`, dayWords(day));
  return race ? link(`/race/${race}`, t("races.the_race")) : t("seat.casual");
}

/** @param {DealRun[]} runs the best first @param {number} maximum @param {string} [me] the reader's own player id */
function makeTable(runs, maximum, me) {
  const cell = (/** @type {string} */ name, /** @type {import("../../ui/dom.js").Child} */ shown) =>
    element("td", { class: name, "data-head": t(`boards.head_${name}`) }, shown);
  let rank = 0;
  return element("table", { class: "ranking" }, element("caption", { class: "unseen" }, t("deal.runs")),
    element("thead", {}, element("tr", {}, HEADS.map((head) => element("th", { scope: "col", class: head }, t(`boards.head_${head}`))))),
    element("tbody", {}, runs.map((run, index) => {
      if (index === 0 || !isEqual(run, runs[index - 1])) rank = index + 1;
      const own = run.player.id === me;
      const replay = element("a", { href: `/replay/${run.game}`,
        "aria-label": t("boards.replay_label", { result: statusWords(run.result), name: nameWords(run.player) }) }, statusWords(run.result));
      return element("tr", { class: own ? "own" : "" }, cell("rank", rankWords(rank)),
        element("th", { scope: "row" }, playerName(run.player, { own })), cell("score", scoreWords(run.score, maximum)),
        cell("moves", formatNumber(run.moves)), cell("time", durationWords(run.milliseconds)), cell("end", replay));
    })));
}

/** Whether two runs share a rank. @param {DealRun} one @param {DealRun} other */
function isEqual(one, other) {
  return one.score === other.score && one.moves === other.moves && one.milliseconds === other.milliseconds;
}
