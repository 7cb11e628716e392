/** A day's commitment, its round of the beacon and, once the day is closed, its secret, with what this browser computes from the secret. */
import { momentWords } from "../language/format.js";
import { t, tNodes } from "../language/translate.js";
import { chainName, nonceEnd, signedAt, tryIsGenuine } from "../proof/beacon.js";
import { commitment as commitmentOf, dailyNonce, seed } from "../proof/seal.js";
import { element, fill, link } from "../ui/dom.js";

/**
 * @import { DailyBeacon } from "wire"
 * @typedef {{deal: string, rules: string, seal?: string, candidate?: number}} Deal `seal` and `candidate` are those of a certificate
 *
 * @param {{commitment: string, secret?: string, deals?: Deal[], beacon?: DailyBeacon}} daily
 * @param {boolean} [open] whether the panel is open at first
 */
export function makeCommitmentPanel({ commitment, secret, deals = [], beacon }, open = false) {
  return element("details", { class: "sealed", open },
    element("summary", {}, t(secret ? "seal.opened" : "seal.sealed")),
    element("p", {}, t("seal.commitment")),
    element("code", {}, commitment),
    beacon && beaconWords(beacon, secret !== undefined),
    certificates(deals),
    secret && element("p", {}, t("seal.secret")),
    secret && element("code", {}, secret),
    secret && computedValues(commitment, secret, deals, beaconEnd({ beacon })),
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

/** What a day's round of the beacon adds to the nonces of its deals. @param {{beacon?: DailyBeacon}} daily */
export function beaconEnd({ beacon }) {
  return beacon?.signature ? nonceEnd({ ...beacon, signature: beacon.signature }) : "";
}

/** @param {DailyBeacon} beacon @param {boolean} check whether the signature is verified here */
function beaconWords({ away, signature, ...round }, check) {
  const values = { round: String(round.round), chain: chainName(round.chain), moment: momentWords(signedAt(round)) };
  const checked = element("p");
  if (signature && check) {
    tryIsGenuine({ ...round, signature }).then((fits) => {
      if (fits === null) {
        checked.textContent = t("seal.beacon_unchecked", { command: "cadogan verify" });
        return;
      }
      checked.className = fits ? "fits" : "problem";
      fill(checked, element("span", { "aria-hidden": "true" }, fits ? "✓ " : "✗ "), t(fits ? "seal.beacon_fits" : "seal.beacon_wrong"));
    });
  }
  return element("div", { class: "beacon" },
    element("p", {}, t(away ? "seal.beacon_away" : "seal.beacon", values)),
    signature && [element("p", {}, t("seal.beacon_signature")), element("code", {}, signature), checked]);
}

/** @param {string} commitment @param {string} secret @param {Deal[]} deals @param {string} end what the beacon adds to the nonces */
function computedValues(commitment, secret, deals, end) {
  const found = commitmentOf(secret);
  const fits = found === commitment;
  return element("div", { class: "computed" },
    element("p", { class: fits ? "fits" : "problem" }, element("span", { "aria-hidden": "true" }, fits ? "✓ " : "✗ "),
      t(fits ? "seal.fits" : "seal.does_not_fit")),
    !fits && element("code", {}, found),
    deals.length > 0 && element("p", {}, t("seal.seeds")),
    element("ul", {}, deals.map(({ deal, rules, candidate = 0 }) => element("li", {},
      ...tNodes("seal.seed", { deal, rules, seed: element("code", {}, seed(rules, dailyNonce(deal, candidate, end), secret)) })))),
    element("p", {}, link("/audit", t("seal.audit"))));
}
