/** One day's challenge: what it is, when it opens and closes, its seal. */
import { listRules, readDaily } from "../api.js";
import { element, fill, link } from "../dom.js";
import { dayWords, momentWords } from "../words.js";
import { sealed } from "./home.js";

const STATES = { announced: "sealed, not yet open", open: "open", closed: "closed; everything is public" };

/** @param {HTMLElement} root */
export async function show(root, { day }, app) {
  const [daily, rules] = await Promise.all([readDaily(day), listRules()]);
  app.title(dayWords(daily.day));
  const game = rules.find(({ slug }) => slug === daily.rules);
  const seal = sealed({ ...daily, day: null });
  seal.open = true;
  fill(root,
    element("header", { class: "heading" }, element("p", { class: "eyebrow" }, dayWords(daily.day)),
      element("h1", {}, link(`/games/${daily.rules}`, game?.name ?? daily.rules))),
    element("section", { class: "panel" },
      element("dl", { class: "facts" }, ...facts({
        State: STATES[daily.state] ?? daily.state, Opens: momentWords(daily.opens_at),
        "Begin before": momentWords(daily.ends_at), "Everything public": momentWords(daily.closes_at),
      })),
      element("p", { class: "actions" },
        daily.state === "open" && link("/", "Play", "button primary"),
        daily.state !== "announced" && link(`/board/${daily.day}`, "Leaderboard", "button"),
        daily.your_game && link(`/replay/${daily.your_game}`, "Your run", "button")),
      seal));
}

function facts(words) {
  return Object.entries(words).flatMap(([term, value]) => [element("dt", {}, term), element("dd", {}, value)]);
}
