/** The requests of the account page about recovery codes, sessions, and leaving. */
import { languageTag } from "../language/translate.js";
import { keepToken, request } from "./api.js";

/** Where everything comes from that the server has about who is signed in. */
export const OWN_DATA_ADDRESS = "/api/v1/account/data";
export const eraseAccount = () => request("DELETE /account").then(keepToken);

export const countRecoveryCodes = () => request("GET /account/recovery-codes").then(({ left }) => left);
export const renewRecoveryCodes = () => request("PUT /account/recovery-codes").then(({ codes }) => codes);
/** @param {string} name @param {string} code @param {string} password */
export const recoverAccount = (name, code, password) =>
  request("PUT /account/recovery", {}, { name, code, password }).then(keepToken).then(({ player }) => player);
export const listSessions = () => request("GET /sessions").then(({ sessions }) => sessions);
/** @param {string} id */
export const endSession = (id) => request("DELETE /sessions/{id}", { id }).then(({ sessions }) => sessions);
export const endOtherSessions = () => request("DELETE /sessions/others").then(({ sessions }) => sessions);

/** One's own games, the latest first, with their numbers in the log. @param {number} offset */
export const listOwnRuns = (offset) => request("GET /account/runs", { offset });

export const readMailAddress = () => request("GET /account/mail");
/** Have an address confirmed by a mail in the reader's language. @param {string} address */
export const setMailAddress = (address) => request("PUT /account/mail", {}, { address, language: languageTag() });
export const removeMailAddress = () => request("DELETE /account/mail");
/** @param {string} code */
export const confirmMailAddress = (code) => request("PUT /account/mail/confirmation", {}, { code });
/** Have the digest of the week sent in the reader's language, or no more. @param {boolean} on */
export const setMailDigest = (on) => request("PUT /account/mail/digest", {}, { on, language: languageTag() });
/** @param {string} code */
export const endMailDigest = (code) => request("PUT /account/mail/digest/end", {}, { code });
/** @param {string} address */
export const recoverByMail = (address) => request("PUT /account/mail/recovery", {}, { address });
