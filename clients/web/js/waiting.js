/** Before a race: who is there, the link that brings others, and the countdown. */
import { joinRace, leaveRace, startRace } from "./api.js";
import { chanceWord } from "./chance.js";
import { copyButton } from "./copy.js";
import { button, element, fill, link } from "./dom.js";
import { nameOf } from "./people.js";
import { isIn, raceWords, remaining } from "./race.js";
import { forgetRace } from "./returning.js";

/**
 * @param {HTMLElement} root
 * @param {{app: object, rules: object, token: string|null, take: (race: object) => void, serverNow: () => number}} about
 *   `take` is handed every new state that was asked for here
 * @returns {{show: (race: object) => void, close: () => void}}
 */
export function makeWaiting(root, { app, rules, token, take, serverNow }) {
  const heading = element("header", { class: "heading" }, element("p", { class: "eyebrow" }, "A race"),
    element("h1", {}, rules.name));
  const about = element("p", { class: "fine" });
  const count = element("p", { class: "countdown", role: "timer", hidden: true });
  const people = element("ul", { class: "rows" });
  const there = element("p", { class: "unseen", role: "status" });
  const actions = element("p", { class: "actions" });
  const advice = element("p");
  const problem = element("p", { class: "problem", role: "alert" });
  let race = null;
  let before = "";
  fill(root, heading, element("section", { class: "panel waiting" }, about, count, people, there, advice, actions, problem));

  const attempt = (work) => {
    problem.textContent = "";
    return work().catch((refusal) => {
      problem.textContent = refusal.message;
    });
  };
  const join = () => attempt(async () => {
    await app.needPlayer();
    take(await joinRace(race.race, chanceWord(), token ?? undefined));
  });
  const start = () => attempt(async () => take(await startRace(race.race)));
  const leave = () => attempt(async () => {
    await leaveRace(race.race);
    forgetRace();
    app.go("/races");
  });

  function buttons() {
    const inside = isIn(race, app.player);
    const host = race.host === app.player?.id;
    if (race.state !== "open") return [];
    if (!inside) return [race.racers.length < race.size && button("Join the race", join, "button primary large")];
    const begin = button("Start the race", start, "button primary large");
    begin.disabled = race.racers.length < 2;
    return [host && begin, copyButton("Copy the link", linkTo(race)), button("Leave", leave, "quiet")];
  }

  function words() {
    if (race.state === "abandoned") return "This race was not started in time, or everybody has left.";
    if (race.state === "running") return "The race is on. You are not in it, and see how far everybody is.";
    if (race.state === "countdown") return isIn(race, app.player) ? "The cards will be dealt in a moment." : "The race is about to start.";
    if (!isIn(race, app.player)) return race.racers.length < race.size ? "" : "This race is full.";
    if (race.racers.length < 2 && race.invited.length) return "A place is kept for those who raced before; a race takes two.";
    if (race.racers.length < 2) return "Send the link to whoever shall race you; a race takes two.";
    return race.host === app.player.id ? "Start when everybody is there." : "The host starts the race.";
  }

  function tick() {
    const left = race?.state === "countdown" ? remaining(race, serverNow()) : null;
    count.hidden = left === null;
    if (left !== null) count.textContent = String(Math.ceil(left / 1000));
  }

  const timer = setInterval(tick, 200);
  return {
    show(next) {
      if (race && next.racers.length !== race.racers.length) there.textContent = `${next.racers.length} of ${next.size} are there.`;
      race = next;
      about.textContent = `For ${raceWords(race)}; first to finish, or most cards home when the time is up. ${race.open ? "Anyone may join." : "Joined by its link only."} `;
      about.append(link(`/games/${rules.slug}`, "The rules"));
      fill(people, race.racers.map(({ player }) => element("li", {}, nameOf(player, { own: player.id === app.player?.id }),
        player.id === race.host && element("span", { class: "fine" }, "host"))),
      race.invited.map((player) => element("li", { class: "awaited" }, nameOf(player), element("span", { class: "fine" }, "a place is kept"))));
      advice.textContent = words();
      const offered = JSON.stringify([race.state, race.racers.length, race.host, race.token]);
      if (offered !== before) fill(actions, buttons());
      before = offered;
      tick();
    },
    close: () => clearInterval(timer),
  };
}

function linkTo({ race, token }) {
  return `${location.origin}/race/${race}${token ? `?token=${encodeURIComponent(token)}` : ""}`;
}
