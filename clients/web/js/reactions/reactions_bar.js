/**
 * Signs: set phrases and pictures beside a race and at the end of a game, with the last one of each player.
 *
 * @import { Player, Sign } from "wire"
 * @typedef {Sign["sign"]} SignCode
 * @typedef {"game"|"race"} Kind
 */
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { giveSign, readSigns } from "../net/chat_api.js";
import { button, element, fill, keepFocus } from "../ui/dom.js";
import { playerName } from "../ui/player_name.js";

/** @type {SignCode[]} */
const PHRASES = ["hello", "good_luck", "well_played", "so_close", "thanks", "again"];
/** @type {SignCode[]} */
const PICTURES = ["star", "smile", "wow"];
/** From this part of the way on a run that was not won was close. */
const CLOSE = 0.8;

/**
 * The phrases at the end of one's own run, of somebody else's, and of a race: "So close!" only where it was close.
 * @param {"own"|"other"|"race"} what
 * @param {{won?: boolean, reached: number, goal: number}} end how far a run came of how far it could; in a race the second, of how far the first came
 * @returns {SignCode[]}
 */
export function phrasesAtEnd(what, { won = false, reached, goal }) {
  /** @type {SignCode[]} */
  const close = !won && goal > 0 && reached >= CLOSE * goal ? ["so_close"] : [];
  if (what === "own") return [...close, "thanks"];
  return what === "other" ? ["well_played", ...close] : ["well_played", ...close, "thanks", "again"];
}

/**
 * @param {Kind} kind
 * @param {string} id of the game or the race
 * @param {{player: Player|null, connection: import("../net/connection.js").Connection, mayGive: boolean, phrases?: SignCode[]}} about
 * @returns {{panel: HTMLElement, close: () => void}}
 */
export function makeSignsBar(kind, id, { player, connection, mayGive, phrases = PHRASES }) {
  const problem = element("p", { class: "problem", role: "alert" });
  const given = element("ul", { class: "signs", "aria-label": t("signs.title"), "aria-live": "polite" });
  const bar = element("div", { class: "signs-bar", role: "group", "aria-label": t("signs.say") });
  const panel = element("div", { class: "signs-panel" }, given, bar, problem);

  /** @param {Sign[]} signs */
  const show = (signs) => fill(given, signs.map(({ by, sign }) => element("li", {}, playerName(by, { own: by.id === player?.id }), " ", words(sign))));
  /** @param {SignCode} sign */
  const give = async (sign) => {
    problem.textContent = "";
    try {
      show((await giveSign(kind, id, sign)).signs);
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  };
  if (player && mayGive) {
    keepFocus(bar, () => fill(bar, [...phrases, ...PICTURES].map((sign) => {
      const made = button(t(`signs.${sign}`), () => give(sign), "quiet");
      if (PICTURES.includes(sign)) made.setAttribute("aria-label", t(`signs.${sign}_label`));
      return made;
    })));
  }
  // What is shown meanwhile is newer than this answer; and who may see none is shown none.
  if (player) readSigns(kind, id).then(({ signs }) => given.firstChild || show(signs)).catch(() => {});
  return { panel, close: connection.onSigns(`${kind}/${id}`, ({ signs }) => show(signs)) };
}

/** @param {SignCode} sign */
function words(sign) {
  return PICTURES.includes(sign) ? element("span", { role: "img", "aria-label": t(`signs.${sign}_label`) }, t(`signs.${sign}`)) : element("span", {}, t(`signs.${sign}`));
}
