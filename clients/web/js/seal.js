/** A day's commitment and, once it is closed, its secret. */
import { element, link } from "./dom.js";

/** @param {{commitment: string, secret?: string}} daily @param {boolean} [open] shown from the start */
export function seal({ commitment, secret }, open = false) {
  return element("details", { class: "sealed", open },
    element("summary", {}, secret ? "The seal, opened" : "The day’s seal"),
    element("p", {}, "SHA-256 commitment, published days before the deals opened:"),
    element("code", {}, commitment),
    secret && element("p", {}, "Secret, revealed when the day closed:"),
    secret && element("code", {}, secret),
    element("p", {}, link("/seal", "What a seal proves, and what it does not")));
}
