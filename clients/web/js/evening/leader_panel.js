/**
 * What the leader of an evening decides while it goes on, and how often it takes place.
 *
 * @import { Evening, Ruling } from "wire"
 */
import { refusalWords } from "../language/refusals.js";
import { formatDate, t } from "../language/translate.js";
import { ruleEvening } from "./evenings_api.js";
import { confirmAction } from "../ui/dialogs.js";
import { button, element, fill, link } from "../ui/dom.js";

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
      const { id, state } = evening;
      const voidable = roundsToVoid(evening);
      const seen = JSON.stringify([state, voidable, isFrozen, evening.may_lead, evening.series]);
      if (seen === drawn) return;
      drawn = seen;
      const isOver = state === "final" || state === "void";
      node.hidden = !evening.may_lead || isOver;
      fill(actions, state === "round" && button(t("evenings.extend"), () => rule(id, { kind: "extend", seconds: EXTENSION_SECONDS })),
        voidable.map((round) => button(t("evenings.void_round", { round }),
          () => rule(id, { kind: "void_round", round, reason: t("evenings.void_reason") }, t("evenings.void_round_question", { round })))),
        state === "provisional" && isFrozen && button(t("evenings.thaw"), () => rule(id, { kind: "thaw" })),
        evening.series && !evening.series.ended && !evening.series.next && button(t("evenings.end_series"),
          () => rule(id, { kind: "end_series" }, t("evenings.end_series_question"))),
        !isOver && button(t("evenings.void_evening"),
          () => rule(id, { kind: "void", reason: t("evenings.void_reason") }, t("evenings.void_question")), "button grave"));
    },
  };
}

/** The rounds that the leader may want to void: the open one, and afterwards those to which an objection was upheld. @param {Evening} evening */
export function roundsToVoid({ state, round, rounds, arena, objections = [] }) {
  if (arena) return [];
  const wanted = state === "round" ? [round] : state === "provisional" ? objections.filter(({ answer }) => answer === "upheld").map((one) => one.round) : [];
  return rounds.filter((one) => wanted.includes(one.round) && !one.void).map((one) => one.round);
}

/** A weekday by its name: "Thursday". @param {number} moment @param {string} [timeZone] whose clocks say which it is */
export function weekdayWords(moment, timeZone) {
  return formatDate(moment, { weekday: "long", timeZone });
}

/** How often an evening takes place, and where the next one is; null for one that takes place once. @param {Evening} evening */
export function makeSeriesLine({ series, rounds, arena }) {
  if (!series) return null;
  const ended = { by_leader: () => t("evenings.series_by_leader"), no_leader: () => t("evenings.series_no_leader") };
  return element("p", { class: "fine series" }, t("evenings.every", { day: weekdayWords((arena ?? rounds[0]).opens_at, series.time_zone) }),
    series.ended && ` · ${ended[series.ended]()}`, series.is_delayed && ` · ${t("evenings.series_delayed")}`, series.next && [" · ", link(`/evenings/${series.next}`, t("evenings.next"))]);
}
