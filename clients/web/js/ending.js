/** The panel when a game is over: how it ended, and where to go from here. */
import { readDaily, recordAddress } from "./api.js";
import { boardAddress } from "./boards.js";
import { button, element, fill, link } from "./dom.js";
import { showShare } from "./share.js";
import { duration, momentWords } from "./words.js";

const RESULTS = {
  won: ["Won", "The patience has come out."],
  lost: ["Lost", "No move was left."],
  resigned: ["Resigned", "The cards are laid down."],
  out_of_time: ["Time is up", "The race is over."],
};

/**
 * @param {import("./session.js").Session} session
 * @param {object} app
 * @returns {HTMLDialogElement} shown already
 */
export function showEnding(session, app) {
  const [word, sentence] = RESULTS[session.status] ?? [session.status, ""];
  const { game } = session;
  const record = element("p", { class: "fine" });
  const dialog = element("dialog", { class: `panel ending ${session.status}`, "aria-labelledby": "ending-title" },
    element("p", { class: "eyebrow" }, sentence),
    element("h2", { id: "ending-title" }, word),
    element("dl", { class: "stats" }, figures(session)),
    element("p", { class: "actions" },
      game.ranked && link(boardAddress(`deal:${game.deal}`), "Board", "button primary"),
      game.day && link(`/daily/${game.day}`, "The day’s deals", game.ranked ? "button" : "button primary"),
      link(`/replay/${game.id}`, "Replay", game.day ? "button" : "button primary"),
      game.mode === "daily" && button("Share", () => showShare(game.day)),
      !game.day && link(`/games/${game.rules}`, "Another deal", "button"),
      button("Look at the table", () => dialog.close())),
    record);
  document.body.append(dialog);
  dialog.addEventListener("click", (event) => event.target.closest("a") && dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
  fillRecord(record, game, app);
  return dialog;
}

function figures(session) {
  const words = { Score: session.score, "Cards home": session.home, Moves: session.played, Time: duration(session.milliseconds ?? 0) };
  if (session.active !== null) words.Active = duration(session.active);
  return Object.entries(words).map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)));
}

async function fillRecord(place, game) {
  const closes = game.day ? (await readDaily(game.day).catch(() => null)) : null;
  if (closes && closes.state !== "closed") {
    fill(place, document.createTextNode(`The record can be downloaded and checked once the day closes, ${momentWords(closes.closes_at)}.`));
  } else {
    fill(place, recordLink(game.id));
  }
}

/** The download of a game's record. @param {string} game */
export function recordLink(game) {
  return element("a", { href: recordAddress(game), download: `${game}.json` }, "Download the record");
}
