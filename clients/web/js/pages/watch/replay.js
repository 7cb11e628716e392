/**
 * A game step by step, with its analysis. The address may name a step: `/replay/<game>?move=17`.
 *
 * @import { GameCard, Player, View } from "wire"
 * @import { App } from "../../main.js"
 */
import { makeRunReportButton } from "../../account/report.js";
import { makeAnalysisBand } from "../../analysis/analysis_band.js";
import { originLink } from "../../analysis/origin_link.js";
import { Board } from "../../board/board.js";
import { replaySteps } from "../../game/replay_steps.js";
import { isFinished } from "../../game/session.js";
import { durationWords, nameWords, scoreWords, statusWords, stepWords } from "../../language/format.js";
import { t } from "../../language/translate.js";
import { readGame, readLeaderboard, readRace, readReplay, readResult } from "../../net/api.js";
import { struckWords } from "../../leaderboards/disqualified.js";
import { readRole } from "../../net/admin_api.js";
import { raceRunButton } from "../../race/race_run.js";
import { changeSettings, onSettingsChange, setting } from "../../settings/settings.js";
import { recordLink } from "../../ending/record_link.js";
import { makeTableFrame } from "../../table/table_frame.js";
import { copyButton } from "../../ui/copy_button.js";
import { makeSignsBar, phrasesAtEnd } from "../../reactions/reactions_bar.js";
import { button, element, findElement, link } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";
import { BoardViewer, moveBetween } from "../../watch/board_viewer.js";
import { makeLineChart } from "../../watch/line_chart.js";
import { makeNotation } from "../../watch/notation.js";
import { makeRunCheck } from "../../watch/run_check.js";
import { makeScrubber } from "../../watch/scrubber.js";

/** The address is changed when a step has been shown for this time, because browsers allow only a few changes in a second. */
const ADDRESS_DELAY_MILLISECONDS = 300;
/** At most so many runs are offered to compare with. */
const MAX_OTHER_RUNS = 50;

/** @type {import("../../router.js").Show} */
export async function show(root, { game }, app) {
  await Promise.all([loadCss("/style/watch.css"), loadCss("/style/analysis.css")]);
  const view = await readGame(game);
  if (view.sight === "meter") {
    app.go(`/watch/${game}`, { replace: true });
    return undefined;
  }
  const steps = replaySteps(await readReplay(game));
  const end = steps.length - 1;
  const first = askedStep(end);
  const words = (/** @type {number} */ index) => t(index === end && isFinished(view.status) ? "replay.where_end" : "replay.where", {
    now: index, last: end, words: stepWords(steps[index]), status: statusWords(view.status),
  });
  const where = element("output", { class: "where" });
  const scrubber = makeScrubber({ stops: steps.length > 1 ? [...steps.keys()] : [0], go, words: (place) => words(place) });
  const plot = makeLineChart({
    label: t("replay.plot"), series: [{ name: t("replay.score"), points: steps.map(({ session }, index) => [index, session.score]) }], end,
    words: (place) => t("replay.at_move", { move: Math.round(place) }), go: (place) => scrubber.go(Math.round(place)),
  });
  const title = element("span", { class: "eyebrow" }, t("replay.heading", { player: nameWords(view.game.player) }));
  const frame = await makeTableFrame(root, view.game.rules, {
    zoomKeys: false, title, tools: [scrubber.node, where], home: Boolean(view.game.race),
  });
  app.title(t("replay.title", { game: frame.rules.name }));
  const label = t("replay.table", { game: frame.rules.name });
  const table = new BoardViewer(new Board(frame.table, frame.rules, { label, room: frame.room }));
  const analysis = isFinished(view.status) ? makeAnalysisBand(view, steps, first, frame.rules, app, scrubber.go) : null;
  if (analysis) frame.toolbar.before(analysis.node);
  const copied = element("span", {});
  const aside = element("aside", { class: "about-run", "aria-label": t("replay.about") });
  const short = button(t("replay.short"), () => {
    changeSettings({ notation: setting("notation") === "short" ? "words" : "short" });
    short.focus();
  }, "button small");
  /** @type {ReturnType<typeof makeNotation>|null} */
  let list = null;
  let now = 0;
  let addressTimer = 0;
  findElement(root, ".stage").append(aside);
  scrubber.go(first); // before anything slower is read: the step that a reader chooses meanwhile stays
  const check = isFinished(view.status) ? await makeRunCheck(game) : null;
  const offers = [view.game.origin ? originLink(view.game.origin) : null, copied, raceButton(view, app), recordLinks(view, check !== null),
    await otherRunsChoice(view, frame.rules.maximum, app), await houseLink(view, app), makeRunReportButton(view.game, app.player)].filter((node) => node !== null);
  const listed = element("div", { class: "list" });
  const struck = isFinished(view.status) ? await readResult(game).then((result) => result.struck).catch(() => undefined) : undefined;
  if (struck) aside.append(element("p", { class: "struck-run" }, struckWords(struck)));
  const own = view.game.player.id === app.player?.id;
  const phrases = phrasesAtEnd(own ? "own" : "other", { won: view.status === "won", reached: steps[end].session.score, goal: frame.rules.maximum });
  const signs = isFinished(view.status)
    ? makeSignsBar("game", game, { player: app.player, connection: app.connection, mayGive: true, phrases }) : null;
  if (signs) aside.append(signs.panel);
  aside.append(plot.node, listed, element("p", { class: "actions" }, offers), ...(check ? [check] : []));
  const stopSettings = onSettingsChange(showMoveList);

  /** Show the list of moves, in words or in short notation, as the setting says. */
  function showMoveList() {
    const made = makeNotation(steps, (index) => scrubber.go(index));
    const isShort = setting("notation") === "short";
    short.setAttribute("aria-pressed", String(isShort));
    const above = element("div", { class: "above" }, element("h2", {}, t("replay.moves")), short);
    listed.replaceChildren(above, made.node);
    made.show(now);
    list = made;
  }

  /** @param {number} wanted */
  function go(wanted) {
    const { session, at } = steps[wanted];
    table.show(session.piles, moveBetween(steps, now, wanted));
    now = wanted;
    frame.figures.show({ ...session, milliseconds: session.milliseconds ?? at });
    where.textContent = words(now);
    list?.show(now);
    plot.show(now);
    analysis?.show(now);
    clearTimeout(addressTimer);
    addressTimer = setTimeout(() => {
      if (root.isConnected) history.replaceState({}, "", addressNow());
    }, ADDRESS_DELAY_MILLISECONDS);
    copied.replaceChildren(copyButton(t("replay.copy"), location.origin + addressNow()));
  }
  function addressNow() {
    return `/replay/${game}${now ? `?move=${now}` : ""}`;
  }

  showMoveList();
  return () => {
    clearTimeout(addressTimer);
    stopSettings();
    scrubber.close();
    analysis?.close();
    signs?.close();
    table.close();
    frame.close();
  };
}

/** The step that the address asks for. @param {number} end */
function askedStep(end) {
  const wanted = Number(new URLSearchParams(location.search).get("move"));
  return Number.isInteger(wanted) ? Math.max(0, Math.min(end, wanted)) : 0;
}

/**
 * A button that races this run in practice, and where a refusal is shown.
 * @param {View} view
 * @param {App} app
 */
function raceButton({ game, status }, app) {
  const { day, slot, id } = game;
  if (!day || !slot || !isFinished(status)) return null;
  const problem = element("span", { class: "problem", role: "alert" });
  return element("span", {}, raceRunButton(t("replay.race_it"), { day, slot, run: id }, { app, problem }), problem);
}

/** For hosts and moderators: where this run can be struck. @param {View} view @param {App} app */
async function houseLink({ game, status }, { player }) {
  if (!player || player.guest || !isFinished(status) || !await readRole().catch(() => null)) return null;
  return link(`/house?run=${game.id}`, t("admin.run_link"), "button");
}

/** The other finished runs of this deal, to compare with this one. @param {View} view @param {number} maximum of the score @param {App} app */
async function otherRunsChoice({ game, status }, maximum, app) {
  if (!isFinished(status)) return null;
  const runs = (await runsOf(game, maximum).catch(() => [])).filter(({ id }) => id !== game.id);
  if (runs.length === 0) return null;
  const own = runs.find(({ player }) => player === app.player?.id);
  /** @type {HTMLSelectElement} */
  const choice = element("select", { "aria-label": t("compare.with"), on: {
    change: () => choice.value && app.go(`/compare/${game.id},${choice.value}`),
  } }, element("option", { value: "" }, t("compare.with")), runs.map(({ id, words }) => element("option", { value: id }, words)));
  return own ? element("span", { class: "choice" }, link(`/compare/${own.id},${game.id}`, t("compare.with_mine"), "button"), choice) : choice;
}

/**
 * The finished runs of a game's deal, in words.
 * @param {GameCard} game
 * @param {number} maximum of the score
 * @returns {Promise<{id: string, player: string, words: string}[]>}
 */
async function runsOf({ day, slot, race }, maximum) {
  /** @param {{player: Player, score?: number, milliseconds: number}} run */
  const words = ({ player, score = 0, milliseconds }) => t("compare.run",
    { player: nameWords(player), score: scoreWords(score, maximum), time: durationWords(milliseconds) });
  if (race) {
    const { racers } = await readRace(race);
    return racers.flatMap(({ meter }) => (meter && isFinished(meter.status) ? [{ id: meter.game, player: meter.player.id, words: words(meter) }] : []));
  }
  if (!day) return [];
  const { entries } = await readLeaderboard(`deal:${day}.${slot}`, { limit: MAX_OTHER_RUNS });
  return entries.flatMap((entry) => (entry.game ? [{ id: entry.game, player: entry.player.id, words: words(entry) }] : []));
}

/** @param {View} view @param {boolean} checked whether everybody may have the record */
function recordLinks(view, checked) {
  if (!isFinished(view.status)) return link(`/watch/${view.game.id}`, t("replay.still_played"));
  return checked ? recordLink(view.game.id) : null;
}
