/**
 * "Your receipts" on the page of checks: one row for each game, with a button that checks it and one that saves it as a file.
 *
 * @import { KeptReceipt } from "./stored_receipts.js"
 */
import { momentWords } from "../../language/format.js";
import { t } from "../../language/translate.js";
import { BadNote, CannotCheckSignatures } from "../../transparency/notes.js";
import { readReceipt } from "../../transparency/receipts.js";
import { button, element, fill, link } from "../../ui/dom.js";
import { checkKept, listReceipts, LogAway } from "./stored_receipts.js";

/** How many rows are shown at first, and with each press. */
const ROWS = 10;

/** The panel; null if this browser keeps no receipt. @returns {HTMLElement|null} */
export function makeReceiptsPanel() {
  const kept = listReceipts();
  if (!kept.length) return null;
  const rows = element("ul", { class: "rows" });
  const more = button(t("receipts.more"), showMore);
  function showMore() {
    rows.append(...kept.slice(rows.childElementCount, rows.childElementCount + ROWS).map(makeRow));
    more.hidden = rows.childElementCount === kept.length;
  }
  showMore();
  return element("section", { class: "panel receipts", "aria-labelledby": "receipts" },
    element("h2", { id: "receipts" }, t("receipts.title")), element("p", { class: "fine" }, t("receipts.lead")), rows,
    element("p", { class: "actions" }, more));
}

/** The verdict on the file of a receipt, as a panel. @param {string} receipt */
export async function makeReceiptVerdict(receipt) {
  const { state, words } = await findVerdict(receipt);
  return element("section", { class: `panel verdict receipt-verdict ${state}` }, element("h2", {}, t("receipts.one")), element("p", {}, words));
}

/** @param {KeptReceipt} kept */
function makeRow({ game, name, receipt, key, due }) {
  const verdict = element("p", { class: "receipt-verdict", role: "status" }, t("receipts.due", { moment: momentWords(due) }));
  const check = button(t("receipts.check"), async () => {
    fill(verdict, t("audit.checking"));
    const { state, words } = await findVerdict(receipt, key);
    verdict.className = `receipt-verdict ${state}`;
    fill(verdict, words);
  }, "button small");
  const save = button(t("receipts.save"), () => saveFile(`${game}.receipt`, receipt), "button small");
  return element("li", {}, link(`/replay/${game}`, name), verdict, element("span", { class: "actions" }, check, save));
}

/**
 * What was found, in words, and whether the promise was kept or broken.
 * @param {string} receipt
 * @param {string} [key]
 * @returns {Promise<{state: "holds"|"broken"|"open", words: string}>}
 */
async function findVerdict(receipt, key) {
  try {
    const { verdict, number, size } = await checkKept(receipt, key);
    const moment = momentWords(readReceipt(receipt).dueAt);
    if (verdict === "kept") return { state: "holds", words: t("receipts.kept", { number: number + 1, size }) };
    if (verdict === "broken") return { state: "broken", words: t("receipts.broken", { size, moment }) };
    return { state: "open", words: verdict === "later" ? t("receipts.later") : t("receipts.waiting", { moment }) };
  } catch (problem) {
    return { state: "open", words: problemWords(problem) };
  }
}

/** @param {unknown} problem */
function problemWords(problem) {
  if (problem instanceof LogAway) return t("receipts.away");
  if (problem instanceof CannotCheckSignatures) return t("receipts.unchecked");
  if (problem instanceof BadNote) return t("receipts.untrusted");
  throw problem;
}

/** Let the browser save a text as a file. @param {string} name @param {string} text */
function saveFile(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  element("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
