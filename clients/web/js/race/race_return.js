/** The link back into a race that is still on, for somebody who has left its page. */
import { t } from "../language/translate.js";
import { readRace } from "../net/api.js";
import { element, fill, link } from "../ui/dom.js";
import { isInRace } from "./race_state.js";

const STORAGE_KEY = "cadogan race";

/** Remember the race that the player is in. @param {string} race */
export function rememberRace(race) {
  useStorage((store) => store.setItem(STORAGE_KEY, race));
}

/** Forget the race, because it is over. */
export function forgetRace() {
  useStorage((store) => store.removeItem(STORAGE_KEY));
}

/**
 * An element with the link back to the race. It stays hidden if there is no race to go back to.
 * @param {import("../main.js").App} app
 */
export function makeReturnLink(app) {
  const place = element("div", { role: "status", class: "return", hidden: true });
  const race = useStorage((store) => store.getItem(STORAGE_KEY));
  if (race && app.player) showIfRaceIsOn(place, race, app);
  return place;
}

/** @param {HTMLElement} place @param {string} id @param {import("../main.js").App} app */
async function showIfRaceIsOn(place, id, app) {
  const race = await readRace(id).catch(() => null);
  if (!race || !isInRace(race, app.player) || ["over", "abandoned"].includes(race.state)) {
    forgetRace();
    return;
  }
  fill(place, element("p", { class: "panel" }, t(race.state === "open" ? "races.have_place" : "races.is_on"), " ",
    link(`/race/${id}`, t("races.back"), "button primary")));
  place.hidden = false;
}

/**
 * Use the browser's storage, which the browser may refuse: then the answer is null.
 * @template T
 * @param {(store: Storage) => T} use
 * @returns {T|null}
 */
function useStorage(use) {
  try {
    return use(localStorage);
  } catch {
    return null;
  }
}
