/**
 * The puzzle of a day: a position of a lost game that could still be won. Trying it, the way afterwards, and who has solved it.
 *
 * @import { Puzzle, RulesPage } from "wire"
 * @import { App } from "../../main.js"
 */
import { showWay } from "../../analysis/winning_line_dialog.js";
import { stepWithVersion } from "../../analysis/verdicts.js";
import { replaySteps, waySteps } from "../../game/replay_steps.js";
import { dayWords, momentWords, nameWords } from "../../language/format.js";
import { refusalWords } from "../../language/refusals.js";
import { formatNumber, t } from "../../language/translate.js";
import { givePuzzleUp, listPuzzles, readPuzzle, readPuzzleWay, readReplay, readRules, tryPuzzle } from "../../net/api.js";
import { button, element, fill, link } from "../../ui/dom.js";

/** @type {import("../../router.js").Show} */
export async function show(root, parameters, app) {
  app.title(t("puzzle.title"));
  const day = parameters.day ?? (await listPuzzles())[0];
  if (!day) return showNone(root, t("puzzle.none"));
  const puzzle = await readPuzzle(day).catch((refusal) => {
    if (refusal.code !== "not_found") throw refusal;
    return showNone(root, refusalWords(refusal));
  });
  if (!puzzle) return undefined;
  const rules = await readRules(puzzle.rules);
  const panel = element("section", { class: "panel puzzle" });
  const board = element("section", { class: "panel" });
  /** @type {HTMLDialogElement|null} */
  let dialog = null;
  /** @param {Puzzle} known */
  const receive = (known) => {
    fill(panel, challenge(known, rules, app, receive, (opened) => { dialog = opened; }));
    fill(board, boardOf(known));
  };
  receive(puzzle);
  fill(root, element("header", { class: "heading" }, element("p", { class: "eyebrow" }, t("puzzle.title")), element("h1", {}, dayWords(puzzle.day)),
    element("p", { class: "fine" }, t("puzzle.about"))), panel, board, otherDays(puzzle));
  return () => dialog?.close();
}

/** Say why there is no puzzle. @param {HTMLElement} root @param {string} why */
function showNone(root, why) {
  fill(root, element("header", { class: "heading" }, element("h1", {}, t("puzzle.title"))), element("section", { class: "panel" },
    element("p", {}, why), element("p", { class: "actions" }, link("/", t("watch.todays_deals"), "button"))));
}

/**
 * @param {Puzzle} puzzle
 * @param {RulesPage} rules
 * @param {App} app
 * @param {(puzzle: Puzzle) => void} receive shows it anew
 * @param {(dialog: HTMLDialogElement) => void} opened
 */
function challenge({ day, state, moves, line, closes_at: closes, your, origin }, rules, app, receive, opened) {
  const problem = element("p", { class: "problem", role: "alert" });
  const attempt = (/** @type {() => Promise<void>} */ work) => work().catch((refusal) => {
    problem.textContent = refusalWords(refusal);
  });
  const play = () => attempt(async () => {
    await app.ensurePlayer();
    app.go(`/play/${(await tryPuzzle(day)).id}`);
  });
  const giveUp = () => attempt(async () => {
    await app.ensurePlayer();
    receive(await givePuzzleUp(day));
  });
  const showIt = () => attempt(async () => {
    if (!origin) return;
    const [way, replay] = await Promise.all([readPuzzleWay(day), readReplay(origin.game)]);
    const steps = replaySteps(replay);
    const from = steps[stepWithVersion(steps, origin.version)];
    opened(await showWay(rules, waySteps(from.session, way), t("puzzle.way_title", { count: line }), t("puzzle.back")));
  });
  return [
    element("h2", {}, link(`/games/${rules.slug}`, rules.name)),
    element("p", {}, t(moves ? "puzzle.task" : "puzzle.task_deal", { moves, count: line })),
    element("p", { role: "status" }, standing(state, your)),
    element("p", { class: "actions" },
      state === "open" && !origin && button(t(your?.game ? "puzzle.go_on" : "puzzle.try_it"), play, "button primary"),
      state === "open" && !origin && button(t("puzzle.give_up"), giveUp),
      origin && button(t("puzzle.show_way"), showIt, "button primary"),
      origin && link(`/replay/${origin.game}`, t("puzzle.the_game"), "button")),
    problem,
    element("p", { class: "fine" }, state === "open" ? t("puzzle.open_until", { moment: momentWords(closes) }) : t("puzzle.closed"), " ", t("puzzle.rules")),
  ];
}

/** How the reader stands. @param {Puzzle["state"]} state @param {Puzzle["your"]} your */
function standing(state, your) {
  if (your?.solved) return t("puzzle.you_solved");
  if (your?.given_up) return t("puzzle.you_gave_up");
  return your?.tries ? t("puzzle.your_tries", { count: your.tries }) : state === "open" ? t("puzzle.not_tried") : "";
}

/** @param {Puzzle} puzzle */
function boardOf({ board, tried, solved }) {
  return [
    element("h2", {}, t("puzzle.board")),
    element("p", {}, tried ? t("puzzle.counts", { count: tried, solved: formatNumber(solved) }) : t("puzzle.nobody")),
    board.length > 0 && element("ol", {}, board.map(({ rank, player, tries, moves }) => element("li", { value: rank },
      link(`/players/${player.id}`, nameWords(player)), " ", element("span", { class: "fine" }, t("puzzle.solved_in", { tries, moves }))))),
  ];
}

/** @param {Puzzle} puzzle */
function otherDays({ day, days }) {
  const others = days.filter((one) => one !== day);
  return others.length > 0 && element("section", { class: "panel" }, element("h2", {}, t("puzzle.others")),
    element("ul", {}, others.map((one) => element("li", {}, link(`/puzzle/${one}`, dayWords(one))))));
}
