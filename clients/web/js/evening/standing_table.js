/**
 * The standing of an evening as a table, in which each number opens to what it is made of. It is part of `later.js`.
 *
 * @import { EveningCorrection, EveningField, EveningRow, EveningRuns, EveningShare, EveningStanding, FormRow, Player } from "wire"
 * @typedef {(round: number) => Promise<EveningRuns>} ReadRound reads the runs of a round
 */
import { durationWords, momentWords, rankWords, statusWords } from "../language/format.js";
import { formatNumber, t } from "../language/translate.js";
import { button, element, fill, link } from "../ui/dom.js";
import { playerName } from "../ui/player_name.js";
import { reasonWords, shareOrigin, shareWords, shownWords } from "./evening_words.js";
import { makeTeamTable } from "./teams_panel.js";

/** @param {EveningStanding} standing @param {Player|null} reader @param {ReadRound} readRound */
export function makeStanding(standing, reader, readRound) {
  const shown = standing.fields.map((field) => makeField(standing, field, reader, readRound, standing.fields.length > 1));
  const notes = [
    standing.frozen && t("evenings.frozen"),
    standing.state === "provisional" && t("evenings.is_provisional"),
    ...(standing.void_rounds ?? []).map((round) => t("evenings.round_void", { round })),
  ].filter((words) => typeof words === "string");
  const corrected = standing.corrected && element("details", {}, element("summary", {}, t("evenings.corrected")),
    makeCorrection(standing.correction),
    standing.corrected.map((field) => makeField(standing, field, reader, readRound, false)), makeTeamTable(standing.corrected_teams));
  return element("div", { class: "standing" }, shown.length ? shown : element("p", { class: "fine" }, t("evenings.nobody_yet")),
    makeTeamTable(standing.teams), notes.map((words) => element("p", { class: "fine" }, words)), corrected ?? null, standing.form ? makePodium(standing.form) : null);
}

/** Why a standing is corrected: which runs were struck or returned, and when. @param {EveningCorrection} [correction] */
function makeCorrection(correction) {
  if (!correction) return null;
  const moment = momentWords(correction.at);
  const struck = (correction.struck ?? []).map((one) => t("evenings.run_struck", { player: one.player.name, round: one.round, moment,
    reason: t(`admin.reason_${one.reason ?? "other"}`) }));
  const returned = (correction.returned ?? []).map((one) => t("evenings.run_returned", { player: one.player.name, round: one.round, moment }));
  return element("ul", {}, [...struck, ...returned].map((words) => element("li", {}, words)));
}

/** The second podium: who was better than their rating predicted. @param {FormRow[]} form */
function makePodium(form) {
  const listed = form.filter(({ place }) => place !== undefined && place <= 3);
  if (!listed.length) return null;
  return element("section", {}, element("h3", {}, t("form.above")), element("p", { class: "fine" }, t("form.above_how")),
    element("ol", { class: "rows" }, listed.map((row) => element("li", {}, element("span", {}, `${rankWords(row.place ?? 0)} `, playerName(row.player)),
      element("strong", {}, signed(row.form)), element("span", { class: "fine" }, t("form.predicted", { share: hundredths(row.predicted) }))))));
}

/** @param {number} value hundredths */
const hundredths = (value) => formatNumber(value / 100, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
/** @param {number} value hundredths */
const signed = (value) => (value > 0 ? `+${hundredths(value)}` : hundredths(value));

/** @param {EveningStanding} standing @param {EveningField} field @param {Player|null} reader @param {ReadRound} readRound @param {boolean} isNamed */
function makeField(standing, field, reader, readRound, isNamed) {
  return element("div", { class: "wide-table", tabindex: "0", role: "group", "aria-label": t("evenings.standing") },
    element("table", { class: "evening-table" },
      isNamed ? element("caption", {}, t(`evenings.field_${field.field}`)) : null,
      element("thead", {}, element("tr", {}, [t("evenings.place"), t("evenings.player"), t("evenings.total")]
        .map((words) => element("th", { scope: "col" }, words)),
      standing.rounds.map((round) => element("th", { scope: "col" }, t("evenings.round_short", { round }))))),
      element("tbody", {}, field.rows.map((row) => makeRow(standing, row, reader, readRound)))));
}

/** @param {EveningStanding} standing @param {EveningRow} row @param {Player|null} reader @param {ReadRound} readRound */
function makeRow(standing, row, reader, readRound) {
  const own = row.player.id === reader?.id;
  const reason = reasonWords(row);
  return element("tr", { class: own ? "own" : "" }, element("td", { class: "rank" }, row.winner ? `${rankWords(row.place)} ★` : rankWords(row.place)),
    element("th", { scope: "row" }, playerName(row.player, { own }), reason ? element("small", { class: "reason" }, reason) : null),
    element("td", {}, element("strong", {}, shownWords(row.shown))),
    standing.rounds.map((round) => {
      const share = row.shares.find((one) => one.round === round);
      return element("td", {}, share ? shareButton(share, row.player, readRound) : "");
    }));
}

/** @param {EveningShare} share @param {Player} player @param {ReadRound} readRound */
function shareButton(share, player, readRound) {
  const made = button(shareWords(share), () => showShare(share, player, readRound), "quiet share");
  made.setAttribute("aria-label", t("evenings.share_label", { round: share.round, share: shownWords(share.shown) }));
  return made;
}

/**
 * Show what a share is made of: every run of this deal, once its round has closed.
 * @param {EveningShare} share @param {Player} player @param {ReadRound} readRound
 */
async function showShare(share, player, readRound) {
  const list = element("div", {}, element("p", { class: "fine" }, t("shell.loading")));
  /** @type {HTMLDialogElement} */
  const dialog = element("dialog", { class: "panel share-dialog", "aria-labelledby": "share-title" },
    element("h2", { id: "share-title" }, t("evenings.share_title", { round: share.round, share: shownWords(share.shown) })),
    element("p", {}, playerName(player, { href: null }), " · ", shareOrigin(share)), list,
    element("p", { class: "actions" }, button(t("common.close"), () => dialog.close(), "button primary")));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  try {
    const { runs } = await readRound(share.round);
    fill(list, element("ol", { class: "rows" }, runs.map((run) => element("li", { class: run.player.id === player.id ? "own" : "" },
      playerName(run.player, { href: null }),
      element("span", {}, t("evenings.run", { status: statusWords(run.result), score: run.score, moves: t("common.moves", { count: run.moves }), time: durationWords(run.milliseconds) })),
      element("span", { class: "fine" }, run.counts !== false ? t("evenings.beaten", { beaten: run.beaten, equal: run.equal }) : t("evenings.not_counted")),
      link(`/replay/${run.game}`, t("evenings.replay"))))));
  } catch {
    fill(list, element("p", { class: "fine" }, t("evenings.runs_later")));
  }
}
