/** The file of an archive: a line of its own, the records, and a line with their digest (docs/backup.md). */
import { hex, sha256 } from "../../hashing/sha256.js";
import { InvalidRecord, must, readFile } from "../record.js";

const FORMAT = "cadogan archive 1";
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/**
 * The texts of the records in an archive, and the day before which their games ended.
 * @param {Uint8Array} bytes
 * @returns {{before: string, records: string[]}}
 * @throws {InvalidRecord} if it is not a complete archive, `place` being the part that is wrong
 */
export function readArchive(bytes) {
  const text = new TextDecoder().decode(bytes);
  const [header, ...lines] = text.split("\n");
  const { before: day } = readFile(header ?? "", FORMAT);
  must(typeof day === "string" && DAY.test(day), "before");
  if (lines.pop() !== "") throw new InvalidRecord("end");
  const last = lines.pop() ?? "";
  const { games, sha256: told } = readEnd(last);
  const before = bytes.subarray(0, bytes.length - last.length - 1);
  if (games !== lines.length || told !== hex(sha256(before))) throw new InvalidRecord("end");
  return { before: day, records: lines };
}

/** @param {string} line @returns {{games: unknown, sha256: unknown}} */
function readEnd(line) {
  try {
    return JSON.parse(line) ?? {};
  } catch {
    throw new InvalidRecord("end");
  }
}
