/**
 * Several live games side by side. The address names the games.
 *
 * @import { RulesPage, View } from "wire"
 * @import { App } from "../../main.js"
 */
import { isOver } from "../../game/session.js";
import { nameWords, statusWords } from "../../language/format.js";
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { listLiveGames, listRules, readGame, readRules } from "../../net/api.js";
import { button, element, fill, findElement, link } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";
import { BoardViewer } from "../../watch/board_viewer.js";
import { makeProgressView, meterOf, watchMeter } from "../../watch/progress_view.js";
import { figuresWords, makeSideTable, spectatorWords } from "../../watch/side_table.js";
import { Spectator } from "../../watch/spectator.js";
import { makeStepControls } from "../../watch/step_controls.js";

const PHONE = "(max-width: 720px)";
/** How many tables fit on a phone and on a larger screen. */
const MAX_TABLES = { phone: 2, desk: 4 };
/** The height of a table's frame with the gap below it. */
const FRAME_PIXELS = 165;
/** The time between two requests of the list of games. */
const RELOAD_MILLISECONDS = 5000;

/** @type {import("../../router.js").Show} */
export async function show(root, { games = "" }, app) {
  await loadCss("/style/watch.css");
  const phone = matchMedia(PHONE);
  const maxTables = () => (phone.matches ? MAX_TABLES.phone : MAX_TABLES.desk);
  const names = new Map((await listRules()).map(({ slug, name }) => [slug, name]));
  const grid = element("div", { class: "tables" });
  const list = element("ul", { class: "rows" });
  const full = element("p", { class: "fine" });
  const more = element("section", { class: "panel" }, element("h2", {}, t("watch.being_played")), full, list);
  /** @type {Map<string, {node: HTMLElement, close: () => void}>} */
  const boxes = new Map();
  fill(root, element("header", { class: "heading" },
    element("h1", { tabindex: -1 }, t("watch.theatre")), element("p", { class: "fine" }, t("watch.theatre_about"))), grid, more);
  app.title(t("watch.theatre"));

  const height = () => (phone.matches ? innerHeight * 0.4
    : (innerHeight - grid.getBoundingClientRect().top - scrollY) / (boxes.size > 2 ? 2 : 1) - FRAME_PIXELS);

  /** @param {string} id */
  async function add(id) {
    if (boxes.has(id) || boxes.size >= maxTables()) return;
    boxes.set(id, { node: element("section", { class: "panel side" }), close: () => {} });
    const box = await makeBox(id, app, { height, remove: () => remove(id) });
    if (!boxes.has(id)) return box.close();
    boxes.set(id, box);
    arrange();
  }
  /** @param {string} id */
  function remove(id) {
    boxes.get(id)?.close();
    boxes.delete(id);
    arrange();
    updateAddress();
    load();
    (grid.querySelector("button") ?? list.querySelector("button") ?? findElement(root, "h1")).focus();
  }
  function arrange() {
    /** @type {Element[]} */
    const wanted = [...boxes.values()].map(({ node }) => node);
    [...grid.children].filter((node) => !wanted.includes(node)).forEach((node) => node.remove());
    wanted.forEach((node, index) => grid.children[index] !== node && grid.insertBefore(node, grid.children[index] ?? null));
    grid.dataset.tables = String(boxes.size);
    grid.querySelectorAll(".board").forEach((board) => board.dispatchEvent(new Event("room")));
  }
  function updateAddress() {
    history.replaceState({}, "", boxes.size ? `/theatre/${[...boxes.keys()].join(",")}` : "/theatre");
  }

  let known = "";
  async function load() {
    const live = (await listLiveGames()).filter(({ game }) => !boxes.has(game));
    const room = boxes.size < maxTables();
    full.textContent = !room ? t("watch.full", { count: maxTables() }) : live.length ? "" : t("watch.nobody_plays");
    const seen = JSON.stringify([room, live.map(({ game }) => game)]);
    if (seen === known) return;
    known = seen;
    fill(list, live.map(({ game, player, rules }) => {
      const put = button(t("watch.add"), () => add(game).then(updateAddress).then(load), "button");
      put.setAttribute("aria-label", t("watch.add_this", { player: nameWords(player), game: names.get(rules) ?? rules }));
      put.disabled = !room;
      return element("li", {}, link(`/watch/${game}`, nameWords(player)), element("span", {}, names.get(rules) ?? rules),
        element("span", { class: "fine" }, put));
    }));
  }

  const named = games.split(",").filter(Boolean);
  const opened = named.length ? named : (await listLiveGames()).map(({ game }) => game);
  await Promise.all(opened.slice(0, maxTables()).map(add));
  arrange();
  await load();
  const timer = setInterval(() => load().catch(() => {}), RELOAD_MILLISECONDS);
  return () => {
    clearInterval(timer);
    boxes.forEach(({ close }) => close());
  };
}

/**
 * One of the games. A refusal is shown in its place.
 * @param {string} id
 * @param {App} app
 * @param {{height: () => number, remove: () => void}} about
 */
async function makeBox(id, app, { height, remove }) {
  const away = button("×", remove, "button step away");
  try {
    const view = await readGame(id);
    const rules = await readRules(view.game.rules);
    away.setAttribute("aria-label", t("watch.remove", { player: nameWords(view.game.player) }));
    away.title = t("watch.remove", { player: nameWords(view.game.player) });
    return makeWatchedGame(view, rules, app, { height, away });
  } catch (refusal) {
    away.setAttribute("aria-label", t("watch.remove", { player: id }));
    return { node: element("section", { class: "panel side" }, element("p", {}, refusalWords(refusal)), away), close: () => {} };
  }
}

/**
 * @param {View} view
 * @param {RulesPage} rules
 * @param {App} app
 * @param {{height: () => number, away: HTMLElement}} about
 */
function makeWatchedGame(view, rules, app, { height, away }) {
  const { id, player } = view.game;
  const side = makeSideTable({
    heading: [link(`/watch/${id}`, nameWords(player)), element("small", {}, rules.name)], label: t("watch.table_of", { player: nameWords(player) }),
    height,
  });
  const progressView = makeProgressView(rules.maximum);
  const note = element("p", { class: "fine" }, t("watch.covered"));
  const audience = element("span", { class: "watching" });
  const problem = element("p", { class: "problem", role: "alert" });
  /** @type {ReturnType<typeof makeStepControls>} */
  const stepControls = makeStepControls(() => spectator);
  /** @type {(() => void)|null} */
  let stopMeter = null;
  side.node.prepend(away);
  side.node.append(element("div", { class: "under" }, stepControls.node, side.figures, audience), problem);

  /** @type {Spectator} */
  const spectator = new Spectator({
    connection: app.connection, game: id,
    board() {
      stopMeter?.();
      stopMeter = null;
      progressView.node.remove();
      note.remove();
      return new BoardViewer(side.makeBoard(rules));
    },
    changed(seen) {
      const { session, step, names } = seen;
      const hidden = session.piles === null;
      stepControls.node.hidden = hidden;
      if (!hidden) side.figures.textContent = figuresWords((step ?? { session }).session, rules.maximum);
      if (hidden && !stopMeter && session.game) {
        side.felt.append(progressView.node, note);
        progressView.show(meterOf(view));
        stopMeter = watchMeter(app, session.game, progressView.show);
      }
      stepControls.show(seen);
      const over = isOver(session);
      audience.textContent = over ? `${t("watch.over", { status: statusWords(session.status) })} `
        : spectatorWords(session.watchers, names);
      if (over && !hidden) audience.append(link(`/replay/${id}`, t("watch.replay")));
    },
    failed: (refusal) => {
      problem.textContent = refusalWords(refusal);
    },
  });
  return {
    node: side.node,
    close() {
      stopMeter?.();
      spectator.close();
    },
  };
}
