import assert from "node:assert/strict";
import { test } from "node:test";

import { Connection } from "../../../clients/web/js/net/connection.js";

/** A network in memory. A test opens sockets, sends messages to them, closes them, and runs timers. */
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
    open() {
      last().readyState = 1;
      last().onopen();
    },
    close() {
      last().readyState = 3;
      last().onclose();
    },
    receive: (message) => last().onmessage({ data: JSON.stringify(message) }),
    runLastTimer() {
      const [[timer, { run, delay }]] = [...timers].slice(-1);
      timers.delete(timer);
      run();
      return delay;
    },
  };
}

const kinds = (socket) => socket.sent.map(({ type }) => type);
const makeSubscriber = (version = 0) => ({ received: [], version: () => version, receive(message) { this.received.push(message); } });

test("a subscription is sent when the socket opens", () => {
  const net = network();
  net.connection.subscribe("g", makeSubscriber());
  net.open();
  assert.deepEqual(net.last().sent, [{ type: "subscribe", id: "t-1", game: "g" }]);
});

test("after a break the subscription asks for everything since the last version", () => {
  const net = network();
  net.connection.subscribe("g", makeSubscriber(7));
  net.open();
  net.close();
  net.runLastTimer();
  net.open();
  assert.equal(net.sockets.length, 2);
  assert.equal(net.last().sent[0].since, 7);
});

test("an unanswered command is sent again with the same id", () => {
  const net = network();
  net.connection.command({ type: "play", game: "g", version: 1, move: "deal" });
  net.open();
  net.close();
  net.runLastTimer();
  net.open();
  assert.deepEqual(net.sockets[0].sent, net.sockets[1].sent);
});

test("a command given without a connection is sent as soon as there is one", () => {
  const net = network();
  net.connection.start();
  net.connection.command({ type: "resign", game: "g", version: 1 });
  assert.deepEqual(net.last().sent, []);
  net.open();
  assert.deepEqual(kinds(net.last()), ["resign"]);
});

test("an answered command is not sent again", async () => {
  const net = network();
  const answer = net.connection.command({ type: "play", game: "g", version: 1, move: "deal" });
  net.open();
  net.receive({ type: "move_played", game: "g", version: 2, command: "t-1" });
  assert.equal((await answer).version, 2);
  net.close();
  net.runLastTimer();
  net.open();
  assert.deepEqual(net.last().sent, []);
});

test("a refusal reaches the caller of the command", async () => {
  const net = network();
  const answer = net.connection.command({ type: "play", game: "g", version: 1, move: "deal" });
  net.open();
  net.receive({ type: "refused", id: "t-1", code: "illegal_move", message: "No." });
  await assert.rejects(answer, { code: "illegal_move", message: "No." });
});

test("a command that the server could not write is sent again with the same id, at the time it asked for", async () => {
  const net = network();
  const answer = net.connection.command({ type: "play", move: "deal" });
  net.open();
  net.receive({ type: "refused", id: "t-1", code: "unavailable", message: "not now", retry_after: 2 });
  assert.equal(net.runLastTimer(), 2000);
  assert.deepEqual(net.last().sent.map(({ id }) => id), ["t-1", "t-1"]);
  net.receive({ type: "move_played", command: "t-1", game: "g", version: 2 });
  assert.equal((await answer).version, 2);
});

test("messages reach only the subscribers of their game", () => {
  const net = network();
  const [one, other] = [makeSubscriber(), makeSubscriber()];
  net.connection.subscribe("g", one);
  net.connection.subscribe("h", other);
  net.open();
  net.receive({ type: "view", game: { id: "g" }, version: 3 });
  net.receive({ type: "advanced", game: "g", version: 4 });
  assert.deepEqual([one.received.length, other.received.length], [2, 0]);
});

test("each failure waits longer, and any message from the server ends this", () => {
  const net = network();
  net.connection.start();
  const delays = [];
  for (let turn = 0; turn < 3; turn += 1) {
    net.close();
    delays.push(net.runLastTimer());
  }
  net.open();
  net.close();
  delays.push(net.runLastTimer());
  net.open();
  net.receive({ type: "pong", id: "t-1", at: 0 });
  net.close();
  delays.push(net.runLastTimer());
  assert.deepEqual(delays, [500, 1000, 2000, 4000, 500]);
});

test("clients reconnect at random moments of the first second", () => {
  const delays = [0, 0.25, 0.999].map((chance) => {
    const net = network({ random: () => chance });
    net.connection.start();
    net.close();
    return net.runLastTimer();
  });
  assert.deepEqual(delays, [0, 250, 999]);
});

test("missed messages are requested with the sight that the subscriber had", () => {
  const net = network();
  net.connection.subscribe("g", { ...makeSubscriber(7), sight: () => "board" });
  net.connection.subscribe("g", { ...makeSubscriber(9), sight: () => "meter" });
  net.open();
  assert.deepEqual(net.last().sent, [{ type: "subscribe", id: "t-1", game: "g", since: 7, sight: "board" }]);
});

test("no answer to a ping closes the connection", () => {
  const net = network();
  net.connection.start();
  net.open();
  net.runLastTimer();
  assert.deepEqual(kinds(net.last()), ["ping"]);
  net.runLastTimer();
  net.runLastTimer();
  assert.equal(net.sockets.length, 2);
});

test("a day is watched again after a break", () => {
  const net = network();
  const received = [];
  net.connection.watchDay("2026-11-20", (games, { state }) => received.push(...games, state));
  net.open();
  net.receive({ type: "day_progress", day: "2026-11-20", games: [{ game: "g" }], state: "open" });
  net.close();
  net.runLastTimer();
  net.open();
  assert.deepEqual(kinds(net.last()), ["watch_day"]);
  assert.deepEqual(received, [{ game: "g" }, "open"]);
});

test("days, leaderboards and races are watched again after a break, and each receives its own messages", () => {
  const net = network();
  const received = [];
  net.connection.watchRace("r", (race) => received.push(race.state));
  net.connection.watchLeaderboard("all", () => received.push("all"));
  net.open();
  net.close();
  net.runLastTimer();
  net.open();
  assert.deepEqual(kinds(net.last()), ["watch_race", "watch_board"]);
  net.receive({ type: "race", race: "r", state: "running" });
  net.receive({ type: "race", race: "another", state: "over" });
  net.receive({ type: "board_changed", board: "all", total: 3 });
  net.receive({ type: "board_changed", board: "another", total: 3 });
  assert.deepEqual(received, ["running", "all"]);
});

test("a leaderboard may have changed before it is watched, the first time and after a break", () => {
  const net = network();
  let received = 0;
  net.connection.watchLeaderboard("all", () => { received += 1; });
  net.open();
  assert.equal(received, 0);
  net.receive({ type: "done", id: net.last().sent[0].id });
  net.receive({ type: "done", id: net.last().sent[0].id });
  assert.equal(received, 1);
  net.close();
  net.runLastTimer();
  net.open();
  net.receive({ type: "done", id: net.last().sent[0].id });
  assert.equal(received, 2);
});

test("the analysis of a game is watched, again after a break, until the page is left", () => {
  const net = network();
  const seen = [];
  const stop = net.connection.watchAnalysis("g", ({ nodes }) => seen.push(nodes));
  net.open();
  net.receive({ type: "analysis_changed", id: "t-1", analysis: { game: "g", nodes: 0 } });
  net.close();
  net.runLastTimer();
  net.open();
  assert.deepEqual(net.last().sent, [{ type: "watch_analysis", id: "t-2", game: "g" }]);
  net.receive({ type: "analysis_changed", analysis: { game: "g", nodes: 700 } });
  net.receive({ type: "analysis_changed", analysis: { game: "other", nodes: 1 } });
  assert.deepEqual(seen, [0, 700]);
  stop();
  assert.deepEqual(net.last().sent.at(-1), { type: "unwatch_analysis", id: "t-3", game: "g" });
});

test("the first answer about a position goes to who has asked, a later verdict to who listens, and neither to the game", async () => {
  const net = network();
  const [subscriber, later] = [makeSubscriber(2), []];
  net.connection.subscribe("g", subscriber);
  net.connection.onVerdict("g", (message) => later.push(message.verdict));
  net.open();
  const asked = net.connection.command({ type: "ask_if_winnable", game: "g", version: 2 });
  net.receive({ type: "winnability", id: net.last().sent.at(-1).id, game: "g", version: 2, ahead: 1 });
  net.receive({ type: "winnability", game: "g", version: 2, verdict: "lost" });
  assert.equal((await asked).ahead, 1);
  assert.deepEqual([later, subscriber.received], [["lost"], []]);
});

test("a handshake that hangs is given up after ten seconds and tried again", () => {
  const net = network();
  net.connection.start();
  assert.equal(net.runLastTimer(), 10_000);
  assert.equal(net.runLastTimer(), 500);
  assert.equal(net.sockets.length, 2);
  net.sockets[0].onopen?.();
  assert.deepEqual(net.sockets[0].sent, []);
});

test("a command without an answer is told after two seconds, tested, and sent again with the same id over a new connection", async () => {
  const net = network();
  const told = [];
  net.connection.onLateAnswer((isLate) => told.push(isLate));
  net.connection.start();
  net.open();
  const answer = net.connection.command({ type: "play", game: "g", version: 1, move: "deal" });
  assert.equal(net.runLastTimer(), 2000);
  assert.deepEqual([told, kinds(net.last())], [[true], ["play", "ping"]]);
  assert.equal(net.runLastTimer(), 4000);
  assert.deepEqual(told, [true, false]);
  net.runLastTimer();
  net.open();
  assert.deepEqual(net.sockets[1].sent, net.sockets[0].sent.slice(0, 1));
  net.receive({ type: "move_played", game: "g", version: 2, command: "t-1" });
  assert.equal((await answer).version, 2);
});

test("an answer that comes late ends the notice", () => {
  const net = network();
  const told = [];
  net.connection.onLateAnswer((isLate) => told.push(isLate));
  net.connection.start();
  net.open();
  net.connection.command({ type: "play", game: "g", version: 1, move: "deal" });
  net.runLastTimer();
  net.receive({ type: "pong", id: "t-2", at: 0 });
  assert.deepEqual(told, [true]);
  net.receive({ type: "move_played", game: "g", version: 2, command: "t-1" });
  assert.deepEqual(told, [true, false]);
});

test("a device that has lost its network has no connection at once, and one that has it again does not wait", () => {
  const net = network();
  const told = [];
  net.connection.onStateChange((isOpen) => told.push(isOpen));
  net.connection.start();
  net.open();
  net.connection.lose();
  assert.deepEqual(told, [true, false]);
  net.connection.check();
  assert.equal(net.runLastTimer(), 0);
  assert.equal(net.sockets.length, 2);
});

test("an open connection is tested when the device wakes up, and replaced after four seconds of silence", () => {
  const net = network();
  net.connection.start();
  net.open();
  net.connection.check();
  assert.deepEqual(kinds(net.last()), ["ping"]);
  assert.equal(net.runLastTimer(), 4000);
  net.runLastTimer();
  assert.equal(net.sockets.length, 2);
});
