/** The band above the table of an evening's deal: which round it is, and how long it stays open. It is part of `later.js`. */
import { t } from "../language/translate.js";
import { bandWords, tableWords } from "./evening_words.js";
import { openDeal, readEvening, readVirtual } from "./evenings_api.js";
import { element, link } from "../ui/dom.js";

const READ_MILLISECONDS = 15000;
/** How often it is read once the round is over: the next one opens soon. */
const DUE_MILLISECONDS = 3000;

/** The evening and the round of a game, from what it is played for. @param {string} about */
export function readAbout(about) {
  const [id, round] = about.split("/");
  return { id, round: Number(round) };
}

/**
 * `title` leads back to the evening, under its name; that of a match is the other player's. `findNextDeal` finds what opens the next
 * deal: of an arena, as long as the player may go on; of any other evening nothing does.
 * @param {string} about @param {"evening" | "virtual"} competition @param {import("../main.js").App} app
 */
export function makeEveningBand(about, competition, app) {
  const { id, round } = readAbout(about);
  const words = element("span", { class: "time-left", role: "timer" });
  const title = link(`/evenings/${id}`, "", "eyebrow");
  const node = element("section", { class: "band evening-band", "aria-label": t("evenings.evening") }, words, link(`/evenings/${id}`, t("evenings.back")));
  let show = () => {};
  let timer = 0;
  let isGone = false;
  const read = async () => {
    let wait = READ_MILLISECONDS;
    try {
      const evening = competition === "virtual" ? { ...await readVirtual(id), round } : await readEvening(id);
      const offset = evening.at - Date.now();
      if ("title" in evening) title.textContent = tableWords(evening, app.player?.id);
      const closesAt = (("arena" in evening && evening.arena) || evening.rounds?.[round - 1])?.closes_at ?? 0;
      show = () => {
        words.textContent = bandWords(/** @type {import("wire").Evening} */ (evening), round, Date.now() + offset);
      };
      show();
      if (closesAt > evening.at) wait = Math.min(wait, closesAt - evening.at + DUE_MILLISECONDS);
      else if (["round", "pause"].includes(evening.state)) wait = DUE_MILLISECONDS;
    } catch {}
    title.textContent ||= t("evenings.evening");
    if (!isGone) timer = setTimeout(read, wait);
  };
  const ticking = setInterval(() => show(), 500);
  read();
  const openNext = async () => app.go(`/play/${(await openDeal(id)).game}`);
  const findNextDeal = async () => {
    if (competition === "virtual") return undefined;
    const evening = await readEvening(id);
    return evening.arena && evening.may_play ? openNext : undefined;
  };
  const close = () => {
    isGone = true;
    clearTimeout(timer);
    clearInterval(ticking);
  };
  return { node, title, findNextDeal, close };
}
