/**
 * A race, from the waiting room to the result. Whoever comes back finds it as it is.
 *
 * @import { Player, Race } from "wire"
 */
import { t } from "../../language/translate.js";
import { readRace, readRules } from "../../net/api.js";
import { makeRaceResult } from "../../race/race_result.js";
import { forgetRace, rememberRace } from "../../race/race_return.js";
import { clockOffset, isInRace, racerOf, remainingMilliseconds } from "../../race/race_state.js";
import { makeRaceTable, makeRaceView } from "../../race/race_table.js";
import { makeWaitingRoom } from "../../race/waiting_room.js";
import { fill } from "../../ui/dom.js";

/** After the first time an overdue race is requested again; for the second time the last card stays visible before the result. */
const OVERDUE_MILLISECONDS = 400;
const LAST_LOOK_MILLISECONDS = 1600;

/** @type {import("../../router.js").Show} */
export async function show(root, { race: id }, app) {
  let race = await readRace(id);
  const rules = await readRules(race.rules);
  const token = new URLSearchParams(location.search).get("token");
  let offset = clockOffset(race, Date.now());
  const about = { app, rules, token, take: setRace, serverNow: () => Date.now() + offset };
  let kind = "";
  /** @type {{show: (race: Race) => void, close: () => void}|null} */
  let part = null;
  let closed = false;
  let timer = 0;
  let changing = Promise.resolve();

  /** @param {Race} next */
  function setRace(next) {
    if (closed || next.at < race.at) return;
    offset = clockOffset(next, Date.now());
    race = { ...next, token: next.token ?? race.token };
    changing = changing.then(draw);
  }

  async function draw() {
    if (closed) return;
    const wanted = viewOf(race, app.player);
    if (wanted !== kind) {
      if (kind === "own" && wanted === "result") await new Promise((go) => setTimeout(go, LAST_LOOK_MILLISECONDS));
      if (closed) return;
      part?.close();
      kind = wanted;
      fill(root);
      part = await make(wanted);
    }
    if (closed) part?.close();
    else part?.show(race);
    rememberOrForget();
    scheduleRead();
  }

  /** @param {string} wanted */
  function make(wanted) {
    switch (wanted) {
      case "own": return makeRaceTable(root, race, racerOf(race, app.player)?.meter?.game ?? "", about);
      case "others": return makeRaceView(root, about);
      case "result": return makeRaceResult(root, about);
      default: return makeWaitingRoom(root, about);
    }
  }

  function rememberOrForget() {
    if (!isInRace(race, app.player)) return;
    if (["over", "abandoned"].includes(race.state)) forgetRace();
    else rememberRace(id);
  }

  /** Request the race again a little after its start or its end is due, in case no message came. */
  function scheduleRead() {
    clearTimeout(timer);
    const left = remainingMilliseconds(race, about.serverNow());
    if (left === null || closed) return;
    timer = setTimeout(() => readRace(id).then(setRace).catch(() => {}), left + OVERDUE_MILLISECONDS);
  }

  app.title(t("races.title", { game: rules.name }));
  await draw();
  const stop = app.connection.watchRace(id, setRace);
  return () => {
    closed = true;
    clearTimeout(timer);
    stop();
    part?.close();
  };
}

/** Which of the four views of a race this player sees. @param {Race} race @param {Player|null} player */
function viewOf(race, player) {
  if (race.state === "over") return "result";
  if (race.state !== "running") return "waiting";
  if (!isInRace(race, player)) return "others";
  return racerOf(race, player)?.meter ? "own" : "waiting";
}
