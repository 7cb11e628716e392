/** Numbers of entries, as notes and proofs write them. */
import { BadNote } from "./notes.js";

/** @param {string} text @throws {BadNote} */
export function readNumber(text) {
  if (!/^(?:0|[1-9][0-9]{0,15})$/.test(text) || !Number.isSafeInteger(Number(text))) throw new BadNote("unreadable");
  return Number(text);
}
