/** The first page: today's card of deals, how everybody fares, and what else is on. */
import { liveGames, listDailies, listRaces, listRules, readDaily } from "../api.js";
import { makeCard } from "../card.js";
import { counted } from "../cards.js";
import { dealsWords, isOpen, levelWords, standing, streakWords } from "../deals.js";
import { button, element, fill, link } from "../dom.js";
import { fanOf } from "../fan.js";
import { makeWall } from "../meters.js";
import { returnToRace } from "../returning.js";
import { seal } from "../seal.js";
import { showShare } from "../share.js";
import { choices } from "../tabs.js";
import { dayWords, momentWords, untilWords } from "../words.js";

/** @param {HTMLElement} root */
export async function show(root, _parameters, app) {
  app.title("");
  const [daily, rules, live, dailies, races] = await Promise.all([
    readDaily("today").catch(() => null), listRules(), liveGames().catch(() => []), listDailies().catch(() => []), listRaces().catch(() => []),
  ]);
  const names = new Map(rules.map((one) => [one.slug, one]));
  const others = element("div", { class: "pair" }, liveSection(live.filter((game) => game.day !== daily?.day), names),
    raceSection(races, names), comingSection(dailies, names));
  if (!daily) {
    fill(root, returnToRace(app), noChallenge(), others);
    return undefined;
  }
  const today = makeToday(daily, names, app, () => show(root, {}, app));
  fill(root, returnToRace(app), today.node, today.wall, others);
  const stop = app.connection.followDay(daily.day, today.heard);
  const timer = setInterval(today.tick, 20000);
  return () => {
    stop();
    clearInterval(timer);
  };
}

function makeToday(daily, names, app, again) {
  // The server says that this day is today, whatever this machine's clock says.
  const now = Math.min(Date.now(), daily.ends_at - 1);
  const meters = new Map();
  const card = makeCard(daily, names, app, { now, again });
  const left = element("p", { class: "fine" });
  const place = element("div");
  const stands = (deal) => standing(deal, daily, now);
  const finished = daily.deals.some((deal) => deal.your_game && ["done", "spoiled"].includes(stands(deal)));
  let wall = null;
  let shown = null;

  function pick(deal) {
    shown = deal;
    wall = makeWall({ mine: deal.your_game, open: isOpen(stands(deal)) });
    fill(place, element("p", { class: "fine" }, nameIn(names, deal.rules)), wall.node);
    draw();
  }
  function draw() {
    wall.show([...meters.values()].filter((meter) => meter.deal === shown.deal));
  }
  function tick() {
    left.textContent = leftWords(daily, Date.now());
  }

  tick();
  pick(daily.deals.find((deal) => stands(deal) === "begun") ?? daily.deals[0]);
  return {
    tick,
    node: element("section", { class: "panel challenge today" },
      element("header", {},
        element("div", {},
          element("p", { class: "eyebrow" }, `The challenge of ${dayWords(daily.day)}`),
          element("h1", {}, `${dealsWords(daily.deals.length)} today`),
          daily.streak > 0 && element("p", { class: "streak" }, streakWords(daily.streak))),
        fanOf(["AS", "QH", "JC", "KD"])),
      card.node,
      element("footer", {},
        element("p", { class: "fine" }, "The same sealed deals for everyone, and one ranked attempt at each."), left,
        element("p", { class: "actions" }, link(`/board/${daily.day}`, "Today’s board", "button"),
          finished && button("Share your day", () => showShare(daily.day)),
          link("/calendar", "Days gone by", "button")),
        seal(daily))),
    wall: element("section", { class: "panel" }, element("h2", {}, "How everybody fares"),
      daily.deals.length > 1 && choices("Which deal", daily.deals.map((deal) => ({ text: levelWords(deal.level), value: deal })), shown, pick),
      place),
    heard(games) {
      games.forEach((meter) => meters.set(meter.game, meter));
      draw();
      card.progress(meters);
    },
  };
}

function leftWords(daily, now) {
  if (now < daily.ends_at) return `Open to begin for another ${untilWords(daily.ends_at - now)}.`;
  return now < daily.closes_at ? `A run under way may be finished for another ${untilWords(daily.closes_at - now)}.` : "The day is over.";
}

function noChallenge() {
  return element("section", { class: "panel challenge" }, element("h1", {}, "No challenge today"),
    element("p", {}, "There is no daily challenge open just now. ", link("/games", "Any of the games"), " can be played."));
}

const section = (title, rows, more = null) => rows.length > 0 &&
  element("section", { class: "panel" }, element("h2", {}, title), element("ul", { class: "rows" }, rows), more);

const nameIn = (names, slug) => names.get(slug)?.name ?? slug;

function liveSection(games, names) {
  return section("At the tables now", games.slice(0, 8).map((game) => element("li", {},
    link(`/watch/${game.game}`, `${game.player.name} plays ${nameIn(names, game.rules)}`),
    element("span", { class: "fine" }, `score ${game.score}, ${counted(game.moves, "move")}`))));
}

function raceSection(races, names) {
  return section("Open races", races.slice(0, 5).map((race) => element("li", {}, link(`/race/${race.race}`, nameIn(names, race.rules)),
    element("span", { class: "fine" }, `${race.racers.length} of ${race.size} there`))));
}

function comingSection(dailies, names) {
  const coming = dailies.filter(({ state }) => state === "announced").sort((one, other) => one.opens_at - other.opens_at);
  return section("Sealed for the coming days", coming.slice(0, 4).map((daily) => element("li", {}, link(`/daily/${daily.day}`, dayWords(daily.day)),
    element("span", {}, daily.deals.map(({ rules }) => nameIn(names, rules)).join(", ")),
    element("span", { class: "fine" }, `opens ${momentWords(daily.opens_at)}`))));
}
