/**
 * A race before its start: who is there, the link to invite others, and the countdown.
 *
 * @import { Race, RulesPage } from "wire"
 */
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { joinRace, leaveRace, startRace } from "../net/api.js";
import { randomNonce } from "../net/random_nonce.js";
import { copyButton } from "../ui/copy_button.js";
import { makeSignsBar } from "../reactions/reactions_bar.js";
import { button, element, fill, link } from "../ui/dom.js";
import { playerName } from "../ui/player_name.js";
import { forgetRace } from "./race_return.js";
import { isInRace, raceWords, remainingMilliseconds } from "./race_state.js";

/**
 * @param {HTMLElement} root
 * @param {Object} about
 * @param {import("../main.js").App} about.app
 * @param {RulesPage} about.rules
 * @param {string|null} about.token of the link that invited the reader
 * @param {(race: Race) => void} about.take called with every new state of the race that was requested here
 * @param {() => number} about.serverNow
 * @returns {{show: (race: Race) => void, close: () => void}}
 */
export function makeWaitingRoom(root, { app, rules, token, take, serverNow }) {
  const heading = element("header", { class: "heading" }, element("p", { class: "eyebrow" }, t("races.a_race")),
    element("h1", {}, rules.name));
  const about = element("p", { class: "fine" });
  const count = element("p", { class: "countdown", role: "timer", hidden: true });
  const people = element("ul", { class: "rows" });
  const there = element("p", { class: "unseen", role: "status" });
  const actions = element("p", { class: "actions" });
  const advice = element("p");
  const problem = element("p", { class: "problem", role: "alert" });
  /** @type {Race|null} */
  let shown = null;
  let before = "";
  const signs = element("div");
  let signsFor = "";
  let closeSigns = () => {};
  fill(root, heading, element("section", { class: "panel waiting" }, about, count, people, there, advice, actions, signs, problem));

  /** @param {Race} race */
  function showSigns(race) {
    const mayGive = isInRace(race, app.player) && (race.state === "open" || race.state === "countdown");
    if (signsFor === String(mayGive)) return;
    signsFor = String(mayGive);
    closeSigns();
    const made = makeSignsBar("race", race.race, { player: app.player, connection: app.connection, mayGive, phrases: ["hello", "good_luck"] });
    closeSigns = made.close;
    fill(signs, made.panel);
  }

  /** @param {() => Promise<void>} work */
  const attempt = (work) => {
    problem.textContent = "";
    return work().catch((refusal) => {
      problem.textContent = refusalWords(refusal);
    });
  };
  const join = (/** @type {string} */ race) => attempt(async () => {
    await app.ensurePlayer();
    take(await joinRace(race, randomNonce(), token ?? undefined));
  });
  const start = (/** @type {string} */ race) => attempt(async () => take(await startRace(race)));
  const leave = (/** @type {string} */ race) => attempt(async () => {
    await leaveRace(race);
    forgetRace();
    app.go("/races");
  });

  /** @param {Race} race */
  function buttons(race) {
    const inside = isInRace(race, app.player);
    const host = race.host === app.player?.id;
    if (race.state !== "open") return [];
    if (!inside) return [race.racers.length < race.size && button(t("races.join"), () => join(race.race), "button primary large")];
    const begin = button(t("races.start"), () => start(race.race), "button primary large");
    begin.disabled = race.racers.length < 2;
    return [host && begin, copyButton(t("races.copy"), linkTo(race)), button(t("races.leave"), () => leave(race.race), "quiet")];
  }

  /** @param {Race} race */
  function words(race) {
    if (race.state === "abandoned") return t("races.abandoned");
    if (race.state === "running") return t("races.on");
    if (race.state === "countdown") return t(isInRace(race, app.player) ? "races.in_a_moment" : "races.about_to_start");
    if (!isInRace(race, app.player)) return race.racers.length < race.size ? "" : t("races.full");
    if (race.racers.length < 2 && race.invited.length) return t("races.kept");
    if (race.racers.length < 2) return t("races.send");
    return t(race.host === app.player?.id ? "races.start_when" : "races.host_starts");
  }

  function tick() {
    const left = shown?.state === "countdown" ? remainingMilliseconds(shown, serverNow()) : null;
    count.hidden = left === null;
    if (left !== null) count.textContent = String(Math.ceil(left / 1000));
  }

  const timer = setInterval(tick, 200);
  return {
    show(race) {
      if (shown && race.racers.length !== shown.racers.length) {
        there.textContent = t("races.there", { count: race.racers.length, size: race.size });
      }
      shown = race;
      about.textContent = `${t(race.open ? "races.for_open" : "races.for_invited", { race: raceWords(race) })} `;
      about.append(link(`/games/${rules.slug}`, t("races.rules")));
      fill(people, race.racers.map(({ player }) => element("li", {}, playerName(player, { own: player.id === app.player?.id }),
        player.id === race.host && element("span", { class: "fine" }, t("races.host")))),
      race.invited.map((player) => element("li", { class: "awaited" }, playerName(player),
        element("span", { class: "fine" }, t("races.place_kept")))));
      advice.textContent = words(race);
      const offered = JSON.stringify([race.state, race.racers.length, race.host, race.token]);
      if (offered !== before) fill(actions, buttons(race));
      before = offered;
      showSigns(race);
      tick();
    },
    close: () => {
      closeSigns();
      clearInterval(timer);
    },
  };
}

/** @param {Race} race */
function linkTo({ race, token }) {
  return `${location.origin}/race/${race}${token ? `?token=${encodeURIComponent(token)}` : ""}`;
}
