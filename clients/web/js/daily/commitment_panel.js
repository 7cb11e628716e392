/** A day's commitment and, once the day is closed, its secret, with what this browser computes from the secret. */
import { t, tNodes } from "../language/translate.js";
import { commitment as commitmentOf, dailyNonce, seed } from "../proof/seal.js";
import { element, link } from "../ui/dom.js";

/**
 * @typedef {{deal: string, rules: string, seal?: string, candidate?: number}} Deal `seal` and `candidate` are those of a certificate
 *
 * @param {{commitment: string, secret?: string, deals?: Deal[]}} daily
 * @param {boolean} [open] whether the panel is open at first
 */
export function makeCommitmentPanel({ commitment, secret, deals = [] }, open = false) {
  return element("details", { class: "sealed", open },
    element("summary", {}, t(secret ? "seal.opened" : "seal.sealed")),
    element("p", {}, t("seal.commitment")),
    element("code", {}, commitment),
    certificates(deals),
    secret && element("p", {}, t("seal.secret")),
    secret && element("code", {}, secret),
    secret && computedValues(commitment, secret, deals),
    element("p", {}, link("/seal", t("seal.what_it_proves"))));
}

/** The seals of the certified deals. @param {Deal[]} deals */
function certificates(deals) {
  const certified = deals.filter(({ seal }) => seal);
  return certified.length > 0 && [
    element("p", {}, t("seal.certificates")),
    element("ul", {}, certified.map(({ deal, rules, seal }) => element("li", {},
      ...tNodes("seal.seed", { deal, rules, seed: element("code", {}, seal ?? "") })))),
  ];
}

/** @param {string} commitment @param {string} secret @param {Deal[]} deals */
function computedValues(commitment, secret, deals) {
  const found = commitmentOf(secret);
  const fits = found === commitment;
  return element("div", { class: "computed" },
    element("p", { class: fits ? "fits" : "problem" }, element("span", { "aria-hidden": "true" }, fits ? "✓ " : "✗ "),
      t(fits ? "seal.fits" : "seal.does_not_fit")),
    !fits && element("code", {}, found),
    deals.length > 0 && element("p", {}, t("seal.seeds")),
    element("ul", {}, deals.map(({ deal, rules, candidate = 0 }) => element("li", {},
      ...tNodes("seal.seed", { deal, rules, seed: element("code", {}, seed(rules, dailyNonce(deal, candidate), secret)) })))),
    element("p", {}, link("/audit", t("seal.audit"))));
}
