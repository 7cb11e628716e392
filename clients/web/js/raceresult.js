/** How a race ended: everybody in order, the replays, and the way into the next one. */
import { openRematch } from "./api.js";
import { chanceWord } from "./chance.js";
import { button, element, fill, link } from "./dom.js";
import { nameOf } from "./people.js";
import { inOrder, isIn, outcomeWords, seatOf } from "./race.js";
import { rankWords } from "./words.js";

/**
 * @param {HTMLElement} root
 * @param {{app: object, rules: object}} about
 * @returns {{show: (race: object) => void, close: () => void}}
 */
export function makeResult(root, { app, rules }) {
  const problem = element("p", { class: "problem", role: "alert" });
  const title = element("h1", { role: "status" });
  const list = element("ol", { class: "rows podium" });
  const actions = element("p", { class: "actions" });
  const proof = element("div");
  fill(root, element("header", { class: "heading" }, element("p", { class: "eyebrow" }, `Race · ${rules.name}`), title),
    element("section", { class: "panel" }, list, actions, problem, proof));

  async function rematch(race) {
    try {
      const next = await openRematch(race.race, chanceWord());
      app.go(`/race/${next.race}`);
    } catch (refusal) {
      problem.textContent = refusal.message;
    }
  }

  return {
    show(race) {
      title.textContent = titleWords(race, app.player);
      fill(list, inOrder(race).map((racer) => row(racer, app.player)));
      fill(actions,
        isIn(race, app.player) && button(race.rematch ? "Join the rematch" : "Rematch", () => rematch(race), "button primary large"),
        link(`/race/${race.race}/replays`, "Replays side by side", "button"), link("/races", "All races", "button"));
      fill(proof, sealOf(race));
    },
    close: () => {},
  };
}

function titleWords(race, player) {
  const seat = seatOf(race, player);
  const first = race.racers.filter(({ rank }) => rank === 1);
  if (seat?.rank === 1) return first.length > 1 ? "You share the first place" : "You have won the race";
  if (seat) return `You came in ${rankWords(seat.rank)}`;
  return first.length === 1 ? `${first[0].player.name} has won` : "The race is over";
}

function row(racer, player) {
  const own = racer.player.id === player?.id;
  return element("li", { class: own ? "own" : "" }, element("span", { class: "rank" }, rankWords(racer.rank ?? 0)),
    nameOf(racer.player, { own }), element("span", {}, outcomeWords(racer)),
    racer.meter && element("a", { href: `/replay/${racer.meter.game}`, class: "fine", "aria-label": `Replay of ${racer.player.name}` }, "Replay"));
}

function sealOf({ commitment, secret, nonce }) {
  return element("details", { class: "sealed" }, element("summary", {}, "The seal of this deal"),
    element("p", {}, "SHA-256 commitment, made before anybody joined:"), element("code", {}, commitment),
    secret && [element("p", {}, "Secret, revealed at the end:"), element("code", {}, secret)],
    nonce && [element("p", {}, "What everybody’s words made together:"), element("code", {}, nonce)],
    element("p", {}, link("/seal", "What a seal proves, and what it does not")));
}
