/** The band above the table of an evening's deal: which round it is, and how long it stays open. It is part of `later.js`. */
import { durationWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { openDeal, readEvening, readVirtual } from "./evenings_api.js";
import { element, link } from "../ui/dom.js";

const READ_MILLISECONDS = 15000;

/** The evening and the round of a game, from what it is played for. @param {string} about */
export function readAbout(about) {
  const [id, round] = about.split("/");
  return { id, round: Number(round) };
}

/**
 * `findNextDeal` finds what opens the next deal: of an arena, as long as the player may go on; of any other evening nothing does.
 * @param {string} about @param {"evening" | "virtual"} competition @param {import("../main.js").App} app
 */
export function makeEveningBand(about, competition, app) {
  const { id, round } = readAbout(about);
  const words = element("span", { class: "time-left", role: "timer" });
  const node = element("section", { class: "band evening-band", "aria-label": t("evenings.evening") }, words, link(`/evenings/${id}`, t("evenings.back")));
  let closesAt = 0;
  /** @type {import("wire").Arena|undefined} */
  let arena;
  let offset = 0;
  const tick = () => {
    const left = closesAt - Date.now() - offset;
    words.textContent = !closesAt ? "" : left > 0 ? t(arena ? "evenings.arena_open" : "evenings.left", { round, time: durationWords(left) }) : t("evenings.is_closed", { round });
  };
  const read = () => (competition === "virtual" ? readVirtual(id) : readEvening(id)).then((evening) => {
    const { rounds = [], at } = evening;
    arena = "arena" in evening ? evening.arena : undefined;
    closesAt = (arena ?? rounds.find((one) => one.round === round))?.closes_at ?? 0;
    offset = at - Date.now();
    tick();
  }).catch(() => {});
  const timers = [setInterval(tick, 500), setInterval(read, READ_MILLISECONDS)];
  read();
  const openNext = async () => app.go(`/play/${(await openDeal(id)).game}`);
  const findNextDeal = async () => {
    if (competition === "virtual") return undefined;
    const evening = await readEvening(id);
    return evening.arena && evening.may_play ? openNext : undefined;
  };
  return { node, findNextDeal, close: () => timers.forEach((timer) => clearInterval(timer)) };
}
