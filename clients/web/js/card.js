/** A day's card: its deals side by side, how one stands with each, and what one may do about it. */
import { enterDaily, practise } from "./api.js";
import { boardAddress } from "./boards.js";
import { counted } from "./cards.js";
import { levelWords, standing, standingWords } from "./deals.js";
import { button, element, fill, link } from "./dom.js";
import { askToBeSpoiled } from "./spoil.js";
import { duration, statusWords } from "./words.js";

/**
 * @param {object} daily
 * @param {Map<string, object>} rules by slug
 * @param {object} app
 * @param {{now: number, again: () => void}} about `again` shows the page anew
 * @returns {{node: HTMLElement, progress: (meters: Map<string, object>) => void}} `progress` is told of runs by game
 */
export function makeCard(daily, rules, app, { now, again }) {
  const deals = daily.deals.map((deal) => makeDeal(deal, daily, rules.get(deal.rules), app, { now, again }));
  return {
    node: element("ol", { class: "deals" }, deals.map(({ node }) => node)),
    progress: (meters) => deals.forEach(({ progress }) => progress(meters)),
  };
}

function makeDeal(deal, daily, rules, app, { now, again }) {
  const stands = standing(deal, daily, now);
  const name = rules?.name ?? deal.rules;
  const state = element("p", { class: "state" }, standingWords(stands));
  const problem = element("p", { class: "problem", role: "alert" });
  const attempt = (work) => work.catch((refusal) => {
    problem.textContent = refusal.message;
  });
  const node = element("li", { class: `deal ${stands}` },
    element("p", { class: "eyebrow" }, levelWords(deal.level)),
    element("h2", {}, link(`/games/${deal.rules}`, name)),
    element("p", { class: "summary" }, rules?.summary ?? ""),
    state,
    element("p", { class: "actions" }, actions(stands, { deal, daily, name, app, again, attempt })),
    problem,
    deal.runs > 0 && element("p", { class: "fine" }, counted(deal.runs, "run")));
  return {
    node,
    progress(meters) {
      const own = meters.get(deal.your_game);
      if (own) fill(state, ownWords(own, stands));
    },
  };
}

function ownWords(meter, stands) {
  const words = stands === "begun" ? "Under way" : statusWords(meter.status).replace(/^./, (first) => first.toUpperCase());
  return [element("strong", {}, words),
    ` · score ${meter.score}, ${counted(meter.moves, "move")}, ${duration(meter.milliseconds)}${meter.ranked ? "" : ", unranked"}`];
}

function actions(stands, { deal, daily, name, app, again, attempt }) {
  const named = (made, words) => {
    made.setAttribute("aria-label", `${words} (${deal.level})`);
    return made;
  };
  const begin = async (how) => {
    await app.needPlayer();
    const game = await how(daily.day, deal.slot);
    app.go(`/play/${game.id}`);
  };
  const play = (text) => named(button(text, () => attempt(begin(enterDaily)), "button primary"), `${text}: ${name}`);
  const more = named(button("Practise", () => attempt(begin(practise))), `Practise ${name}`);
  const board = named(link(boardAddress(`deal:${deal.deal}`), "Board", "button"), `Board of ${name}`);
  const run = deal.your_game && named(link(`/replay/${deal.your_game}`, "Replay", "button"), `Replay of your ${name}`);
  const spoil = named(button("Ask to be spoiled", () => attempt(askToBeSpoiled(daily, deal, app).then((done) => done && again())), "quiet"),
    `Ask to be spoiled: ${name}`);
  return {
    sealed: [], fresh: [play("Play"), spoil], begun: [play("Go on"), spoil], done: [run, more, board],
    spoiled: [deal.your_game && link(`/play/${deal.your_game}`, "Your run", "button"), more, board],
    missed: [board], past: [more, board],
  }[stands];
}
