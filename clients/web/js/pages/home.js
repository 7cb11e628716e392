/** The first page: today's challenge, how everybody fares, and what else is on. */
import { enterDaily, liveGames, listDailies, listRules, readDaily } from "../api.js";
import { button, element, fill, link } from "../dom.js";
import { fanOf } from "../fan.js";
import { meterWall } from "../meters.js";
import { counted } from "../cards.js";
import { dayWords, duration, momentWords, untilWords } from "../words.js";

/** @param {HTMLElement} root */
export async function show(root, _parameters, app) {
  app.title("");
  const [daily, rules, live, dailies] = await Promise.all([
    readDaily("today").catch(() => null), listRules(), liveGames().catch(() => []), listDailies().catch(() => []),
  ]);
  const names = new Map(rules.map((card) => [card.slug, card]));
  const wall = element("div");
  fill(root,
    daily ? challenge(daily, names.get(daily.rules), app) : noChallenge(),
    daily && element("section", { class: "panel" }, element("h2", {}, "How everybody fares"), wall),
    liveSection(live.filter((game) => game.day !== daily?.day), names),
    comingSection(dailies, names));
  if (!daily) return undefined;
  const meters = new Map();
  return app.connection.followDay(daily.day, (games) => {
    games.forEach((meter) => meters.set(meter.game, meter));
    fill(wall, meterWall([...meters.values()], { mine: daily.your_game, closed: daily.state === "closed" }));
    const own = meters.get(daily.your_game);
    if (own) fill(root.querySelector(".own-run"), ownRun(own));
  });
}

function challenge(daily, rules, app) {
  const begun = daily.your_game !== undefined && daily.your_game !== null;
  const left = daily.ends_at - Date.now();
  return element("section", { class: "panel challenge" },
    element("div", { class: "challenge-words" },
      element("p", { class: "eyebrow" }, `The challenge of ${dayWords(daily.day)}`),
      element("h1", {}, rules?.name ?? daily.rules),
      element("p", { class: "lead" }, rules?.summary ?? ""),
      element("p", { class: "actions" },
        button(begun ? "To your game" : "Play today’s deal", () => play(daily, app), "button primary large"),
        link(`/board/${daily.day}`, "Leaderboard", "button"),
        link(`/games/${daily.rules}`, "Rules", "button")),
      element("p", { class: "own-run" }),
      element("p", { class: "fine" }, `The same sealed deal for everyone; one ranked attempt each. ${left > 0
        ? `Open to begin for another ${untilWords(left)}.` : "The day is over."}`),
      sealed(daily)),
    fanOf(["AS", "QH", "JC", "KD"]));
}

async function play(daily, app) {
  await app.needPlayer();
  const game = await enterDaily(daily.day);
  app.go(`/play/${game.id}`);
}

/** The commitment, for those who will want to check it. */
export function sealed({ commitment, day, secret }) {
  return element("details", { class: "sealed" },
    element("summary", {}, secret ? "The seal, opened" : "The deal’s seal"),
    element("p", {}, "SHA-256 commitment, published days before the deal opened:"),
    element("code", {}, commitment),
    secret && element("p", {}, "Secret, revealed when the day closed:"),
    secret && element("code", {}, secret),
    day && element("p", {}, link(`/daily/${day}`, "More about this day")));
}

function ownRun(meter) {
  const state = meter.status === "playing" ? "You are playing" : `Your run: ${meter.status}`;
  return `${state}. Score ${meter.score}, ${counted(meter.moves, "move")}, ${duration(meter.milliseconds)}.`;
}

function noChallenge() {
  return element("section", { class: "panel challenge" }, element("h1", {}, "No challenge today"),
    element("p", {}, "There is no daily challenge open just now. ", link("/games", "Any of the games"), " can be played."));
}

function liveSection(games, names) {
  if (games.length === 0) return null;
  return element("section", { class: "panel" }, element("h2", {}, "At the tables now"),
    element("ul", { class: "rows" }, games.map((game) => element("li", {},
      link(`/watch/${game.game}`, `${game.player.name} plays ${names.get(game.rules)?.name ?? game.rules}`),
      element("span", { class: "fine" }, `score ${game.score}, ${counted(game.moves, "move")}`)))));
}

function comingSection(dailies, names) {
  const coming = dailies.filter((daily) => daily.state === "announced").sort((one, other) => one.opens_at - other.opens_at);
  const past = dailies.filter((daily) => daily.state === "closed").slice(0, 7);
  const row = (daily) => element("li", {}, link(`/daily/${daily.day}`, dayWords(daily.day)),
    element("span", {}, names.get(daily.rules)?.name ?? daily.rules),
    element("span", { class: "fine" }, daily.state === "announced" ? `opens ${momentWords(daily.opens_at)}` : "closed"));
  const list = (title, days) => days.length > 0 && element("section", { class: "panel" }, element("h2", {}, title),
    element("ul", { class: "rows" }, days.map(row)));
  return element("div", { class: "pair" }, list("Sealed for the coming days", coming.slice(0, 7)), list("Days gone by", past));
}
