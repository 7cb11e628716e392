/** Somebody's game, live; or, while one has yet to play that deal oneself, only how far it is. */
import { readDaily, readGame } from "../api.js";
import { counted } from "../cards.js";
import { isOpen, standing } from "../deals.js";
import { button, element, fill, link } from "../dom.js";
import { makeWall } from "../meters.js";
import { isOver } from "../session.js";
import { askToBeSpoiled } from "../spoil.js";
import { makeStage } from "../stage.js";
import { Table } from "../table.js";
import { dayWords, statusWords } from "../words.js";

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
  const { day, slot, player, id, race } = view.game;
  if (race) {
    app.go(`/race/${race}`, { replace: true });
    return undefined;
  }
  const daily = await readDaily(day);
  const deal = daily.deals.find((one) => one.slot === slot);
  const stands = standing(deal, daily, Date.now());
  const wall = makeWall({ mine: deal.your_game, open: false });
  const problem = element("p", { class: "problem", role: "alert" });
  const spoil = () => askToBeSpoiled(daily, deal, app).then((done) => done && app.go(`/watch/${id}`, { replace: true })).catch((refusal) => {
    problem.textContent = refusal.message;
  });
  fill(root,
    element("header", { class: "heading" }, element("p", { class: "eyebrow" }, `The ${deal.level} deal of ${dayWords(day)}`), element("h1", {}, `${player.name} plays`)),
    element("section", { class: "panel" },
      element("p", { class: "lead" }, "The board stays covered for now."),
      element("p", {}, isOpen(stands) ? "New accounts and visitors see meters only while the day is open. Everything is public once it closes."
        : "Everybody plays the same cards, so seeing this game would spoil it for you. Finish your own run, or wait until the day closes; until then you see how far it is, and no card."),
      wall.node,
      element("p", { class: "actions" }, link(stands === "begun" ? `/play/${deal.your_game}` : "/", stands === "begun" ? "To your own game" : "Today’s deals", "button primary"),
        ["fresh", "begun"].includes(stands) && button("Ask to be spoiled", spoil, "quiet")), problem));
  return app.connection.followDay(day, (games) => {
    const known = games.filter(({ game }) => game === id);
    if (known.length) wall.show(known);
  });
}
