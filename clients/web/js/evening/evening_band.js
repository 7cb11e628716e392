/** The band above the table of an evening's deal: which round it is, and how long it stays open. */
import { durationWords } from "../language/format.js";
import { t } from "../language/translate.js";
import { readEvening, readVirtual } from "./evenings_api.js";
import { element, link } from "../ui/dom.js";

const READ_MILLISECONDS = 15000;

/** The evening and the round of a game, from what it is played for. @param {string} about */
export function readAbout(about) {
  const [id, round] = about.split("/");
  return { id, round: Number(round) };
}

/** @param {string} about @param {"evening" | "virtual"} competition */
export function makeEveningBand(about, competition) {
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
  return { node, close: () => timers.forEach((timer) => clearInterval(timer)) };
}
