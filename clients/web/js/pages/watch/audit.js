/** A record checked by this browser itself: the record of a finished game, or one from a file. */
import { t } from "../../language/translate.js";
import { readRules, recordAddress, Refusal } from "../../net/api.js";
import { shown } from "../../proof/end.js";
import { InvalidRecord, readRecord } from "../../proof/record.js";
import { compareWithKept } from "../../proof/kept.js";
import { verify } from "../../proof/verify.js";
import { recordLink } from "../../ending/record_link.js";
import { element, fill, link } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";
import { makeAuditReport } from "../../watch/audit_report.js";

/** No record of a game comes near this size. */
const MAX_RECORD_BYTES = 32 * 2 ** 20;

/** @type {import("../../router.js").Show} */
export async function show(root, { game }, app) {
  await Promise.all([loadCss("/style/watch.css"), loadCss("/style/audit.css")]);
  app.title(t("audit.title"));
  const place = element("div", { class: "audited" });
  const problem = element("p", { class: "problem", role: "alert" });
  let close = () => {};

  /** @param {() => Promise<ArrayBuffer>} read */
  async function audit(read) {
    close();
    close = () => {};
    fill(problem);
    place.replaceChildren(element("p", { class: "fine", role: "status" }, t("audit.checking")));
    try {
      const record = readRecord(await read());
      const rules = await readRules(shown(record.events[0]?.data.game ?? "-")).catch(nullIfUnknown);
      const report = verify(record, rules);
      const kept = game ? null : await readKept(record.game);
      const made = makeAuditReport(kept ? compareWithKept(report, kept) : report, rules);
      place.replaceChildren(...made.nodes);
      close = made.close;
    } catch (refusal) {
      place.replaceChildren();
      if (!(refusal instanceof InvalidRecord || refusal instanceof Refusal)) throw refusal;
      problem.textContent = refusal instanceof InvalidRecord ? t("audit.no_record", { place: refusal.place }) : refusal.message;
    }
  }

  fill(root,
    element("header", { class: "heading" }, element("p", { class: "eyebrow" }, link("/seal", t("audit.eyebrow"))),
      element("h1", {}, t("audit.title")),
      element("p", { class: "lead" }, t("audit.lead"))),
    game ? element("p", { class: "actions" }, link(`/replay/${game}`, t("audit.replay"), "button"), recordLink(game),
      link("/audit", t("audit.another"))) : makeFileChooser(audit),
    problem, place);
  if (game) await audit(() => downloadRecord(game));
  return () => close();
}

/** A field to choose a file, on which a file can also be dropped. @param {(read: () => Promise<ArrayBuffer>) => void} audit */
function makeFileChooser(audit) {
  const take = (/** @type {File|undefined} */ file) => file && audit(() => bytesOf(file));
  /** @type {HTMLInputElement} */
  const input = element("input", {
    type: "file", id: "record-file", accept: ".json,application/json", on: { change: () => take(input.files?.[0]) },
  });
  /** @type {HTMLElement} */
  const box = element("section", { class: "panel drop", on: {
    dragover: (event) => {
      event.preventDefault();
      box.classList.add("over");
    },
    dragleave: () => box.classList.remove("over"),
    drop: (event) => {
      event.preventDefault();
      box.classList.remove("over");
      take(event.dataTransfer?.files[0]);
    },
  } }, element("label", { for: "record-file" }, t("audit.choose")), input, element("p", { class: "fine" }, t("audit.stays_here")));
  return box;
}

/** @param {File} file */
async function bytesOf(file) {
  if (file.size > MAX_RECORD_BYTES) throw new InvalidRecord("size");
  return file.arrayBuffer();
}

/** @param {string} game */
async function downloadRecord(game) {
  let answer;
  try {
    answer = await fetch(recordAddress(game));
  } catch {
    throw new Refusal({ code: "offline", message: t("common.unreachable") });
  }
  if (!answer.ok) throw new Refusal(await answer.json().catch(() => ({})));
  return answer.arrayBuffer();
}

/** The record that this server keeps of a game, to compare a file with; null if it has none that it may show. @param {string} game */
async function readKept(game) {
  try {
    return readRecord(await downloadRecord(game));
  } catch (refusal) {
    if (refusal instanceof Refusal || refusal instanceof InvalidRecord) return null;
    throw refusal;
  }
}

/** Null for rules that this server does not have: some checks are then left out. @param {unknown} refusal @returns {null} */
function nullIfUnknown(refusal) {
  if (refusal instanceof Refusal && refusal.code === "not_found") return null;
  throw refusal;
}
