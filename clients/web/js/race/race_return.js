/** The way back into a race that is still on, for somebody who lost the page. */
import { readRace } from "../net/api.js";
import { element, fill, link } from "../ui/dom.js";
import { t } from "../language/translate.js";
import { isIn } from "./race_state.js";

const KEY = "cadogan race";

/** Remember the race that one is in. @param {string} race */
export function rememberRace(race) {
  sessionOrNothing((store) => store.setItem(KEY, race));
}

/** Forget it: it is over. */
export function forgetRace() {
  sessionOrNothing((store) => store.removeItem(KEY));
}

/** A place on a page that leads back, if there is a race to lead back to. @param {import("../main.js").App} app */
export function returnToRace(app) {
  const place = element("div", { role: "status", class: "return", hidden: true });
  const race = sessionOrNothing((store) => store.getItem(KEY));
  if (race && app.player) look(place, race, app);
  return place;
}

/** @param {HTMLElement} place @param {string} id @param {import("../main.js").App} app */
async function look(place, id, app) {
  const race = await readRace(id).catch(() => null);
  if (!race || !isIn(race, app.player) || ["over", "abandoned"].includes(race.state)) {
    forgetRace();
    return;
  }
  fill(place, element("p", { class: "panel" }, t(race.state === "open" ? "races.have_place" : "races.is_on"), " ",
    link(`/race/${id}`, t("races.back"), "button primary")));
  place.hidden = false;
}

/** What a browser may keep it may also refuse to keep. @template T @param {(store: Storage) => T} use @returns {T|null} */
function sessionOrNothing(use) {
  try {
    return use(localStorage);
  } catch {
    return null;
  }
}
