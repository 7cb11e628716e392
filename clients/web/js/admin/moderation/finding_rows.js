/**
 * What the copy detector has found about a run, in rows that explain themselves.
 *
 * @import { CopyFinding, PaceFinding, RunPace, SharedChoice } from "wire"
 */
import { nameWords } from "../../language/format.js";
import { formatNumber, t } from "../../language/translate.js";
import { element, link } from "../../ui/dom.js";
import { playerName } from "../../ui/player_name.js";
import { momentWords } from "../moments.js";

/** @param {CopyFinding} finding */
export function copyRow({ run, of, agreed, bits, usual, choices, views }) {
  return element("li", {}, element("div", {}, playerName(run.player), " · ", t("findings.follows", { name: nameWords(of.player) }),
    element("p", { class: "fine" }, t("findings.worth", { agreed, shared: choices.length, bits: formatNumber(bits), usual: formatNumber(usual) })),
    views.length > 0 && element("p", { class: "fine" }, t("findings.shown_to", { names: views.map(({ player, at }) => `${nameWords(player)} (${momentWords(at)})`).join(", ") })),
    element("p", { class: "actions" }, link(`/compare/${of.game},${run.game}`, t("compare.compare"), "button"), link(`/house?run=${run.game}`, t("admin.the_run"), "button")),
    element("details", {}, element("summary", {}, t("findings.choices", { count: choices.length })), element("ol", {}, choices.map(choiceRow)))));
}

/** @param {PaceFinding} finding */
export function paceRow({ run, kind, ...pace }) {
  return element("li", {}, element("div", {}, playerName(run.player), " · ", t(`findings.${kind}`),
    element("p", { class: "fine" }, paceWords(pace)),
    element("p", { class: "actions" }, link(`/replay/${run.game}`, t("admin.look_at_run"), "button"), link(`/house?run=${run.game}`, t("admin.the_run"), "button"))));
}

/** How long a run waited before its choices. @param {RunPace} pace */
export const paceWords = ({ waits, median, spread }) => t("findings.waits",
  { waits, median: formatNumber(median / 1000), spread: formatNumber(spread, { style: "percent" }) });

/** @param {SharedChoice} choice */
function choiceRow({ number, kind, move, agrees, choices, others, same, bits }) {
  const verdict = kind === "first" ? t(agrees ? "findings.order_same" : "findings.order_different") : t(agrees ? "findings.same" : "findings.different");
  const words = [verdict, kind === "moves" && t("findings.after_moves"), t("findings.crowd", { choices, others, same }), t("findings.bits", { bits: formatNumber(bits) })];
  return element("li", { value: number }, element("code", {}, move), " · ", words.filter(Boolean).join(" · "));
}
