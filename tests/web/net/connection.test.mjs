import assert from "node:assert/strict";
import { test } from "node:test";

import { Connection } from "../../../clients/web/js/net/connection.js";

/** A network in memory: sockets that a test opens, feeds and breaks, and timers that it runs. */
function network({ random = () => 0.5 } = {}) {
  const sockets = [];
  const timers = new Map();
  let serial = 0;
  const connection = new Connection({
    open: () => {
      const socket = { sent: [], readyState: 0, send: (text) => socket.sent.push(JSON.parse(text)), close() {} };
      sockets.push(socket);
      return socket;
    },
    timers: {
      set: (run, delay) => {
        serial += 1;
        timers.set(serial, { run, delay });
        return serial;
      },
      clear: (timer) => timers.delete(timer),
    },
    random,
    prefix: "t",
  });
  const last = () => sockets[sockets.length - 1];
  return {
    connection, sockets, last, timers,
    up() {
      last().readyState = 1;
      last().onopen();
    },
    down() {
      last().readyState = 3;
      last().onclose();
    },
    say: (message) => last().onmessage({ data: JSON.stringify(message) }),
    elapse() {
      const [[timer, { run, delay }]] = [...timers].slice(-1);
      timers.delete(timer);
      run();
      return delay;
    },
  };
}

const kinds = (socket) => socket.sent.map(({ type }) => type);
const follower = (version = 0) => ({ heard: [], version: () => version, receive(message) { this.heard.push(message); } });

test("a followed game is subscribed to when the socket opens", () => {
  const net = network();
  net.connection.subscribe("g", follower());
  net.up();
  assert.deepEqual(net.last().sent, [{ type: "subscribe", id: "t-1", game: "g" }]);
});

test("after a break it asks for what came since the last version", () => {
  const net = network();
  net.connection.subscribe("g", follower(7));
  net.up();
  net.down();
  net.elapse();
  net.up();
  assert.equal(net.sockets.length, 2);
  assert.equal(net.last().sent[0].since, 7);
});

test("a command without an answer is sent again under the same id", () => {
  const net = network();
  net.connection.command({ type: "play", game: "g", version: 1, move: "deal" });
  net.up();
  net.down();
  net.elapse();
  net.up();
  assert.deepEqual(net.sockets[0].sent, net.sockets[1].sent);
});

test("a command given while there is no connection is sent when there is", () => {
  const net = network();
  net.connection.start();
  net.connection.command({ type: "resign", game: "g", version: 1 });
  assert.deepEqual(net.last().sent, []);
  net.up();
  assert.deepEqual(kinds(net.last()), ["resign"]);
});

test("an answered command is not sent again", async () => {
  const net = network();
  const answer = net.connection.command({ type: "play", game: "g", version: 1, move: "deal" });
  net.up();
  net.say({ type: "move_played", game: "g", version: 2, command: "t-1" });
  assert.equal((await answer).version, 2);
  net.down();
  net.elapse();
  net.up();
  assert.deepEqual(net.last().sent, []);
});

test("a refusal reaches the one who asked", async () => {
  const net = network();
  const answer = net.connection.command({ type: "play", game: "g", version: 1, move: "deal" });
  net.up();
  net.say({ type: "refused", id: "t-1", code: "illegal_move", message: "No." });
  await assert.rejects(answer, { code: "illegal_move", message: "No." });
});

test("a command that the server could not write just now is sent again under the same id when it said", async () => {
  const net = network();
  const answer = net.connection.command({ type: "play", move: "deal" });
  net.up();
  net.say({ type: "refused", id: "t-1", code: "unavailable", message: "not now", retry_after: 2 });
  assert.equal(net.elapse(), 2000);
  assert.deepEqual(net.last().sent.map(({ id }) => id), ["t-1", "t-1"]);
  net.say({ type: "move_played", command: "t-1", game: "g", version: 2 });
  assert.equal((await answer).version, 2);
});

test("messages go to the followers of their game alone", () => {
  const net = network();
  const [one, other] = [follower(), follower()];
  net.connection.subscribe("g", one);
  net.connection.subscribe("h", other);
  net.up();
  net.say({ type: "view", game: { id: "g" }, version: 3 });
  net.say({ type: "advanced", game: "g", version: 4 });
  assert.deepEqual([one.heard.length, other.heard.length], [2, 0]);
});

test("each failure waits longer, and a server that says something is forgiven", () => {
  const net = network();
  net.connection.start();
  const delays = [];
  for (let turn = 0; turn < 3; turn += 1) {
    net.down();
    delays.push(net.elapse());
  }
  net.up();
  net.down();
  delays.push(net.elapse());
  net.up();
  net.say({ type: "pong", id: "t-1", at: 0 });
  net.down();
  delays.push(net.elapse());
  assert.deepEqual(delays, [500, 1000, 2000, 4000, 500]);
});

test("a crowd comes back at any time of the first second", () => {
  const delays = [0, 0.25, 0.999].map((chance) => {
    const net = network({ random: () => chance });
    net.connection.start();
    net.down();
    return net.elapse();
  });
  assert.deepEqual(delays, [0, 250, 999]);
});

test("what was missed of a game is asked for with the sight it was seen with", () => {
  const net = network();
  net.connection.subscribe("g", { ...follower(7), sight: () => "board" });
  net.connection.subscribe("g", { ...follower(9), sight: () => "meter" });
  net.up();
  assert.deepEqual(net.last().sent, [{ type: "subscribe", id: "t-1", game: "g", since: 7, sight: "board" }]);
});

test("silence after a ping is taken for death", () => {
  const net = network();
  net.connection.start();
  net.up();
  net.elapse();
  assert.deepEqual(kinds(net.last()), ["ping"]);
  net.elapse();
  net.elapse();
  assert.equal(net.sockets.length, 2);
});

test("a day is watched again after a break", () => {
  const net = network();
  const heard = [];
  net.connection.watchDay("2026-11-20", (games) => heard.push(...games));
  net.up();
  net.say({ type: "day_progress", day: "2026-11-20", games: [{ game: "g" }] });
  net.down();
  net.elapse();
  net.up();
  assert.deepEqual(kinds(net.last()), ["watch_day"]);
  assert.deepEqual(heard, [{ game: "g" }]);
});

test("days, boards and races are watched again after a break, and each hears its own", () => {
  const net = network();
  const heard = [];
  net.connection.watchRace("r", (race) => heard.push(race.state));
  net.connection.watchLeaderboard("all", () => heard.push("all"));
  net.up();
  net.down();
  net.elapse();
  net.up();
  assert.deepEqual(kinds(net.last()), ["watch_race", "watch_board"]);
  net.say({ type: "race", race: "r", state: "running" });
  net.say({ type: "race", race: "another", state: "over" });
  net.say({ type: "board_changed", board: "all", total: 3 });
  net.say({ type: "board_changed", board: "another", total: 3 });
  assert.deepEqual(heard, ["running", "all"]);
});

test("a board may have changed until it is watched, the first time and after a break", () => {
  const net = network();
  let heard = 0;
  net.connection.watchLeaderboard("all", () => { heard += 1; });
  net.up();
  assert.equal(heard, 0);
  net.say({ type: "done", id: net.last().sent[0].id });
  net.say({ type: "done", id: net.last().sent[0].id });
  assert.equal(heard, 1);
  net.down();
  net.elapse();
  net.up();
  net.say({ type: "done", id: net.last().sent[0].id });
  assert.equal(heard, 2);
});
