/**
 * The end of a race: everybody in order, the replays, and the rematch.
 *
 * @import { Player, Race, Racer, RulesPage } from "wire"
 */
import { nameWords, rankWords } from "../language/format.js";
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { openRematch } from "../net/api.js";
import { randomNonce } from "../net/random_nonce.js";
import { makeSignsBar, phrasesAtEnd } from "../reactions/reactions_bar.js";
import { button, element, fill, link } from "../ui/dom.js";
import { playerName } from "../ui/player_name.js";
import { isInRace, outcomeWords, racerOf, racersInOrder } from "./race_state.js";

/**
 * @param {HTMLElement} root
 * @param {{app: import("../main.js").App, rules: RulesPage}} about
 * @returns {{show: (race: Race) => void, close: () => void}}
 */
export function makeRaceResult(root, { app, rules }) {
  const problem = element("p", { class: "problem", role: "alert" });
  const title = element("h1");
  const list = element("ol", { class: "rows podium" });
  const actions = element("p", { class: "actions" });
  const proof = element("div");
  const signs = element("div");
  /** @type {(() => void)|null} */
  let closeSigns = null;
  fill(root, element("header", { class: "heading" }, element("p", { class: "eyebrow" }, t("races.of", { game: rules.name })),
    element("div", { role: "status" }, title)),
    element("section", { class: "panel" }, list, signs, actions, problem, proof));

  /** @param {Race} race */
  async function rematch(race) {
    try {
      const next = await openRematch(race.race, randomNonce());
      app.go(`/race/${next.race}`);
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  }

  return {
    show(race) {
      title.textContent = titleWords(race, app.player);
      fill(list, racersInOrder(race).map((racer) => makeRow(racer, race, app.player)));
      fill(actions,
        isInRace(race, app.player)
          && button(t(race.rematch ? "races.join_rematch" : "races.rematch"), () => rematch(race), "button primary large"),
        link(`/race/${race.race}/replays`, t("races.side_by_side"), "button"), link("/races", t("races.all"), "button"));
      fill(proof, commitmentPanel(race));
      if (closeSigns) return;
      const [first, second] = racersInOrder(race);
      const phrases = phrasesAtEnd("race", { reached: second?.meter?.home ?? 0, goal: first?.meter?.home ?? 0 });
      const made = makeSignsBar("race", race.race, { player: app.player, connection: app.connection, mayGive: isInRace(race, app.player), phrases });
      closeSigns = made.close;
      fill(signs, made.panel);
    },
    close: () => closeSigns?.(),
  };
}

/** @param {Race} race @param {Player|null} player */
function titleWords(race, player) {
  const seat = racerOf(race, player);
  const first = race.racers.filter(({ rank }) => rank === 1);
  if (seat?.rank === 1) return t(first.length > 1 ? "races.shared" : "races.won");
  if (seat?.struck) return t("races.over");
  if (seat) return t("races.came_in", { rank: rankWords(seat.rank ?? 0) });
  return first.length === 1 ? t("races.has_won", { player: nameWords(first[0].player) }) : t("races.over");
}

/**
 * The row of a racer, with a link that compares the run with the reader's own run, or with the first one.
 * @param {Racer} racer
 * @param {Race} race
 * @param {Player|null} player
 */
function makeRow(racer, race, player) {
  const mine = racerOf(race, player) ?? racersInOrder(race)[0];
  const own = racer.player.id === player?.id;
  return element("li", { class: own ? "own" : "" }, element("span", { class: "rank" }, racer.rank ? rankWords(racer.rank) : "–"),
    playerName(racer.player, { own }), element("span", {}, outcomeWords(racer)),
    racer.struck && element("small", { class: "fine" }, t("struck.racer", { reason: t(`admin.reason_${racer.struck}`) })),
    racer.meter && labelledLink(`/replay/${racer.meter.game}`, t("compare.replay"), t("compare.replay_of", { player: nameWords(racer.player) })),
    racer.meter && mine.meter && racer !== mine && labelledLink(`/compare/${mine.meter.game},${racer.meter.game}`,
      t("compare.compare"), t("compare.with_player", { player: nameWords(racer.player) })));
}

/** A short link, with a longer name for screen readers. @param {string} href @param {string} words @param {string} name */
function labelledLink(href, words, name) {
  return element("a", { href, class: "fine", "aria-label": name }, words);
}

/** @param {Race} race */
function commitmentPanel({ commitment, secret, nonce }) {
  return element("details", { class: "sealed" }, element("summary", {}, t("races.seal")),
    element("p", {}, t("races.commitment")), element("code", {}, commitment),
    secret ? [element("p", {}, t("races.secret")), element("code", {}, secret)] : [],
    nonce ? [element("p", {}, t("races.nonce")), element("code", {}, nonce)] : [],
    element("p", {}, link("/seal", t("races.seal_proves"))));
}
