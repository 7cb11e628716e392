/** One day: its deals with one's results, its seal and, once it is closed, everything to play again and to check. */
import { listRules, readDaily } from "../api.js";
import { makeCard } from "../card.js";
import { isOpen, standing } from "../deals.js";
import { dayAt, daysLater, monthOf } from "../days.js";
import { button, element, fill, link } from "../dom.js";
import { makeWall } from "../meters.js";
import { seal } from "../seal.js";
import { showShare } from "../share.js";
import { dayWords, momentWords } from "../words.js";

const STATES = { announced: "Sealed, not yet open", open: "Open", closed: "Closed; everything is public" };

/** @param {HTMLElement} root */
export async function show(root, { day }, app) {
  const [daily, rules] = await Promise.all([readDaily(day), listRules()]);
  const names = new Map(rules.map((one) => [one.slug, one]));
  const now = Date.now();
  app.title(dayWords(daily.day));
  const card = makeCard(daily, names, app, { now, again: () => show(root, { day }, app) });
  const walls = daily.deals.map((deal) => ({ deal, ...makeWall({ mine: deal.your_game, open: isOpen(standing(deal, daily, now)) }) }));
  const begun = daily.state !== "announced";
  fill(root,
    element("header", { class: "heading" },
      element("p", { class: "eyebrow" }, link(`/calendar/${monthOf(daily.day)}`, "The calendar")), element("h1", {}, dayWords(daily.day)),
      turning(daily.day, now)),
    element("section", { class: "panel challenge today" }, card.node,
      element("footer", {}, element("p", { class: "fine" }, stateWords(daily)),
        element("p", { class: "actions" }, begun && link(`/board/${daily.day}`, "The day’s board", "button"),
          daily.deals.some(({ your_game: game }) => game) && button("Share your day", () => showShare(daily.day))))),
    element("section", { class: "panel" }, element("h2", {}, "The seal"), seal(daily, true), daily.secret && toCheck(daily, names)),
    begun && walls.map(({ deal, node }) => element("section", { class: "panel" },
      element("h2", {}, daily.state === "closed" ? `Runs of ${names.get(deal.rules)?.name ?? deal.rules}, to be replayed` : names.get(deal.rules)?.name ?? deal.rules), node)));
  if (!begun) return undefined;
  const meters = new Map();
  return app.connection.followDay(daily.day, (games) => {
    games.forEach((meter) => meters.set(meter.game, meter));
    walls.forEach((wall) => wall.show([...meters.values()].filter((meter) => meter.deal === wall.deal.deal)));
    card.progress(meters);
  });
}

function stateWords({ state, opens_at: opens, ends_at: ends, closes_at: closes }) {
  const when = { announced: `opens ${momentWords(opens)}`, open: `begin before ${momentWords(ends)}; everything is public ${momentWords(closes)}`, closed: `since ${momentWords(closes)}` };
  return `${STATES[state] ?? state}: ${when[state] ?? ""}.`;
}

function turning(day, now) {
  const next = daysLater(day, 1);
  return element("p", { class: "turning" }, link(`/daily/${daysLater(day, -1)}`, "‹ The day before"),
    day < dayAt(now) && link(next === dayAt(now) ? "/" : `/daily/${next}`, "The day after ›"));
}

function toCheck(daily, names) {
  return element("details", {},
    element("summary", {}, "Check it yourself"),
    element("p", {}, "The commitment must be the SHA-256 of the secret with its label before it:"),
    element("pre", {}, `(printf 'cadogan/commitment/1\\0'; echo ${daily.secret} | xxd -r -p) | sha256sum`),
    element("p", {}, "Each deal’s seed is a SHA-256 too, over its game, its name and the secret:"),
    element("ul", {}, daily.deals.map(({ deal, rules }) => element("li", {}, `${names.get(rules)?.name ?? rules}: `,
      element("code", {}, `cadogan/seed/1\\0${rules}\\0${deal}\\0`), " and the 32 bytes of the secret"))),
    element("p", {}, "The record that each run’s replay offers for download holds all of it; ",
      element("code", {}, "cadogan verify FILE"), " recomputes the cards and every move, without us."));
}
