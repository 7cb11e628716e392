/** A game of one's own, alone or against the recorded pace of another run. */
import { readGame } from "../api.js";
import { element, link } from "../dom.js";
import { showEnding } from "../ending.js";
import { makeGhost } from "../ghost.js";
import { takeSeat } from "../seat.js";

/** @param {HTMLElement} root */
export async function show(root, { game }, app) {
  const view = await readGame(game);
  if (view.game.race || view.sight !== "seat") {
    app.go(view.game.race ? `/race/${view.game.race}` : `/watch/${game}`, { replace: true });
    return undefined;
  }
  const raced = new URLSearchParams(location.search).get("ghost");
  const ghost = raced ? await makeGhost(raced).catch(() => null) : null;
  let ending = null;
  const seat = await takeSeat(root, view, app, {
    title: heading(view.game),
    band: ghost?.node,
    warning: "Resign this game? Its result then stands.",
    changed: (session) => ghost?.show(session),
    ended(session) {
      ending = showEnding(session, app);
    },
  });
  return () => {
    seat.close();
    ghost?.close();
    ending?.close();
  };
}

function heading(game) {
  const words = { daily: game.ranked ? "Challenge" : "Challenge, unranked", practice: "Practice" }[game.mode];
  return game.day ? link(`/daily/${game.day}`, words, "eyebrow") : element("span", { class: "eyebrow" }, "Patience");
}
