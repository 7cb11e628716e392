/**
 * What the leader of an evening decides while it goes on.
 *
 * @import { Evening, Ruling } from "wire"
 */
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { ruleEvening } from "./evenings_api.js";
import { confirmAction } from "../ui/dialogs.js";
import { button, element, fill } from "../ui/dom.js";

const EXTENSION_SECONDS = 120;

/** @param {() => unknown} changed called after each decision */
export function makeLeaderPanel(changed) {
  const problem = element("p", { class: "problem", role: "alert" });
  const actions = element("p", { class: "actions" });
  const node = element("section", { class: "panel" }, element("h2", {}, t("evenings.leader")), actions, problem);
  let drawn = "";

  /** @param {string} id @param {Ruling} ruling @param {string} [question] */
  const rule = async (id, ruling, question) => {
    if (question && !(await confirmAction(question, t("evenings.yes"), t("common.no")))) return;
    problem.textContent = "";
    await ruleEvening(id, ruling).catch((refusal) => {
      problem.textContent = refusalWords(refusal);
    });
    changed();
  };
  return {
    node,
    /** @param {Evening} evening @param {boolean} isFrozen */
    show(evening, isFrozen) {
      const { id, state, round } = evening;
      const seen = JSON.stringify([state, round, isFrozen, evening.may_lead]);
      if (seen === drawn) return;
      drawn = seen;
      const isOver = state === "final" || state === "void";
      node.hidden = !evening.may_lead || isOver;
      fill(actions, state === "round" && button(t("evenings.extend"), () => rule(id, { kind: "extend", seconds: EXTENSION_SECONDS })),
        state === "round" && round && button(t("evenings.void_round", { round }),
          () => rule(id, { kind: "void_round", round, reason: t("evenings.void_reason") }, t("evenings.void_round_question", { round }))),
        state === "provisional" && isFrozen && button(t("evenings.thaw"), () => rule(id, { kind: "thaw" })),
        !isOver && button(t("evenings.void_evening"),
          () => rule(id, { kind: "void", reason: t("evenings.void_reason") }, t("evenings.void_question")), "button grave"));
    },
  };
}
