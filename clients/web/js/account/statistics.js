/**
 * A player's statistics: every game in a table, and small plots by week, of one game or of all.
 *
 * @import { Profile, RulesTally } from "wire"
 * @typedef {Map<string, string>} Names of games, by slug
 */
import { weekStartWords, weekWords } from "../language/calendar.js";
import { scorePercent, scoreWords } from "../language/format.js";
import { formatNumber, t } from "../language/translate.js";
import { element, fill, link } from "../ui/dom.js";
import { makeBarPlot } from "./bar_plot.js";
import { weekFigures } from "./week_figures.js";

/** @param {Profile} profile @param {Names} names @returns {HTMLElement[]} the sections; none before the first finished game */
export function makeStatistics(profile, names) {
  return profile.by_game.length === 0 ? [] : [gamesSection(profile, names), weeksSection(profile, names)];
}

/** @param {Profile} profile @param {Names} names */
function gamesSection({ by_game: games }, names) {
  const heads = ["game", "played", "won", "best", "mean"];
  return element("section", { class: "panel" }, element("h2", {}, t("profile.game_by_game")),
    element("table", { class: "ranking tally" },
      element("thead", {}, element("tr", {}, heads.map((head, index) =>
        element("th", { scope: "col", class: index > 0 ? "number" : undefined }, t(`profile.head_${head}`))))),
      element("tbody", {}, games.map((game) => gameRow(game, names)))));
}

/** A row, with a bar for the mean as a part of the highest possible score. @param {RulesTally} game @param {Names} names */
function gameRow({ rules, played, won, best_score: best, mean_score: mean, maximum }, names) {
  const filled = element("span");
  filled.style.width = `${scorePercent(mean, maximum)}%`;
  /** @param {string} text */
  const number = (text) => element("td", { class: "number" }, text);
  return element("tr", {},
    element("th", { scope: "row" }, link(`/games/${rules}`, names.get(rules) ?? rules),
      element("span", { class: "gauge", "aria-hidden": "true" }, filled)),
    number(formatNumber(played)), number(formatNumber(won)), number(scoreWords(best, maximum)), number(meanWords(mean)));
}

/** @param {number|null} mean */
function meanWords(mean) {
  return mean === null ? "–" : formatNumber(mean, { maximumFractionDigits: 1 });
}

/** @param {Profile} profile @param {Names} names */
function weeksSection(profile, names) {
  const plots = element("div", { class: "bar-plots" });
  /** @type {HTMLSelectElement} */
  const choice = element("select", { id: "statistics-of", on: { change: () => show(choice.value) } },
    element("option", { value: "" }, t("profile.all_games")),
    profile.by_game.map(({ rules }) => element("option", { value: rules }, names.get(rules) ?? rules)));

  /** @param {string} rules */
  function show(rules) {
    const game = profile.by_game.find((one) => one.rules === rules);
    fill(plots, playedPlot(profile, rules), game && scorePlot(profile, game));
  }

  show("");
  return element("section", { class: "panel" }, element("h2", {}, t("profile.by_week")),
    element("p", {}, element("label", { for: choice.id }, t("profile.head_game")), " ", choice), plots);
}

/** @param {string} week */
function weekNames(week) {
  return { name: weekWords(week), short: weekStartWords(week) };
}

/** How many games were played and won in each week. @param {Profile} profile @param {string} rules */
function playedPlot(profile, rules) {
  const weeks = weekFigures(profile, rules);
  return makeBarPlot({
    label: t("profile.plot_played"), legend: [t("profile.head_won"), t("profile.head_played")],
    heads: [t("profile.head_week"), t("profile.head_played"), t("profile.head_won")],
    bars: weeks.map(({ week, played, won }) =>
      ({ ...weekNames(week), height: played, part: won, cells: [formatNumber(played), formatNumber(won)] })),
    most: Math.max(1, ...weeks.map(({ played }) => played)),
  });
}

/** The best and the mean score of one game in each week. @param {Profile} profile @param {RulesTally} game */
function scorePlot(profile, { rules, maximum }) {
  return makeBarPlot({
    label: t("profile.plot_score"), legend: [t("profile.head_mean"), t("profile.head_best")],
    heads: [t("profile.head_week"), t("profile.head_best"), t("profile.head_mean")],
    bars: weekFigures(profile, rules).map(({ week, best, mean }) => ({
      ...weekNames(week), height: best ?? 0, part: mean ?? 0,
      cells: [best === null ? "–" : scoreWords(best, maximum), meanWords(mean)],
    })),
    most: maximum,
  });
}
