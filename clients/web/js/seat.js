/** A table of one's own with its tools: what a game played alone and a game in a race have in common. */
import { ask } from "./ask.js";
import { button, element, fill } from "./dom.js";
import { isOver } from "./session.js";
import { makeStage } from "./stage.js";
import { Table } from "./table.js";
import { verbWords } from "./words.js";

/** The last card is seen to lie before anything is said about the end, in milliseconds. */
const PAUSE = 700;

/**
 * @param {HTMLElement} root
 * @param {object} view the game as the server shows it to its player
 * @param {object} app
 * @param {Object} about
 * @param {Node} about.title
 * @param {Node|null} [about.band] between the figures and the table
 * @param {string} about.warning asked before resigning
 * @param {(session: import("./session.js").Session) => void} [about.changed]
 * @param {(session: import("./session.js").Session) => void} about.ended told once
 * @returns {Promise<{say: (text: string, grave?: boolean) => void, rules: object, close: () => void}>}
 */
export async function takeSeat(root, view, app, { title, band = null, warning, changed = () => {}, ended }) {
  let table = null;
  let over = false;
  let ending = 0;
  let stuckAt = 0;
  const verbs = element("span", { class: "verbs" });
  const watchers = element("span", { class: "watching" });
  const takeBack = button("Take back", () => table.takeBack());
  const resign = button("Resign", async () => {
    if (await ask(warning, "Resign")) table.resign();
  });
  const stage = await makeStage(root, view.game.rules, { title, note: watchers, tools: [verbs, takeBack, resign] });
  if (band) root.querySelector(".strip").after(band);
  app.title(stage.rules.name);

  function follow(session) {
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
    changed(session);
    if (isOver(session) && !over) {
      over = true;
      ending = setTimeout(() => ended(session), PAUSE);
    }
  }

  table = new Table({
    root: stage.table, rules: stage.rules, room: stage.room, say: stage.say, connection: app.connection, game: view.game.id, changed: follow,
  });
  return {
    say: stage.say,
    rules: stage.rules,
    close() {
      clearTimeout(ending);
      table.close();
      stage.stats.close();
    },
  };
}
