/**
 * The receipts of one's own games, which this browser keeps, and their check against the log of this server.
 *
 * @import { Finding } from "../../transparency/receipts.js"
 * @typedef {{game: string, name: string, receipt: string, key: string, due: number}} KeptReceipt `name` is that of the game, `key` that
 *   of the log when the receipt was given, `due` in milliseconds since 1970
 */
import { currentServer, readReceipt } from "../../net/api.js";
import { trustIn } from "../../transparency/attest.js";
import { checkReceipt } from "../../transparency/receipts.js";
import { tilePath } from "../../transparency/tree.js";

const STORAGE_KEY = "cadogan.receipts";
/** Older ones are forgotten: the log has had their games for long. */
const MOST = 300;

/** The server does not show a file of its log. */
export class LogAway extends Error {}

/**
 * Ask for the receipt of one's own game that has just ended, and keep it. A server of before has none, and a browser may keep none.
 * @param {string} game
 * @param {string} name of the game, in the reader's language
 */
export async function keepReceipt(game, name) {
  if (currentServer().origin || listReceipts().some((one) => one.game === game)) return;
  const given = await readReceipt(game).catch(() => null);
  if (!given) return;
  const kept = { game, name, receipt: given.receipt, key: given.key, due: given.due_at };
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify([kept, ...listReceipts().filter((one) => one.game !== game)].slice(0, MOST)));
  } catch {
    // The server gives it again at any time.
  }
}

/** The receipts that are kept, the latest first. @returns {KeptReceipt[]} */
export function listReceipts() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((one) => typeof one?.receipt === "string") : [];
  } catch {
    return [];
  }
}

/**
 * Check a receipt against the log of this server.
 * @param {string} receipt
 * @param {string} [key] of the log, which was kept with it; without one the keys that the server names now count
 * @returns {Promise<Finding>}
 * @throws {LogAway}, BadNote, or CannotCheckSignatures
 */
export async function checkKept(receipt, key) {
  const host = await readFile("/.well-known/cadogan.json").then((answer) => answer.json());
  const known = trustIn(host);
  const trust = key === undefined ? known : { ...known, hosts: trustIn({ keys: [key] }).hosts };
  return checkReceipt(receipt, {
    checkpoint: () => readFile("/log/checkpoint").then((answer) => answer.text()),
    tile: async (level, number, width) => new Uint8Array(await (await readFile(`/log/${tilePath(level, number, width)}`)).arrayBuffer()),
  }, trust, Date.now());
}

/** @param {string} path @throws {LogAway} */
async function readFile(path) {
  const answer = await fetch(path).catch(() => null);
  if (!answer?.ok) throw new LogAway();
  return answer;
}
