/**
 * A final evening, played later as if one had been there: begin it, play the round that is open, and the place.
 *
 * @import { Evening, VirtualEvening } from "wire"
 */
import { durationWords } from "../language/format.js";
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { shownWords } from "./evening_words.js";
import { beginVirtual, openVirtualDeal, readVirtual } from "./evenings_api.js";
import { confirmAction } from "../ui/dialogs.js";
import { button, element, fill } from "../ui/dom.js";

const POLL_MILLISECONDS = 5000;

/** @param {string} id of the evening @param {Parameters<import("../router.js").Show>[2]} app */
export function makeVirtualPanel(id, app) {
  const words = element("p", { role: "timer" });
  const place = element("p", { class: "lead" });
  const actions = element("p", { class: "actions" });
  const problem = element("p", { class: "problem", role: "alert" });
  const node = element("section", { class: "panel", hidden: true }, element("h2", {}, t("evenings.virtual")), place, words, actions, problem);
  /** @type {VirtualEvening|null} */
  let virtual = null;
  let [offset, asked, drawn, isFinal] = [0, 0, "", false];

  /** @param {() => Promise<unknown>} work */
  const act = (work) => work().catch((refusal) => {
    problem.textContent = refusalWords(refusal);
  });
  const begin = () => act(async () => {
    if (!await confirmAction(t("evenings.virtual_question"), t("evenings.virtual_begin"), t("common.no"))) return;
    await app.ensurePlayer();
    show(await beginVirtual(id));
  });
  const play = () => act(async () => app.go(`/play/${(await openVirtualDeal(id)).game}`));

  /** @param {VirtualEvening} next */
  function show(next) {
    virtual = next;
    offset = next.at - Date.now();
    node.hidden = next.state === "none" && Boolean(next.why);
    place.textContent = placeWords(next);
    tick();
  }

  function tick() {
    const now = Date.now() + offset;
    const rounds = virtual?.rounds ?? [];
    const one = rounds.find((round) => now < round.closes_at);
    const isOpen = one !== undefined && now >= one.opens_at;
    words.textContent = one ? t(isOpen ? "evenings.round_open" : "evenings.round_coming",
      { round: one.round, rounds: rounds[rounds.length - 1].round, time: durationWords((isOpen ? one.closes_at : one.opens_at) - now) }) : "";
    const seen = JSON.stringify([virtual?.state, isOpen && one.round, isOpen && one.own]);
    if (seen !== drawn) {
      drawn = seen;
      fill(actions, (virtual === null || virtual.state === "none") && button(t("evenings.virtual_begin"), begin),
        isOpen && button(t(one.own ? "evenings.go_on" : "evenings.play", { round: one.round }), play, "button primary"));
    }
    if (virtual?.state === "on" && Date.now() - asked > POLL_MILLISECONDS) ask();
  }

  function ask() {
    asked = Date.now();
    readVirtual(id).then(show, () => {});
  }

  const timer = setInterval(tick, 500);
  return {
    node,
    /** @param {Evening} evening */
    show({ state }) {
      if (isFinal || state !== "final") return;
      isFinal = true;
      if (app.player) ask();
      else {
        node.hidden = false;
        tick();
      }
    },
    close: () => clearInterval(timer),
  };
}

/** Where somebody stands, or would have been. @param {VirtualEvening} virtual */
export function placeWords({ state, place, of, shown }) {
  if (place == null) return state === "finished" ? t("evenings.virtual_nothing") : "";
  return t(state === "finished" ? "evenings.virtual_would" : "evenings.virtual_place", { place, of: of ?? place, share: shown ? shownWords(shown) : "" });
}
