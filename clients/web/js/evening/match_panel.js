/**
 * Duplicate matches in the lobby: challenge somebody, take what waits, and the reader's own.
 *
 * @import { Evening, Home, MatchCard, NewMatch, Player } from "wire"
 * @import { App } from "../main.js"
 */
import { momentWords } from "../language/format.js";
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { pairWords } from "./evening_words.js";
import { listMatches, makeMatch } from "./evenings_api.js";
import { element, fill, link, oneAtATime } from "../ui/dom.js";
import { playerName } from "../ui/player_name.js";

const RELOAD_MILLISECONDS = 5000;
const DEALS = [1, 3, 5, 7];
const MINUTES = [3, 5, 10, 15, 20, 30];
const AGAINST = /** @type {const} */ (["anyone", "player", "link"]);

/** @param {App} app @param {string} [opponent] the name of a player to challenge */
export function makeMatchPanel(app, opponent = "") {
  const lists = element("div");
  let known = "";
  const draw = () => app.player ? listMatches().then((found) => {
    const seen = JSON.stringify([found.matches, found.waiting]);
    if (seen === known) return;
    known = seen;
    fill(lists, makeList(t("matches.own"), found.matches, app.player?.id), makeList(t("matches.waiting"), found.waiting, app.player?.id));
  }).catch(() => {}) : undefined;
  draw();
  const timer = setInterval(draw, RELOAD_MILLISECONDS);
  return {
    node: element("section", { class: "panel" }, element("h2", {}, t("matches.title")), element("p", { class: "fine" }, t("matches.how")), lists, makeForm(app, opponent)),
    close: () => clearInterval(timer),
  };
}

/** @param {string} title @param {MatchCard[]} cards @param {string} [reader] */
function makeList(title, cards, reader) {
  if (!cards.length) return null;
  return element("section", {}, element("h3", {}, title), element("ul", { class: "rows" }, cards.map((card) => element("li", {},
    link(`/evenings/${card.id}`, pairWords(card.challenger, card.opponent)), element("span", { class: "fine" }, cardWords(card, reader))))));
}

/**
 * Whom the reader has played against in a match, and can challenge again by name; undefined if there is nobody.
 * @param {Evening} evening @param {Player|null} reader
 */
export function findRival({ match, leader }, reader) {
  const pair = match?.opponent ? [leader, match.opponent] : [];
  const isPlayed = reader && !reader.guest && pair.some(({ id }) => id === reader.id);
  return isPlayed ? pair.find(({ id, guest }) => id !== reader.id && !guest) : undefined;
}

/** Challenge somebody to a match like this one: as many deals, of the same level. @param {Evening} evening @param {Player} rival */
export function challengeAgain({ rounds }, rival) {
  const [level, ...others] = new Set(rounds.map((round) => round.level));
  return makeMatch({ against: "player", opponent: rival.name, deals: rounds.length, level: /** @type {"mixed"} */ (others.length ? "mixed" : level) });
}

/** What the first page says of evenings: who challenges the reader, and what is on or begins soon. @param {Home} home */
export function makeDue({ challenges = [], evenings = [] }) {
  const waiting = challenges.filter(({ state }) => state === "waiting");
  const due = [...challenges.filter(({ state }) => state !== "waiting").map(({ challenger, opponent, ...card }) => ({ ...card, title: pairWords(challenger, opponent) })), ...evenings];
  const rows = due.map(({ id, title, state, starts_at: at }) =>
    makeRow(id, title, state === "on" ? t("evenings.on") : momentWords(at), t("evenings.back")));
  const asked = waiting.map(({ id, challenger, starts_at: at }) =>
    makeRow(id, playerName(challenger), t("matches.until", { moment: momentWords(at) }), t("matches.look")));
  return [makePanel(t("matches.challenges"), asked), makePanel(t("evenings.evenings"), rows)];
}

/** @param {string} title @param {HTMLElement[]} rows */
const makePanel = (title, rows) => rows.length ? element("section", { class: "panel continue" }, element("h2", {}, title), element("ul", { class: "rows" }, rows)) : null;

/** @param {string} id @param {string|HTMLElement} name @param {string} when @param {string} look */
const makeRow = (id, name, when, look) => element("li", {}, element("span", {}, name, " ", element("small", {}, when)), link(`/evenings/${id}`, look, "button primary"));

/** What is to be done about a match, or when it is. @param {MatchCard} card @param {string} [reader] */
export function cardWords({ state, opponent, challenger, starts_at: at }, reader) {
  if (state === "waiting") return t(opponent?.id === reader ? "matches.for_you" : challenger.id === reader ? "matches.not_accepted" : "matches.take");
  return state === "on" ? t("evenings.on") : momentWords(at);
}

/** @param {App} app @param {string} name */
function makeForm(app, name) {
  const against = choice("match-against", AGAINST.map((one) => [one, t(`matches.against_${one}`)]), name ? "player" : "anyone");
  const opponent = element("input", { id: "match-opponent", maxlength: 64, autocomplete: "off", value: name });
  const deals = choice("match-deals", DEALS.map((many) => [String(many), String(many)]), "3");
  const level = choice("match-level", ["mixed", "gentle", "steady", "stern"].map((one) => [one, t(`evenings.level_${one}`)]), "mixed");
  const minutes = choice("match-minutes", MINUTES.map((many) => [String(many), t("time.minutes", { minutes: many })]), "10");
  const when = element("input", { id: "match-when", type: "datetime-local" });
  const problem = element("p", { class: "problem", role: "alert" });
  const [named, timed] = [labelled(t("matches.opponent"), opponent), labelled(t("matches.when"), when)];
  const adapt = () => {
    named.hidden = against.value !== "player";
    opponent.required = !named.hidden;
    timed.hidden = against.value === "anyone";
  };
  against.addEventListener("change", adapt);
  adapt();
  const make = oneAtATime(async () => {
    await app.ensurePlayer();
    const match = await makeMatch(readWishes({ against: against.value, opponent: opponent.value, when: when.value, deals: deals.value, level: level.value, minutes: minutes.value }));
    app.go(`/evenings/${match.id}`);
  });
  return element("form", { class: "form evening-form", on: {
    submit: (event) => {
      event.preventDefault();
      problem.textContent = "";
      make()?.catch((refusal) => {
        problem.textContent = refusalWords(refusal);
      });
    },
  } }, labelled(t("matches.against"), against), named, element("details", {}, element("summary", {}, t("evenings.more")), labelled(t("matches.deals"), deals),
    labelled(t("evenings.level"), level), labelled(t("evenings.minutes"), minutes), timed),
  problem, element("button", { class: "button primary" }, t("matches.play")));
}

/**
 * What the fields of the form ask for.
 * @param {{against: string, opponent: string, when: string, deals: string, level: string, minutes: string}} fields
 * @returns {NewMatch}
 */
export function readWishes({ against, opponent, when, deals, level, minutes }) {
  return {
    against: /** @type {"player"} */ (against), opponent: against === "player" ? opponent.trim() : undefined,
    starts_at: when && against !== "anyone" ? new Date(when).getTime() : undefined,
    deals: Number(deals), level: /** @type {"mixed"} */ (level), seconds: Number(minutes) * 60,
  };
}

/** @param {string} words @param {HTMLElement} field */
function labelled(words, field) {
  return element("p", {}, element("label", { for: field.id }, words), field);
}

/** @param {string} id @param {[value: string, words: string][]} options @param {string} chosen */
function choice(id, options, chosen) {
  return element("select", { id }, options.map(([value, words]) => element("option", { value, selected: value === chosen }, words)));
}
