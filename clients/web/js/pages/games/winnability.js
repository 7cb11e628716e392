/**
 * How often each game can be won, as far as the published run of the solver has found out: one row for each game.
 *
 * @import { GameWinnability } from "wire"
 */
import { formatNumber, t } from "../../language/translate.js";
import { readWinnability } from "../../net/api.js";
import { makeLevel } from "../../shelf/shelf_entry.js";
import { ORDER_NAMES, sortGames, VERDICTS } from "../../shelf/winnability.js";
import { element, fill, link } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";

const HEADS = ["game", ...VERDICTS, "can_be_won", "searched", "budget", "nodes", "seconds", "moves"];
/** Where everything is said: the method, how to check the results, and how to add to them. */
const MORE = "cadogan winnability --help";

/** @type {import("../../router.js").Show} */
export async function show(root, _parameters, app) {
  app.title(t("winnability.title"));
  const [{ games, solver }] = await Promise.all([readWinnability(), loadCss("/style/winnability.css")]);
  const asked = new URLSearchParams(location.search).get("game");
  const rows = new Map(games.map((game) => [game.slug, makeRow(game, game.slug === asked)]));
  const body = element("tbody");
  /** @type {HTMLSelectElement} */
  const order = element("select", { id: "winnability-order", on: { change: showRows } },
    ORDER_NAMES.map((name) => element("option", { value: name }, t(`winnability.order_${name}`))));

  function showRows() {
    fill(body, sortGames(games, order.value).map(({ slug }) => rows.get(slug)));
  }
  showRows();
  fill(root,
    element("header", { class: "heading" }, element("h1", {}, t("winnability.title"))),
    explanation(games, solver),
    element("section", { class: "panel" },
      element("p", {}, element("label", { for: order.id }, t("games.order")), " ", order),
      element("table", { class: "winnability" }, element("caption", { class: "unseen" }, t("winnability.title")),
        element("thead", {}, element("tr", {}, HEADS.map((head) => element("th", { scope: "col", class: head }, t(`winnability.head_${head}`))))),
        body)));
  rows.get(asked ?? "")?.scrollIntoView({ block: "center" });
}

/** What the table says, and how to add to it. @param {GameWinnability[]} games @param {number} solver */
function explanation(games, solver) {
  const deals = games.reduce((sum, game) => sum + game.deals, 0);
  return element("section", { class: "panel reading" },
    element("p", {}, t("winnability.thoughtful", { count: deals, solver })),
    element("details", {}, element("summary", {}, t("winnability.how_to_read")),
      ["verdicts", "intervals", "cost", "add"].map((key) => element("p", {}, t(`winnability.words_${key}`))),
      element("p", {}, element("code", {}, MORE))));
}

/** @param {GameWinnability} game @param {boolean} asked whether the reader came here for this game */
function makeRow(game, asked) {
  const cell = (/** @type {string} */ name, /** @type {string} */ text) =>
    element("td", { class: name, "data-head": t(`winnability.head_${name}`) }, text);
  const number = (/** @type {number|null|undefined} */ value) => (value === null || value === undefined ? "–" : formatNumber(value));
  return element("tr", { class: asked && "own" },
    element("th", { scope: "row" }, link(`/games/${game.slug}`, game.name), " ", makeLevel(game.level), makeBar(game)),
    VERDICTS.map((verdict) => element("td", { class: verdict, "data-head": t(`winnability.head_${verdict}`) },
      element("strong", {}, formatNumber(game[verdict].deals)), " ", element("span", { class: "interval" }, rangeWords(game[verdict])))),
    cell("can_be_won", rangeWords(game.can_be_won)),
    cell("searched", number(game.deals)),
    cell("budget", number(game.budget)),
    cell("nodes", number(game.nodes)),
    cell("seconds", secondsWords(game.seconds)),
    cell("moves", number(game.moves)));
}

/** The verdicts as the parts of a bar. @param {GameWinnability} game */
function makeBar(game) {
  return element("span", { class: "verdict-bar", "aria-hidden": "true" }, ["won", "unknown", "lost"].map((verdict) => {
    const part = element("i", { class: verdict });
    part.style.flexGrow = String(game[/** @type {"won"} */ (verdict)].deals);
    return part;
  }));
}

/** "39–86 %", as the language writes it. @param {{low: number, high: number}} shares */
function rangeWords({ low, high }) {
  return t("winnability.range", { low: Math.round(100 * low), high: Math.round(100 * high) });
}

/** Two digits where it is quick: "0.31", "12". @param {number|null|undefined} seconds */
function secondsWords(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  return formatNumber(seconds, seconds < 10 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 0 });
}
