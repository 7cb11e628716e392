/**
 * Objections while a standing is provisional: entrants object to a round or a run, the leader answers.
 *
 * @import { Evening, EveningObjection } from "wire"
 */
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { objectToEvening, readRound, ruleEvening } from "./evenings_api.js";
import { button, element, fill } from "../ui/dom.js";
import { playerName } from "../ui/player_name.js";

/** @param {() => unknown} changed called after each objection and each answer */
export function makeObjectionsPanel(changed) {
  const problem = element("p", { class: "problem", role: "alert" });
  const list = element("ul", { class: "rows" });
  const form = element("div", { class: "actions" });
  const node = element("section", { class: "panel" }, element("h2", {}, t("evenings.objections")), list, form, problem);
  let drawn = "";

  /** @param {() => Promise<unknown>} work */
  const act = async (work) => {
    problem.textContent = "";
    await work().catch((refusal) => {
      problem.textContent = refusalWords(refusal);
    });
    changed();
  };
  return {
    node,
    /** @param {Evening} evening */
    show(evening) {
      const { id, objections = [], state } = evening;
      const mayAnswer = Boolean(evening.may_lead) && state === "provisional";
      const seen = JSON.stringify([objections, state, mayAnswer, evening.may_object]);
      if (seen === drawn) return;
      drawn = seen;
      node.hidden = !evening.may_object && objections.length === 0;
      fill(list, objections.map((one) => element("li", {}, element("span", {}, playerName(one.player), ": ", aboutWords(one, Boolean(evening.arena))),
        one.answer ? element("span", { class: "fine" }, t(`evenings.${one.answer}`)) : mayAnswer ? element("span", { class: "actions" },
          ...["upheld", "dismissed"].map((answer) => button(t(answer === "upheld" ? "evenings.uphold" : "evenings.dismiss"),
            () => act(() => ruleEvening(id, { kind: "answer", objection: one.id, answer: answer === "upheld" ? "upheld" : "dismissed" })))))
          : element("span", { class: "fine" }, t("evenings.not_answered")))));
      fill(form, evening.may_object && makeForm(evening, (round, run) => act(() => objectToEvening(id, run ? { run } : { round }))));
    },
  };
}

/** A round, or a deal of an arena. @param {number} number @param {boolean} isArena */
function roundWords(number, isArena) {
  return isArena ? t("boards.deal_number", { number }) : t("evenings.about_round", { round: number });
}

/** What an objection is about. @param {EveningObjection} one @param {boolean} isArena */
function aboutWords({ round, run_of: runOf }, isArena) {
  if (isArena) return `${roundWords(round, isArena)}${runOf ? `, ${runOf.name}` : ""}`;
  return runOf ? t("evenings.about_run", { round, player: runOf.name }) : t("evenings.about_round", { round });
}

/** @param {Evening} evening @param {(round: number, run: string) => unknown} object */
function makeForm({ id, rounds, arena }, object) {
  const numbers = arena ? Array.from({ length: arena.deals }, (_, index) => index + 1) : rounds.map((one) => one.round);
  const round = element("select", { "aria-label": t("evenings.objection_round") },
    numbers.map((number) => element("option", { value: String(number) }, roundWords(number, Boolean(arena)))));
  const run = element("select", { "aria-label": t("evenings.objection_run") });
  const whole = () => element("option", { value: "" }, arena ? roundWords(Number(round.value), true) : t("evenings.whole_round"));
  const readRuns = async () => {
    fill(run, whole());
    const { runs } = await readRound(id, Number(round.value)).catch(() => ({ runs: [] }));
    fill(run, whole(), runs.map((one) => element("option", { value: one.game }, one.player.name)));
  };
  round.addEventListener("change", readRuns);
  readRuns();
  return [round, run, button(t("evenings.object"), () => object(Number(round.value), run.value))];
}
