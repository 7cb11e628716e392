/**
 * One evening: enter, play the open round, and the standing.
 *
 * @import { Evening, EveningRound, EveningStanding } from "wire"
 */
import { followEvening } from "../../evening/evening_feed.js";
import { mayCome, stateWords, titleWords } from "../../evening/evening_words.js";
import { formatRulesNames } from "../../evening/round_names.js";
import { momentWords } from "../../language/format.js";
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { enterEvening, leaveEvening, openDeal, readArenaSheet, readEvening, readRound, readStanding } from "../../evening/evenings_api.js";
import { copyButton } from "../../ui/copy_button.js";
import { confirmAction } from "../../ui/dialogs.js";
import { button, element, fill, keepFocus, link, oneAtATime } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";
import { loadLater } from "../../ui/load_later.js";

/** @type {import("../../router.js").Show} */
export async function show(root, { evening: id }, app) {
  await loadCss("/style/evening.css");
  const [first, standingNow, nameOf, later] = await Promise.all([readEvening(id), readStanding(id), formatRulesNames(), loadLater()]);
  app.title(titleWords(first));
  const words = element("p", { class: "lead evening-state", role: "timer" });
  const problem = element("p", { class: "problem", role: "alert" });
  const actions = element("p", { class: "actions" });
  const [table, rounds, people] = ["evenings.standing", first.arena ? "bar.games" : "evenings.rounds_title", "evenings.entrants"]
    .map((title) => makeSection(t(title)));
  const title = element("h1", {}, titleWords(first));
  const repeats = element("div");
  const leader = later.makeLeaderPanel(() => feed.ask());
  const objections = later.makeObjectionsPanel(() => feed.ask());
  const virtual = later.makeVirtualPanel(id, app);
  const invitation = makeCodePanel(first);
  fill(root, element("header", { class: "heading" }, element("p", { class: "eyebrow" }, link("/evenings", t("evenings.evenings"))), title, words, repeats, actions, problem),
    virtual.node, table.node, element("div", { class: "pair" }, rounds.node, invitation, people.node), objections.node, leader.node);
  let evening = first;
  let drawn = "";

  /** @param {() => Promise<unknown>} work */
  const act = (work) => work().catch((refusal) => {
    problem.textContent = refusalWords(refusal);
  });
  const play = () => act(async () => {
    await app.ensurePlayer();
    const { game } = await openDeal(id);
    app.go(`/play/${game}`);
  });
  const entersByCode = () => !app.player || app.player.guest || Boolean(evening.teams);
  const enter = () => act(async () => {
    if (entersByCode()) app.go(`/e/${evening.code}`);
    else show_(await enterEvening(id), await readStanding(id));
  });
  const leave = () => act(async () => {
    if ((evening.match && !evening.rounds.some(isBegun)) || await confirmAction(t("evenings.leave_question"), t("evenings.leave"), t("common.no"))) show_(await leaveEvening(id), await readStanding(id));
  });

  function drawActions() {
    const { arena, state, round, rounds: all } = evening;
    const own = round ? all[round - 1] : null;
    const rival = ["provisional", "final"].includes(state) && later.findRival(evening, app.player);
    const isPlaying = state === "round" && evening.may_play;
    const enters = (app.player ? evening.may_enter : mayCome(evening) && state !== "announced" && evening.entry !== "group") && !evening.is_entered && (!isPlaying || Boolean(own?.own_result) || entersByCode());
    fill(actions, isPlaying && own?.own_result && element("span", {}, t("evenings.own_ended")),
      isPlaying && !enters && !own?.own_result && button(arena ? t("evenings.arena_play", { number: arena.next ?? 0 }) : t(own?.own ? "evenings.go_on" : "evenings.play", { round: round ?? 0 }), play, "button primary large"),
      enters && button(t(evening.match?.waits ? "matches.accept" : "evenings.enter"), enter, "button primary large"),
      evening.is_entered && !["provisional", "final", "void"].includes(state) && button(t(evening.match && !evening.rounds.some(isBegun) ? "matches.withdraw" : "evenings.leave"), leave, "quiet"),
      evening.match?.waits && evening.match.opponent && evening.match.opponent.id === app.player?.id && button(t("matches.decline"), leave, "quiet"),
      rival && button(t("matches.again"), oneAtATime(() => act(async () => app.go(`/evenings/${(await later.challengeAgain(evening, rival)).id}`))), "button primary"),
      ["provisional", "final"].includes(state) && element("a", { class: "button", href: `/api/v1/evenings/${id}/form`, download: `evening-${id}.json` }, t("evenings.download")),
      ["provisional", "final"].includes(state) && element("a", { class: "button", href: `/evenings/${id}/standing.csv`, download: `evening-${id}.csv` }, t("evenings.table")),
      evening.teams && ["provisional", "final"].includes(state) && element("a", { class: "button", href: `/evenings/${id}/teams.csv`, download: `evening-${id}-teams.csv` }, t("evenings.team_table")),
      state === "final" && link(`/evenings/${id}/print`, t("evenings.certificates"), "button"));
  }

  /** @param {Evening} next @param {EveningStanding} standing */
  function show_(next, standing) {
    evening = next;
    title.textContent = titleWords(evening);
    words.textContent = stateWords(evening, feed.now(), app.player?.id);
    leader.show(evening, standing.frozen ?? false);
    objections.show(evening);
    virtual.show(evening);
    const seen = JSON.stringify([evening.version, evening.series, evening.rounds, evening.arena, standing.arena, standing.corrected_arena, evening.is_entered, evening.may_play, evening.entrants, standing.state, standing.fields, standing.corrected, standing.form]);
    if (seen === drawn) return;
    drawn = seen;
    keepFocus(root, () => {
      drawActions();
      fill(repeats, later.makeSeriesLine(evening));
      invitation.hidden = !mayCome(evening);
      fill(table.body, evening.arena ? later.makeArenaStanding(standing, app.player, (player) => readArenaSheet(id, player))
        : later.makeStanding(standing, app.player, (round) => readRound(id, round)));
      fill(rounds.body, evening.arena ? later.makeArenaSummary(evening.arena, nameOf)
        : element("ol", { class: "rows rounds" }, evening.rounds.map((one) => makeRound(one, nameOf, !(evening.match?.waits && evening.match.at_once)))));
      fill(people.body, later.makeEntrants(evening, app.player?.id, (after) => show_(after, standing)));
    });
  }

  const feed = followEvening(id, show_);
  show_(first, standingNow);
  feed.ask();
  const timer = setInterval(() => {
    words.textContent = stateWords(evening, feed.now(), app.player?.id);
  }, 500);
  return () => {
    clearInterval(timer);
    virtual.close();
    feed.close();
  };
}

/** @param {EveningRound} round */
const isBegun = ({ state }) => state !== "coming";

/** @param {string} title */
function makeSection(title) {
  const body = element("div");
  return { body, node: element("section", { class: "panel" }, element("h2", {}, title), body) };
}

/** @param {EveningRound} round @param {(slug: string) => string} nameOf @param {boolean} isTimed whether it is known when it opens */
function makeRound(round, nameOf, isTimed) {
  const begun = t(round.state === "closed" ? "evenings.runs_over" : "evenings.runs", { playing: round.playing ?? 0, finished: round.finished ?? 0 });
  const coming = isTimed ? momentWords(round.opens_at) : t("time.minutes", { minutes: (round.closes_at - round.opens_at) / 60_000 });
  const count = round.state === "coming" ? coming : begun;
  return element("li", { class: round.state === "open" ? "now" : "" }, element("span", {}, link(`/games/${round.game}`, nameOf(round.game)),
    round.stage === "final" ? ` (${t("evenings.the_final")})` : "",
    round.seal && element("span", { class: "certified", title: t("deals.certified"), role: "img", "aria-label": t("deals.certified") }, " ✓")),
  element("span", { class: "fine" }, round.void ? t("evenings.round_is_void") : count,
    round.own && round.state === "closed" && [" · ", link(`/replay/${round.own}`, t("evenings.replay"))]));
}

/** @param {Evening} evening */
function makeCodePanel({ id, code }) {
  return element("section", { class: "panel code-panel" }, element("h2", {}, t("evenings.invite")),
    element("img", { class: "qr", src: `/evenings/${id}/code.svg`, alt: t("evenings.qr", { code }), width: 180, height: 180 }),
    element("p", { class: "code" }, code), element("p", { class: "actions" }, copyButton(t("evenings.copy_link"), `${location.origin}/e/${code}`),
      link(`/screen/${id}`, t("evenings.screen"), "button"), link(`/evenings/${id}/print`, t("evenings.notice"), "button")));
}
