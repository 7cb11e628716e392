/** Somebody's game, live; or, while one has yet to play that deal oneself, only how far it is. */
import { readDaily, readGame } from "../api.js";
import { counted } from "../cards.js";
import { element, fill, link } from "../dom.js";
import { meterWall } from "../meters.js";
import { isOver } from "../session.js";
import { makeStage } from "../stage.js";
import { Table } from "../table.js";
import { statusWords } from "../words.js";

/** @param {HTMLElement} root */
export async function show(root, { game }, app) {
  const view = await readGame(game);
  app.title(`${view.game.player.name} plays`);
  return view.sight === "meter" ? meter(root, view, app) : board(root, view, app);
}

async function board(root, view, app) {
  const watching = element("span", { class: "watching" });
  const title = element("span", { class: "eyebrow" }, `${view.game.player.name} plays`);
  const stage = await makeStage(root, view.game.rules, { title, tools: [watching] });
  const table = new Table({
    root: stage.table, rules: stage.rules, room: stage.room, say: stage.say, connection: app.connection, game: view.game.id,
    changed(session) {
      stage.stats.show(session);
      const over = isOver(session);
      fill(watching, document.createTextNode(over ? `This game is over: ${statusWords(session.status)}. `
        : `${counted(session.watchers, "person").replace("persons", "people")} watching. `),
      over && link(`/replay/${view.game.id}`, "Replay"));
    },
  });
  return () => {
    table.close();
    stage.stats.close();
  };
}

async function meter(root, view, app) {
  const { day, player, id } = view.game;
  const daily = await readDaily(day);
  const wall = element("div");
  fill(root,
    element("header", { class: "heading" }, element("p", { class: "eyebrow" }, "Today’s deal"), element("h1", {}, `${player.name} plays`)),
    element("section", { class: "panel" },
      element("p", { class: "lead" }, "The board stays covered for now."),
      element("p", {}, "Everybody plays the same cards today, so seeing this game would spoil it for you. Finish your own run, or wait until the day closes; until then you see how far it is, and no card."),
      wall,
      element("p", { class: "actions" }, link("/", daily.your_game ? "To your own game" : "Play it yourself", "button primary"))));
  return app.connection.followDay(day, (games) => {
    const known = games.filter((meterOf) => meterOf.game === id);
    if (known.length) fill(wall, meterWall(known, { mine: daily.your_game, closed: false }));
  });
}
