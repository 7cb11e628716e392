/** A game of one's own. */
import { readGame } from "../api.js";
import { ask } from "../ask.js";
import { button, element, fill, link } from "../dom.js";
import { showEnding } from "../ending.js";
import { isOver } from "../session.js";
import { makeStage } from "../stage.js";
import { Table } from "../table.js";
import { verbWords } from "../words.js";

/** @param {HTMLElement} root */
export async function show(root, { game }, app) {
  const view = await readGame(game);
  if (view.sight !== "seat") {
    app.go(`/watch/${game}`, { replace: true });
    return undefined;
  }
  let table = null;
  let over = false;
  let ending = 0;
  let ended = null;
  let stuckAt = 0;
  const verbs = element("span", { class: "verbs" });
  const watchers = element("span", { class: "watching" });
  const takeBack = button("Take back", () => table.takeBack());
  const resign = button("Resign", async () => {
    if (await ask("Resign this game? Its result then stands.", "Resign")) table.resign();
  });
  const stage = await makeStage(root, view.game.rules, {
    title: heading(view.game), note: watchers, tools: [verbs, takeBack, resign],
  });
  app.title(stage.rules.name);

  function changed(session) {
    stage.stats.show(session);
    fill(verbs, ...session.moves.filter((move) => move.kind === "verb").map((move) =>
      button(verbWords(move.text), () => table.play(move.text), "button verb")));
    watchers.textContent = session.watchers ? `${session.watchers} watching` : "";
    takeBack.disabled = !session.canTakeBack;
    resign.disabled = isOver(session);
    if (session.status === "stuck" && session.version !== stuckAt) {
      stuckAt = session.version;
      stage.say(session.canTakeBack ? "No move is left. Take back, or resign to end the game." : "No move is left: resign to end the game.", true);
    }
    if (isOver(session) && !over) {
      over = true;
      ending = setTimeout(() => {
        ended = showEnding(session, app);
      }, 700);
    }
  }

  table = new Table({
    root: stage.table, rules: stage.rules, room: stage.room, say: stage.say, connection: app.connection, game, changed,
  });
  return () => {
    clearTimeout(ending);
    table.close();
    stage.stats.close();
    ended?.close();
  };
}

function heading(game) {
  return game.day ? link(`/daily/${game.day}`, game.ranked ? "Challenge" : "Challenge, unranked", "eyebrow")
    : element("span", { class: "eyebrow" }, "Patience");
}
