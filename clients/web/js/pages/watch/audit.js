/** A record checked by this browser itself: the record of a finished game, or a file, which may be an archive of many. */
import { t } from "../../language/translate.js";
import { Refusal } from "../../net/api.js";
import { InvalidRecord, readRecord } from "../../proof/record.js";
import { recordLink } from "../../ending/record_link.js";
import { isReceipt } from "../../transparency/receipts.js";
import { element, fill, link } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";
import { loadLater } from "../../ui/load_later.js";
import { checkArchive, isPacked } from "../../watch/archive_report.js";
import { makeAuditReport } from "../../watch/audit_report.js";
import { makeHostKeys } from "../../watch/host_keys.js";
import { makeReceiptsPanel, makeReceiptVerdict } from "../../watch/receipts/receipts_panel.js";
import { checkRecord, downloadRecord } from "../../watch/record_check.js";

/** No record of a game comes near this size; `cadogan verify` reads larger archives. */
const MAX_FILE_BYTES = 128 * 2 ** 20;

/** @type {import("../../router.js").Show} */
export async function show(root, { game }, app) {
  await Promise.all([loadCss("/style/watch.css"), loadCss("/style/audit.css")]);
  app.title(t("audit.title"));
  const place = element("div", { class: "audited" });
  const problem = element("p", { class: "problem", role: "alert" });
  let close = () => {};

  /** @param {() => Promise<ArrayBuffer[]>} read */
  async function audit(read) {
    close();
    close = () => {};
    fill(problem);
    const status = element("p", { class: "fine", role: "status" }, t("audit.checking"));
    place.replaceChildren(status);
    try {
      const files = await read();
      const evening = files.find(isEvening);
      const [file] = files;
      const progress = (/** @type {number} */ done, /** @type {number} */ all) => fill(status, t("audit.archive_progress", { done, all }));
      if (evening) {
        const { checkEvening } = await loadLater();
        place.replaceChildren(await checkEvening(evening, files.filter((one) => one !== evening), progress));
        return;
      }
      if (isPacked(file)) {
        place.replaceChildren(await checkArchive(file, progress));
        return;
      }
      const text = new TextDecoder().decode(file);
      if (isReceipt(text)) {
        place.replaceChildren(await makeReceiptVerdict(text));
        return;
      }
      const { report, rules, attestation } = await checkRecord(readRecord(file), { compare: !game });
      const made = makeAuditReport(report, rules, attestation);
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
  if (game) await audit(async () => [await downloadRecord(game)]);
  else {
    const receipts = makeReceiptsPanel();
    if (receipts) root.append(receipts);
    const keys = await makeHostKeys();
    if (keys) root.append(keys);
  }
  return () => close();
}

/** Whether a file is the record of an evening, to which those of its runs belong. @param {ArrayBuffer} file */
function isEvening(file) {
  return new TextDecoder().decode(file.slice(0, 200)).includes('"cadogan evening record 1"');
}

/** A field to choose files, on which they can also be dropped. @param {(read: () => Promise<ArrayBuffer[]>) => void} audit */
function makeFileChooser(audit) {
  const take = (/** @type {FileList|null|undefined} */ files) => files?.length && audit(() => Promise.all([...files].map(bytesOf)));
  /** @type {HTMLInputElement} */
  const input = element("input", {
    type: "file", id: "record-file", multiple: true, accept: ".json,application/json,.gz,application/gzip,.receipt", on: { change: () => take(input.files) },
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
      take(event.dataTransfer?.files);
    },
  } }, element("label", { for: "record-file" }, t("audit.choose")), input, element("p", { class: "fine" }, t("audit.stays_here")));
  return box;
}

/** @param {File} file */
async function bytesOf(file) {
  if (file.size > MAX_FILE_BYTES) throw new InvalidRecord("size");
  return file.arrayBuffer();
}
