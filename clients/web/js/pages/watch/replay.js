/**
 * A game stepped through, move by move; an address may name the move: `/replay/<game>?move=17`.
 *
 * @import { GameCard, Player, View } from "wire"
 * @import { App } from "../../main.js"
 */
import { practise, readBoard, readDaily, readGame, readRace, readReplay } from "../../net/api.js";
import { Board } from "../../board/board.js";
import { copyButton } from "../../ui/copy_button.js";
import { isFinished } from "../../game/session.js";
import { button, element, found, link } from "../../ui/dom.js";
import { recordLink } from "../../table/game_over.js";
import { t } from "../../language/translate.js";
import { makeNotation } from "../../watch/notation.js";
import { makePlot } from "../../watch/line_chart.js";
import { positions } from "../../game/replay_steps.js";
import { refusalWords } from "../../language/refusals.js";
import { makeScrubber } from "../../watch/scrubber.js";
import { change, onSettings, setting } from "../../settings/settings.js";
import { bringSheet } from "../../ui/load_css.js";
import { moveBetween, Showing } from "../../watch/board_viewer.js";
import { makeStage } from "../../table/table_frame.js";
import { duration, statusWords, stepWords } from "../../language/format.js";

/** The address follows when one has stayed so long, in milliseconds: browsers allow it a few times a second only. */
const SETTLED = 300;
/** At most so many runs are offered to compare with. */
const MOST_OTHERS = 50;

/** @type {import("../../router.js").Show} */
export async function show(root, { game }, app) {
  await bringSheet("/style/theatre.css");
  const view = await readGame(game);
  if (view.sight === "meter") {
    app.go(`/watch/${game}`, { replace: true });
    return undefined;
  }
  const steps = positions(await readReplay(game));
  const end = steps.length - 1;
  const words = (/** @type {number} */ index) => t(index === end && isFinished(view.status) ? "replay.where_end" : "replay.where", {
    now: index, last: end, words: stepWords(steps[index]), status: statusWords(view.status),
  });
  const where = element("output", { class: "where" });
  const scrubber = makeScrubber({ stops: steps.length > 1 ? [...steps.keys()] : [0], go, words: (place) => words(place) });
  const plot = makePlot({
    label: t("replay.plot"), series: [{ name: t("replay.score"), points: steps.map(({ session }, index) => [index, session.score]) }], end,
    words: (place) => t("replay.at_move", { move: Math.round(place) }), go: (place) => scrubber.go(Math.round(place)),
  });
  const title = element("span", { class: "eyebrow" }, t("replay.heading", { player: view.game.player.name }));
  const stage = await makeStage(root, view.game.rules, { zoomKeys: false, title, tools: [scrubber.node, where] });
  app.title(t("replay.title", { game: stage.rules.name }));
  const label = t("replay.table", { game: stage.rules.name });
  const table = new Showing(new Board(stage.table, stage.rules.layout, { label, room: stage.room }));
  const copied = element("span", {});
  const aside = element("aside", { class: "about-run", "aria-label": t("replay.about") });
  const short = button(t("replay.short"), () => {
    change({ notation: setting("notation") === "short" ? "words" : "short" });
    short.focus();
  }, "button small");
  /** @type {ReturnType<typeof makeNotation>|null} */
  let list = null;
  let now = 0;
  let settled = 0;
  found(root, ".stage").append(aside);
  const offers = [copied, raceIt(view, app), await record(view), await others(view, app)].filter((node) => node !== null);
  const listed = element("div", { class: "list" });
  aside.append(plot.node, listed, element("p", { class: "actions" }, offers));
  const stopSettings = onSettings(relist);

  /** The list anew: words or short, as the reader likes it by now. */
  function relist() {
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
    stage.stats.show({ ...session, milliseconds: session.milliseconds ?? at });
    where.textContent = words(now);
    list?.show(now);
    plot.show(now);
    clearTimeout(settled);
    settled = setTimeout(() => history.replaceState({}, "", here()), SETTLED);
    copied.replaceChildren(copyButton(t("replay.copy"), location.origin + here()));
  }
  function here() {
    return `/replay/${game}${now ? `?move=${now}` : ""}`;
  }

  relist();
  scrubber.go(asked(end));
  return () => {
    clearTimeout(settled);
    stopSettings();
    scrubber.close();
    table.close();
    stage.close();
  };
}

/** The move that the address asks for. @param {number} end */
function asked(end) {
  const wanted = Number(new URLSearchParams(location.search).get("move"));
  return Number.isInteger(wanted) ? Math.max(0, Math.min(end, wanted)) : 0;
}

/**
 * A practice run of the same deal against this one; what keeps one from it is said on the button.
 * @param {View} view
 * @param {App} app
 */
function raceIt({ game, status }, app) {
  const { day, slot } = game;
  if (!day || !slot || !isFinished(status)) return null;
  const made = button(t("replay.race_it"), async () => {
    try {
      await app.needPlayer();
      const run = await practise(day, slot);
      app.go(`/play/${run.id}?ghost=${game.id}`);
    } catch (refusal) {
      made.textContent = refusalWords(refusal);
      made.disabled = true;
    }
  });
  return made;
}

/** The other finished runs of this deal, to hold this one against. @param {View} view @param {App} app */
async function others({ game, status }, app) {
  if (!isFinished(status)) return null;
  const runs = (await runsOf(game).catch(() => [])).filter(({ id }) => id !== game.id);
  if (runs.length === 0) return null;
  /** @type {HTMLSelectElement} */
  const choice = element("select", { "aria-label": t("compare.with"), on: {
    change: () => choice.value && app.go(`/compare/${game.id},${choice.value}`),
  } }, element("option", { value: "" }, t("compare.with")), runs.map(({ id, words }) => element("option", { value: id }, words)));
  return choice;
}

/** The finished runs of a game's deal, in words. @param {GameCard} game @returns {Promise<{id: string, words: string}[]>} */
async function runsOf({ day, slot, race }) {
  /** @param {{player: Player, score?: number, milliseconds: number}} run */
  const words = ({ player, score = 0, milliseconds }) => t("compare.run", { player: player.name, score, time: duration(milliseconds) });
  if (race) {
    const { racers } = await readRace(race);
    return racers.flatMap(({ meter }) => (meter && isFinished(meter.status) ? [{ id: meter.game, words: words(meter) }] : []));
  }
  if (!day) return [];
  const { entries } = await readBoard(`deal:${day}.${slot}`, { limit: MOST_OTHERS });
  return entries.flatMap((entry) => (entry.game ? [{ id: entry.game, words: words(entry) }] : []));
}

/** @param {View} view */
async function record(view) {
  if (!isFinished(view.status)) return link(`/watch/${view.game.id}`, t("replay.still_played"));
  const { day, id } = view.game;
  const daily = day ? await readDaily(day).catch(() => null) : null;
  if (daily && daily.state !== "closed") return null;
  return element("span", {}, recordLink(id), " · ", link(`/audit/${id}`, t("audit.check")));
}
