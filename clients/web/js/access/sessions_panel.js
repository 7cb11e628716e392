/**
 * Where the reader is signed in, by device.
 *
 * @import { OwnSession } from "wire"
 */
import { refusalWords } from "../language/refusals.js";
import { formatDate, t } from "../language/translate.js";
import { endOtherSessions, endSession, listSessions } from "../net/account_api.js";
import { button, element, fill, keepFocus } from "../ui/dom.js";

/** How a session is called: "Firefox on Android". @param {OwnSession} session */
export function deviceWords({ browser, system }) {
  if (browser && system) return t("account.session_on", { browser, system });
  return browser ?? system ?? t("account.session_program");
}

export async function makeSessionsPanel() {
  const problem = element("p", { class: "problem", role: "alert" });
  const said = element("p", { role: "status", class: "told" });
  const rows = element("div");
  /** @param {() => Promise<OwnSession[]>} work @param {string} [words] what is said afterwards */
  const attempt = async (work, words = "") => {
    problem.textContent = "";
    said.textContent = "";
    try {
      const sessions = await work();
      keepFocus(panel, () => fill(rows, element("ul", { class: "rows" }, sessions.map(row)),
        sessions.length > 1 && element("p", { class: "actions" },
          button(t("account.session_others"), () => attempt(endOtherSessions, t("account.session_ended"))))));
      said.textContent = words;
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  };
  /** @param {OwnSession} session */
  const row = (session) => element("li", {}, element("span", {}, deviceWords(session),
    element("small", { class: "fine" }, timesWords(session))),
  session.current ? element("span", { class: "fine" }, t("account.session_current")) : endButton(session));
  /** @param {OwnSession} session */
  const endButton = (session) => {
    const made = button(t("account.session_end"), () => attempt(() => endSession(session.id), t("account.session_ended")), "quiet");
    made.setAttribute("aria-label", t("account.session_end_label", { device: deviceWords(session) }));
    return made;
  };
  const panel = element("section", { class: "panel" }, element("h2", {}, t("account.sessions")), rows, problem, said);
  await attempt(listSessions);
  return panel;
}

/** @param {OwnSession} session */
const timesWords = ({ created_at: since, used_at: used }) => t("account.session_since", {
  day: formatDate(since, { dateStyle: "medium" }), moment: formatDate(used ?? since, { dateStyle: "medium", timeStyle: "short" }),
});
