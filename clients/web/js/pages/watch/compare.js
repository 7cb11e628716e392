/**
 * Two runs of one deal side by side, by move or by time: where they differ first, what that cost, and how their scores went.
 *
 * @import { RulesPage } from "wire"
 * @typedef {Awaited<ReturnType<typeof readRun>>} Run
 */
import { makeCostPanel } from "../../analysis/cost_panel.js";
import { replaySteps } from "../../game/replay_steps.js";
import { durationWords, nameWords, statusWords, stepWords } from "../../language/format.js";
import { t } from "../../language/translate.js";
import { readGame, readReplay, readRules } from "../../net/api.js";
import { button, element, fill, link } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";
import { playerName } from "../../ui/player_name.js";
import { BoardViewer, moveBetween } from "../../watch/board_viewer.js";
import { makeLineChart } from "../../watch/line_chart.js";
import { notation, scrollIntoList } from "../../watch/notation.js";
import { firstDifference, sameDeal, samePosition, scorePoints, stepAtPlace, stops } from "../../watch/run_comparison.js";
import { makeScrubber } from "../../watch/scrubber.js";
import { figuresWords, makeSideTable } from "../../watch/side_table.js";

/** The content above and below the tables has this height on a large screen. */
const OTHER_CONTENT_PIXELS = 420;
/** The speed at first when playing back by time: faster than the runs were. */
const TIMED_SPEED = 8;

/** @type {import("../../router.js").Show} */
export async function show(root, { one, other }, app) {
  await loadCss("/style/watch.css");
  const runs = await Promise.all([one, other].map(readRun));
  const [first, second] = runs.map(({ steps }) => steps);
  if (!sameDeal(first, second)) {
    app.title(t("compare.runs"));
    fill(root, element("section", { class: "panel notice" },
      element("h1", {}, t("compare.not_alike")), element("p", {}, t("compare.not_alike_why")),
      element("p", { class: "actions" }, runs.map(({ view, name }) =>
        link(`/replay/${view.game.id}`, t("compare.replay_of", { player: name }), "button")))));
    return undefined;
  }
  const rules = await readRules(runs[0].view.game.rules);
  app.title(t("compare.title", { game: rules.name }));
  const views = runs.map((run) => makeRunView(run, rules));
  const cost = makeCostPanel(runs, app);
  const differsAt = firstDifference(first, second);
  const rows = makeRows(runs, differsAt, (index) => goToStep(index));
  const comparison = element("p", { class: "together", role: "status" });
  const controls = element("section", { class: "panel sides", "aria-label": t("replay.controls") });
  const lines = element("section", { class: "panel" });
  let timed = false;
  /** @type {ReturnType<typeof makeScrubber>|null} */
  let scrubber = null;
  /** @type {ReturnType<typeof makeLineChart>|null} */
  let plot = null;
  const choice = [false, true].map((wanted) => button(t(wanted ? "compare.by_time" : "compare.by_move"), () => chooseTimed(wanted)));

  fill(root, element("header", { class: "heading" },
    element("p", { class: "eyebrow" }, t("compare.runs")), element("h1", {}, rules.name), differenceSentence()),
  cost.node, controls, element("div", { class: "side-by-side two" }, views.map(({ node }) => node)), comparison, lines,
  element("section", { class: "panel" }, element("h2", {}, t("replay.moves")), rows.node));

  /** A sentence about the first difference, with a button that goes there. */
  function differenceSentence() {
    if (differsAt === null) return element("p", {}, t(first.length === second.length ? "compare.same" : "compare.same_beginning"));
    return element("p", {}, t("compare.parted", {
      move: differsAt, one: runs[0].name, does: stepWords(first[differsAt]), other: runs[1].name, did: stepWords(second[differsAt]),
    }), " ", button(t("compare.go_there"), () => goToStep(differsAt), "quiet"));
  }

  /** Choose to go through both runs by move number or by time. @param {boolean} wanted */
  function chooseTimed(wanted) {
    timed = wanted;
    choice.forEach((made, index) => made.setAttribute("aria-pressed", String(index === Number(timed))));
    scrubber?.close();
    const places = stops([first, second], timed);
    const end = places[places.length - 1];
    const words = (/** @type {number} */ place) => (timed ? durationWords(place) : t("replay.at_move", { move: Math.round(place) }));
    scrubber = makeScrubber({ stops: places, timed, speed: timed ? TIMED_SPEED : 1, go, words });
    plot = makeLineChart({
      label: t("compare.plot"), series: runs.map(({ name, steps }) => ({ name, points: scorePoints(steps, timed) })), end, words,
      go: (place) => scrubber?.go(timed ? place : Math.round(place)),
    });
    fill(controls, element("p", { class: "choice", role: "group", "aria-label": t("compare.by") }, choice), scrubber.node);
    fill(lines, plot.node);
    scrubber.go(0);
  }

  /** @param {number} index */
  function goToStep(index) {
    scrubber?.go(timed ? Math.max(...[first, second].map((steps) => steps[Math.min(index, steps.length - 1)].at)) : index);
  }

  /** @param {number} place */
  function go(place) {
    const at = [first, second].map((steps) => stepAtPlace(steps, place, timed));
    views.forEach(({ draw }, index) => draw(at[index]));
    const same = samePosition(first[at[0]], second[at[1]]);
    comparison.textContent = t(same ? "compare.alike" : "compare.unlike");
    comparison.classList.toggle("same", same);
    rows.show(at);
    plot?.show(place);
  }

  chooseTimed(false);
  return () => {
    scrubber?.close();
    cost.close();
    views.forEach(({ close }) => close());
  };
}

/** @param {string} game */
async function readRun(game) {
  const view = await readGame(game);
  return { view, name: nameWords(view.game.player), steps: replaySteps(await readReplay(game)) };
}

/** @param {Run} run @param {RulesPage} rules */
function makeRunView({ view, name, steps }, rules) {
  const words = element("output", { class: "fine" });
  const side = makeSideTable({
    heading: [playerName(view.game.player), " ", link(`/replay/${view.game.id}`, t("compare.replay"), "fine")],
    label: t("watch.table_of", { player: name }), height: () => innerHeight - OTHER_CONTENT_PIXELS,
  });
  side.node.append(words);
  const table = new BoardViewer(side.makeBoard(rules));
  let drawn = -1;
  return {
    node: side.node,
    /** @param {number} index */
    draw(index) {
      if (index === drawn) return;
      const { session, at } = steps[index];
      const last = steps.length - 1;
      table.show(session.piles, moveBetween(steps, drawn, index));
      drawn = index;
      side.figures.textContent = t("compare.figures", { figures: figuresWords(session, rules.maximum), time: durationWords(at) });
      words.textContent = index === last ? t("compare.ended", { words: stepWords(steps[index]), status: statusWords(view.status) })
        : t("replay.where", { now: index, last, words: stepWords(steps[index]) });
    },
    close: () => table.close(),
  };
}

/**
 * The moves of both runs, one row for each number. From the first difference on, different moves are marked.
 * @param {Run[]} runs
 * @param {number|null} differsAt
 * @param {(index: number) => void} go
 */
function makeRows(runs, differsAt, go) {
  const words = runs.map(({ steps }) => notation(steps));
  const most = Math.max(...runs.map(({ steps }) => steps.length));
  const body = element("tbody");
  const cells = runs.map(() => /** @type {HTMLElement[]} */ ([]));
  for (let index = 0; index < most; index += 1) {
    const differs = differsAt !== null && index >= differsAt && words[0][index] !== words[1][index];
    body.append(element("tr", { class: [index === differsAt && "parting", differs && "differs"].filter(Boolean).join(" ") },
      element("th", { scope: "row" }, button(String(index), () => go(index), "ply")),
      words.map((column, run) => {
        const cell = element("td", {}, column[index] ?? "");
        cells[run].push(cell);
        return cell;
      })));
  }
  const node = element("div", { class: "moves-beside", tabindex: 0, role: "region", "aria-label": t("replay.moves") }, element("table", {},
    element("thead", {}, element("tr", {}, [t("replay.move"), ...runs.map(({ name }) => name)].map((name) =>
      element("th", { scope: "col" }, name)))), body));
  /** @type {HTMLElement[]} */
  let marked = [];
  return {
    node,
    /** @param {number[]} at */
    show(at) {
      marked.forEach((cell) => cell.removeAttribute("aria-current"));
      marked = at.map((index, run) => cells[run][index]);
      marked.forEach((cell) => cell.setAttribute("aria-current", "step"));
      scrollIntoList(node, marked[0]);
    },
  };
}
