/** The check of a record on the page: the verdict, what it does not show, each check, what is wrong, the table step by step, the events. */
import { DOWN } from "../game/cards.js";
import { parseMove } from "../game/moves.js";
import { EMPTY_HAND } from "../game/selection.js";
import { logWords, moveWords } from "../language/format.js";
import { formatDate, hasText, t, tNodes } from "../language/translate.js";
import { chainName, signedAt } from "../proof/beacon.js";
import { shown as textOf } from "../proof/end.js";
import { isConsistent, notShown } from "../proof/verify.js";
import { element } from "../ui/dom.js";
import { makeScrubber } from "./scrubber.js";
import { makeSideTable } from "./side_table.js";

/** @import { RulesPage } from "wire" */
/** @typedef {import("../proof/verify.js").Report} Report */
/** @typedef {import("../transparency/attest.js").Attestation} Attestation */

export const SIGNS = { holds: "✓", partly: "◐", broken: "✗", open: "○" };

/** The table is at most this share of the window's height. */
const MAX_HEIGHT_SHARE = 0.55;

/**
 * @param {Report} report
 * @param {RulesPage|null} rules of the game, with the layout of its table; null if they are unknown
 * @param {Attestation|null} attestation what the record's proof shows
 * @returns {{nodes: Node[], close: () => void}}
 */
export function makeAuditReport(report, rules, attestation) {
  const list = makeEventTable(report, (version) => table?.go(version));
  const table = rules && report.steps.length ? makeStepTable(report, rules, list.mark) : null;
  return {
    nodes: [verdict(report, rules, attestation), checks(report), ...(table ? [table.node] : []), list.node],
    close: () => table?.close(),
  };
}

/** @param {Report} report @param {RulesPage|null} rules @param {Attestation|null} attestation */
function verdict(report, rules, attestation) {
  const { record, findings, checks: states } = report;
  const broken = findings.length > 0;
  const state = verdictState(report);
  const title = broken && findings[0].version > 0 ? t("audit.verdict_at", { version: findings[0].version }) : t(`audit.verdict_${state}`);
  return element("section", { class: `panel verdict ${state}`, role: "status" },
    element("h2", {}, element("span", { class: "sign", "aria-hidden": "true" }, SIGNS[state]), " ", title),
    element("dl", { class: "facts" }, [
      ["game", rules?.name ?? textOf(record.events[0]?.data.game ?? "")], ["id", record.game], ["nonce", record.nonce],
      ["commitment", record.commitment], ["secret", record.secret], ["seed", report.seed],
    ].flatMap(([name, value]) => [element("dt", {}, t(`audit.${name}`)), element("dd", {}, element("code", {}, value))])),
    broken && element("ol", { class: "findings" }, findings.map(findingItem)),
    !broken && record.beacon && element("p", { class: "beacon" }, beaconWords(record.beacon)),
    !broken && states.beacon === "open" && uncheckedBeacon(),
    !broken && attestedWords(attestation).map((words) => element("p", { class: "attested" }, words)),
    !broken && element("div", {}, element("p", {}, t("audit.not_shown")),
      element("ul", { class: "not-shown" }, notShown(report).map((name) => element("li", {}, t(notShownKey(name, report)))))),
    element("p", { class: "fine" }, t("audit.not_here"), " ", element("code", {}, "cadogan verify FILE")));
}

/** The text for what a record does not show: of one that is in the log, the host says who played, and when. @param {string} name @param {Report} report */
function notShownKey(name, { checks: { log } }) {
  const key = `audit.not_shown_${name}`;
  return log === "holds" && hasText(`${key}_attested`) ? `${key}_attested` : key;
}

/** The sign and the words of the verdict on a record. @param {Report} report */
export function verdictState(report) {
  if (report.findings.length) return "broken";
  return isConsistent(report) ? "holds" : "open";
}

/** From which round of a beacon the cards follow. @param {import("../proof/beacon.js").SignedRound} beacon */
function beaconWords(beacon) {
  return t("audit.beacon", { round: String(beacon.round), chain: chainName(beacon.chain), moment: formatDate(signedAt(beacon), { dateStyle: "long", timeStyle: "long" }) });
}

/** The sentence for a beacon whose signature could not be verified here. */
export function uncheckedBeacon() {
  return element("p", { class: "beacon" }, ...tNodes("audit.beacon_unchecked", { command: element("code", {}, "cadogan verify FILE") }));
}

/** Who stands for the record, in sentences. @param {Attestation|null} attestation @returns {string[]} */
export function attestedWords(attestation) {
  if (!attestation) return [t("audit.not_attested")];
  const { origin, number, size, key, witnesses, skipped, unchecked } = attestation;
  if (unchecked) return [t("audit.log_unchecked", { origin: logWords(origin), number: number + 1, size })];
  if (!key) return [t("audit.other_log", { origin: logWords(origin) })];
  const seen = witnesses.map((one) => seenWords("audit.witnessed", one));
  return [t("audit.attested", { origin: logWords(origin), number: number + 1, size, key: key.id }), ...(seen.length ? seen : [t("audit.not_witnessed")]), ...skipped.map((name) => t("audit.witness_skipped", { name }))];
}

/** Who saw an announcement, and when, in sentences. @param {Attestation|null} dated what its proof shows @returns {string[]} */
export const datedWords = (dated) => (dated?.witnesses ?? []).map((one) => seenWords("audit.dated", one));

/** @param {string} words @param {{name: string, at: number}} seen */
const seenWords = (words, { name, at }) => t(words, { name, moment: formatDate(at * 1000, { dateStyle: "long", timeStyle: "short" }) });

/** @param {import("../proof/verify.js").Finding} finding */
export function findingItem({ version, check, reason, expected, found }) {
  const where = version ? t("audit.at_event", { version }) : t("audit.at_head");
  const value = (/** @type {string} */ name, /** @type {string|undefined} */ text) => (text === undefined ? []
    : [element("dt", {}, t(`audit.${name}`)), element("dd", {}, element("code", {}, text))]);
  return element("li", {}, element("strong", {}, where), " ", t(`audit.found_${check}_${reason}`),
    element("dl", { class: "facts" }, value("expected", expected), value("found", found)));
}

/** @param {Report} report */
function checks({ checks: states }) {
  return element("section", { class: "panel" }, element("h2", {}, t("audit.checks")),
    element("ul", { class: "checks" }, Object.entries(states).map(([name, state]) =>
      element("li", { class: state }, element("span", { class: "sign", "aria-hidden": "true" }, SIGNS[state]),
        element("div", {},
          element("strong", {}, t(`audit.check_${name}`)), " ", element("span", { class: "state" }, t(`audit.state_${state}`)),
          element("p", { class: "fine" }, aboutWords(name, state), state === "partly" && ` ${t(`audit.partly_${name}`)}`))))));
}

/** What a check is about. @param {string} name @param {string} state */
function aboutWords(name, state) {
  const open = `audit.open_${name}`;
  return t(state === "open" && hasText(open) ? open : `audit.about_${name}`);
}

/**
 * The table at every position that the effects give.
 * @param {Report} report
 * @param {RulesPage} rules
 * @param {(version: number) => void} mark
 */
function makeStepTable({ steps, record }, rules, mark) {
  let now = 0;
  const side = makeSideTable({ heading: [t("audit.table")], label: t("audit.table"), height: () => innerHeight * MAX_HEIGHT_SHARE });
  const board = side.makeBoard(rules);
  const open = element("input", { type: "checkbox", id: "audit-open", on: { change: () => draw() } });
  const last = steps.length - 1;
  const words = (/** @type {number} */ step) => t("audit.at_step", { step, last, words: stepWords(steps[step], record) });
  const scrubber = makeScrubber({ stops: steps.map((_, index) => index), go, words });
  const where = element("output", { class: "where" });
  side.node.append(element("div", { class: "under" }, scrubber.node, where,
    element("label", { for: "audit-open" }, open, ` ${t("audit.open")}`)));

  function draw() {
    const { piles } = steps[now].position;
    const drawn = rules.layout.piles.map(({ name }) => [name, piles[name].map(shown)]);
    board.draw({ piles: Object.fromEntries(drawn), hand: EMPTY_HAND, targets: new Map() });
  }
  const shown = (/** @type {string} */ card) => (card.startsWith("-") ? (open.checked ? card.slice(1) : DOWN) : card);

  /** @param {number} place */
  function go(place) {
    now = place;
    where.textContent = words(place);
    mark(steps[place].version);
    draw();
  }

  requestAnimationFrame(() => scrubber.go(0));
  return {
    node: side.node,
    go: (/** @type {number} */ version) => scrubber.go(Math.max(0, steps.findLastIndex((step) => step.version <= version))),
    close() {
      scrubber.close();
      board.close();
    },
  };
}

/** @param {import("../proof/verify.js").Step} step @param {import("../proof/record.js").GameRecord} record */
function stepWords({ version }, record) {
  return eventWords(record.events[version - 1], record);
}

/** @param {import("../proof/chain.js").Recorded} event @param {import("../proof/record.js").GameRecord} record */
function eventWords({ type, data }, record) {
  if (type === "move_played" && typeof data.move === "string") {
    return moveWords(parseMove(data.move, (name) => Array.isArray(record.events[0].data.piles?.[name]) || name.includes(".")));
  }
  const known = ["game_dealt", "move_taken_back", "game_finished", "deal_revealed", "challenge_spoiled"].includes(type);
  return known ? t(`audit.event_${type}`) : type;
}

/** @param {Report} report @param {(version: number) => void} chosen */
function makeEventTable({ record, hashes, findings }, chosen) {
  /** @type {Map<number, HTMLElement>} */
  const rows = new Map();
  const body = element("tbody", {}, record.events.map((event, index) => {
    const version = index + 1;
    const wrong = findings.filter((one) => one.version === version);
    const row = element("tr", { class: wrong.length ? "broken" : undefined },
      element("td", {}, element("button", { type: "button", class: "quiet", on: { click: () => chosen(version) },
        "aria-label": t("audit.show_event", { version }) }, String(version))),
      element("td", {}, formatDate(event.recorded_at, { dateStyle: "short", timeStyle: "medium" })),
      element("td", {}, eventWords(event, record)),
      element("td", {}, element("code", {}, hashes[index])),
      element("td", {}, element("span", { class: "sign" }, wrong.length ? SIGNS.broken : SIGNS.holds), " ",
        wrong.length ? wrong.map(({ check }) => t(`audit.check_${check}`)).join(", ") : t("audit.state_holds")));
    rows.set(version, row);
    return row;
  }));
  const heads = ["number", "time", "event", "hash", "state"].map((name) => element("th", { scope: "col" }, t(`audit.head_${name}`)));
  const scroller = element("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": t("audit.events") },
    element("table", { class: "events" }, element("thead", {}, element("tr", {}, heads)), body));
  return {
    node: element("section", { class: "panel" },
      element("h2", {}, t("audit.events")), element("p", { class: "fine" }, t("audit.events_note")), scroller),
    mark(/** @type {number} */ version) {
      for (const [at, row] of rows) row.toggleAttribute("aria-current", at === version);
      const row = rows.get(version);
      if (row) scroller.scrollTop = Math.max(0, row.offsetTop - scroller.clientHeight / 2);
    },
  };
}
