/**
 * A race, from the waiting room to the result; whoever comes back finds it as it is.
 *
 * @import { Player, Race } from "wire"
 */
import { readRace, readRules } from "../../net/api.js";
import { fill } from "../../ui/dom.js";
import { t } from "../../language/translate.js";
import { isIn, lag, remaining, seatOf } from "../../race/race_state.js";
import { makeResult } from "../../race/race_result.js";
import { makeOthersRace, makeOwnRace } from "../../race/race_table.js";
import { forgetRace, rememberRace } from "../../race/race_return.js";
import { makeWaiting } from "../../race/waiting_room.js";

/** Milliseconds after which a race that should have gone on is asked for, and in which its last card is still looked at. */
const DUE = 400;
const LAST_LOOK = 1600;

/** @type {import("../../router.js").Show} */
export async function show(root, { race: id }, app) {
  let race = await readRace(id);
  const rules = await readRules(race.rules);
  const token = new URLSearchParams(location.search).get("token");
  let behind = lag(race, Date.now());
  const about = { app, rules, token, take, serverNow: () => Date.now() + behind };
  let kind = "";
  /** @type {{show: (race: Race) => void, close: () => void}|null} */
  let part = null;
  let closed = false;
  let timer = 0;
  let changing = Promise.resolve();

  /** @param {Race} next */
  function take(next) {
    if (closed || next.at < race.at) return;
    behind = lag(next, Date.now());
    race = { ...next, token: next.token ?? race.token };
    changing = changing.then(draw);
  }

  async function draw() {
    if (closed) return;
    const wanted = kindOf(race, app.player);
    if (wanted !== kind) {
      if (kind === "own" && wanted === "result") await new Promise((go) => setTimeout(go, LAST_LOOK));
      if (closed) return;
      part?.close();
      kind = wanted;
      fill(root);
      part = await make(wanted);
    }
    if (closed) part?.close();
    else part?.show(race);
    keep();
    expect();
  }

  /** @param {string} wanted */
  function make(wanted) {
    switch (wanted) {
      case "own": return makeOwnRace(root, race, seatOf(race, app.player)?.meter?.game ?? "", about);
      case "others": return makeOthersRace(root, about);
      case "result": return makeResult(root, about);
      default: return makeWaiting(root, about);
    }
  }

  function keep() {
    if (!isIn(race, app.player)) return;
    if (["over", "abandoned"].includes(race.state)) forgetRace();
    else rememberRace(id);
  }

  /** Ask once the next thing on the clock is due, in case nobody says it. */
  function expect() {
    clearTimeout(timer);
    const left = remaining(race, about.serverNow());
    if (left === null || closed) return;
    timer = setTimeout(() => readRace(id).then(take).catch(() => {}), left + DUE);
  }

  app.title(t("races.title", { game: rules.name }));
  await draw();
  const stop = app.connection.followRace(id, take);
  return () => {
    closed = true;
    clearTimeout(timer);
    stop();
    part?.close();
  };
}

/** What is to be seen of a race. @param {Race} race @param {Player|null} player */
function kindOf(race, player) {
  if (race.state === "over") return "result";
  if (race.state !== "running") return "waiting";
  if (!isIn(race, player)) return "others";
  return seatOf(race, player)?.meter ? "own" : "waiting";
}
