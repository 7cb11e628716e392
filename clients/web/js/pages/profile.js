/** Somebody's page: streaks, how they have fared in each game, and what they played last. */
import { follow, listRules, readProfile } from "../api.js";
import { counted } from "../cards.js";
import { button, element, fill, link } from "../dom.js";
import { marks } from "../people.js";
import { dayWords, duration, momentWords, statusWords } from "../words.js";
import { dayAt } from "../days.js";

/** @param {HTMLElement} root */
export async function show(root, { player: id }, app) {
  const [profile, rules] = await Promise.all([readProfile(id), listRules()]);
  const names = new Map(rules.map(({ slug, name }) => [slug, name]));
  const { player } = profile;
  const own = player.id === app.player?.id;
  app.title(player.name);
  fill(root,
    element("header", { class: "heading" },
      element("p", { class: "eyebrow" }, own ? "You" : "Player"), element("h1", {}, player.name, marks(player)),
      element("p", { class: "fine" }, `Here since ${dayWords(dayAt(profile.since))}.`),
      element("p", { class: "actions" }, own ? link("/account", "Your account", "button") : !player.guest && followButton(player, app))),
    element("section", { class: "panel" }, element("dl", { class: "figures-row" }, figures(profile))),
    gamesSection(profile, names), recentSection(profile, names));
}

function figures({ played, won, streak, best_streak: best }) {
  const share = played ? ` (${Math.round((100 * won) / played)} %)` : "";
  const shown = { "Games played": played, "Came out": `${won}${share}`, "Streak now": counted(streak, "day"), "Best streak": counted(best, "day") };
  return Object.entries(shown).map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)));
}

function gamesSection({ by_game: games }, names) {
  if (games.length === 0) return null;
  const most = Math.max(...games.map(({ played }) => played));
  return element("section", { class: "panel" }, element("h2", {}, "Game by game"),
    element("table", { class: "ranking tally" },
      element("thead", {}, element("tr", {}, ["Game", "Played", "Came out", "Best score"].map((head, index) =>
        element("th", { scope: "col", class: index > 0 ? "number" : undefined }, head)))),
      element("tbody", {}, [...games].sort((one, other) => other.played - one.played).map(({ rules, played, won, best_score: best }) =>
        element("tr", {}, element("th", { scope: "row" }, link(`/games/${rules}`, names.get(rules) ?? rules), most > 1 && bar(won, played, most)),
          element("td", { class: "number" }, played), element("td", { class: "number" }, won), element("td", { class: "number" }, best))))));
}

/** As long as the games were many, and filled as far as they came out. */
function bar(won, played, most) {
  const filled = element("span");
  filled.style.width = `${(100 * won) / played}%`;
  const gauge = element("span", { class: "gauge", "aria-hidden": "true" }, filled);
  gauge.style.width = `${Math.max(4, (100 * played) / most)}%`;
  return gauge;
}

function recentSection({ recent }, names) {
  return element("section", { class: "panel" }, element("h2", {}, "Played last"),
    recent.length === 0 ? element("p", { class: "fine" }, "No game is over yet.")
      : element("ul", { class: "rows" }, recent.map(({ game, score, moves, milliseconds }) => element("li", {},
        link(`/replay/${game.id}`, names.get(game.rules) ?? game.rules),
        element("span", {}, [statusWords(game.status), `score ${score}`, counted(moves, "move"), duration(milliseconds)].join(", ")),
        element("span", { class: "fine" }, [kindWords(game), momentWords(game.started_at)].filter(Boolean).join(" · "))))));
}

function kindWords({ mode, ranked }) {
  return { daily: ranked ? "the day’s deal" : "the day’s deal, unranked", practice: "practice", race: "race" }[mode] ?? "";
}

function followButton(player, app) {
  const made = button("Follow", async () => {
    await app.needPlayer();
    await follow(player.name);
    made.textContent = "Followed";
    made.disabled = true;
  });
  return made;
}
