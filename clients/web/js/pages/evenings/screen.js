/**
 * The screen for the wall of a room: the code before the start, then the round and the standing, then the next evening. Nobody
 * touches it; it survives a lost network, a restarted server and a night.
 *
 * @import { Evening, EveningStanding } from "wire"
 */
import { followEvening } from "../../evening/evening_feed.js";
import { findNextEvening, mayCome, nobodyWords, shownWords, stateWords, titleWords } from "../../evening/evening_words.js";
import { listEvenings } from "../../evening/evenings_api.js";
import { formatRulesNames } from "../../evening/round_names.js";
import { nameWords, rankWords } from "../../language/format.js";
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { element, fill } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";
import { loadLater } from "../../ui/load_later.js";

/** Rows that fit on a wall; longer standings turn their pages. */
const ROWS = 12;
const TURN_MILLISECONDS = 8000;
/** The picture moves by a few pixels, so that nothing burns in. */
const SHIFTS = 5;
const RETRY_MILLISECONDS = 5000;
/** Once an evening is over, the list of evenings is read this often: the screen goes on to the next one. */
const NEXT_MILLISECONDS = 30000;

/** @type {import("../../router.js").Show} */
export async function show(root, { evening: id }, app) {
  await loadCss("/style/evening.css");
  document.body.classList.add("wall");
  const title = element("h1");
  const words = element("p", { class: "wall-state", role: "timer" });
  const sub = element("p", { class: "wall-round" });
  const body = element("div", { class: "wall-body" });
  const code = element("div", { class: "wall-code" });
  fill(root, element("header", {}, title, words, sub), element("div", { class: "wall-columns" }, body, code));
  /** @type {((slug: string) => string)|null} */
  let nameOf = null;
  /** @type {Evening|null} */
  let evening = null;
  /** @type {EveningStanding|null} */
  let standing = null;
  /** @type {typeof import("../../later.js").pointsWords|null} */
  let pointsWords = null;
  let turn = 0;
  let isClosed = false;

  function goOn() {
    const shown = evening;
    if (!shown || !["final", "void", "provisional"].includes(shown.state)) return;
    listEvenings().then(({ evenings, at }) => {
      const next = findNextEvening(shown, evenings, at);
      if (next && !isClosed) app.go(`/screen/${next.id}`, { replace: true });
    }).catch(() => {});
  }

  function draw() {
    if (!evening || !standing) return;
    const { arena, round, rounds, state } = evening;
    const current = round ? rounds[round - 1] : null;
    title.textContent = titleWords(evening);
    const about = arena ? t("evenings.runs", { playing: arena.playing ?? 0, finished: arena.finished ?? 0 }) : current && state === "round"
      ? t("evenings.wall_round", { game: nameOf?.(current.game) ?? "", playing: current.playing ?? 0, finished: current.finished ?? 0 }) : standing.frozen ? t("evenings.frozen") : "";
    const isFinal = standing.state === "final";
    const rows = standing.fields[0]?.rows.map((row) => ({ ...row, shown: shownWords(row.shown), who: nameWords(row.player), isWinner: row.winner && isFinal }))
      ?? standing.arena?.[0]?.rows.map((row) => ({ place: row.place, who: nameWords(row.player), shown: pointsWords?.(row) ?? "", isWinner: row.place === 1 && isFinal })) ?? [];
    const teams = standing.teams?.map((row) => ({ ...row, shown: shownWords(row.shown), who: row.name, isWinner: row.place === 1 && isFinal })) ?? [];
    const pages = [rows, teams].flatMap((list) => Array.from({ length: Math.ceil(list.length / ROWS) }, (_, page) => list.slice(page * ROWS, page * ROWS + ROWS)));
    const page = turn % pages.length;
    const who = rows.length && teams.length ? t(page * ROWS < rows.length ? "evenings.field_people" : "evenings.teams") : "";
    sub.textContent = [about, who].filter(Boolean).join(" · ");
    fill(body, pages.length
      ? element("ol", { class: "wall-rows" }, pages[page].map((row) => element("li", { class: row.isWinner ? "winner" : "" },
        element("span", { class: "rank" }, rankWords(row.place)), element("span", { class: "who" }, row.who), element("strong", {}, row.shown))))
      : makeNames(evening));
  }

  /** @param {Evening} next @param {EveningStanding} nextStanding */
  function take(next, nextStanding) {
    if (evening?.id !== next.id) {
      if (next.arena) readPoints();
      app.title(next.title);
      fill(code, element("img", { class: "qr", src: `/evenings/${id}/code.svg`, alt: t("evenings.qr", { code: next.code }), width: 320, height: 320 }),
        element("p", { class: "code" }, next.code), element("p", { class: "address" }, location.host, element("wbr", {}), `/e/${next.code}`));
    }
    evening = next;
    standing = nextStanding;
    code.hidden = !mayCome(next);
    root.classList.remove("lost");
    tick();
    draw();
  }
  const tick = () => {
    if (evening) words.textContent = stateWords(evening, feed.now());
  };
  const feed = followEvening(id, take, {
    lost: (error) => {
      root.classList.add("lost");
      if (!evening) words.textContent = refusalWords(error);
    },
  });
  feed.ask();
  const readNames = () => {
    formatRulesNames().then((found) => {
      nameOf = found;
      draw();
    }).catch(() => setTimeout(readNames, RETRY_MILLISECONDS));
  };
  const readPoints = () => {
    loadLater().then((later) => {
      ({ pointsWords } = later);
      draw();
    }).catch(() => setTimeout(readPoints, RETRY_MILLISECONDS));
  };
  readNames();
  const timers = [setInterval(tick, 500), setInterval(() => {
    turn += 1;
    root.dataset.shift = String(turn % SHIFTS);
    draw();
  }, TURN_MILLISECONDS), setInterval(goOn, NEXT_MILLISECONDS)];
  /** @type {{release: () => Promise<void>}|null} */
  let lock = null;
  /** The browser releases the lock whenever the page is hidden. */
  const stayAwake = () => {
    if (document.visibilityState !== "visible") return;
    navigator.wakeLock?.request("screen").then((got) => {
      if (isClosed) got.release();
      else lock = got;
    }).catch(() => {});
  };
  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();
  return () => {
    isClosed = true;
    document.body.classList.remove("wall");
    document.removeEventListener("visibilitychange", stayAwake);
    timers.forEach((timer) => clearInterval(timer));
    feed.close();
    lock?.release();
  };
}

/** Who is in, or that nobody is. @param {Evening} evening */
function makeNames(evening) {
  const inside = evening.entrants.filter(({ left }) => !left);
  return inside.length ? element("ul", { class: "wall-names" }, inside.map(({ player }) => element("li", {}, nameWords(player))))
    : element("p", { class: "wall-nobody" }, nobodyWords(evening));
}
