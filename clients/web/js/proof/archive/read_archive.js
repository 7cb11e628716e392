/** The file of an archive: a line of its own, the records, and a line with their digest (docs/backup.md). */
import { hex, sha256 } from "../../hashing/sha256.js";
import { decode, must, readFile } from "../record.js";

const FORMAT = "cadogan archive 1";
/** It unpacks to at most so many times its size. Records with their hashes unpack to some seven times. */
export const MAX_RATIO = 100;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The texts of the records in an archive, and the day before which their games ended.
 * @param {Uint8Array} bytes
 * @returns {{before: string, records: string[]}}
 * @throws {InvalidRecord} if it is not a complete archive, `place` being the part that is wrong
 */
export function readArchive(bytes) {
  const [header = "", ...lines] = decode(bytes).split("\n");
  const { before } = readFile(header, FORMAT);
  must(typeof before === "string" && DAY.test(before) && header === JSON.stringify({ format: FORMAT, before }), "before");
  must(lines.pop() === "", "end");
  const last = lines.pop() ?? "";
  const digest = hex(sha256(bytes.subarray(0, bytes.length - last.length - 1)));
  must(last === JSON.stringify({ games: lines.length, sha256: digest }), "end");
  return { before, records: lines };
}
