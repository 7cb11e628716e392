/**
 * Who may come in, and the invitations.
 *
 * @import { Entry, Invitation } from "wire"
 */
import { makeTokenPanel } from "../account/token_panel.js";
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { changeEntry, endInvitation, invite, listInvitations, readEntry } from "../net/admin_api.js";
import { element, oneAtATime } from "../ui/dom.js";
import { momentWords } from "./moments.js";

/** @type {Entry["accounts"][]} */
const ACCOUNTS = ["open", "invitation", "closed"];
const DAYS = [1, 7, 30, 90];
const USUAL_DAYS = 7;

export async function makeEntryPanel() {
  const kept = await readEntry();
  const accounts = element("select", { id: "entry-accounts" },
    ACCOUNTS.map((value) => element("option", { value, selected: value === kept.accounts }, t(`admin.accounts_${value}`))));
  const guests = element("input", { id: "entry-guests", type: "checkbox", checked: kept.guests });
  const problem = element("p", { class: "problem", role: "alert" });
  const said = element("p", { role: "status", class: "told" });
  const save = oneAtATime(async () => {
    problem.textContent = "";
    said.textContent = "";
    try {
      await changeEntry({ accounts: /** @type {Entry["accounts"]} */ (accounts.value), guests: guests.checked });
      said.textContent = t("admin.saved");
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  });
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    save();
  };
  return element("section", { class: "panel" }, element("h2", {}, t("admin.entry")), element("p", {}, t("admin.entry_words")),
    element("form", { class: "form", on: { submit } }, element("label", { for: accounts.id }, t("admin.accounts")), accounts,
      element("label", { class: "check", for: guests.id }, guests, t("admin.guests")), problem, said,
      element("button", { class: "button primary" }, t("admin.save"))));
}

export function makeInvitationsPanel() {
  const uses = element("input", { id: "invite-uses", type: "number", min: 1, max: 500, value: 1, required: true });
  const days = element("select", { id: "invite-days" },
    DAYS.map((count) => element("option", { value: count, selected: count === USUAL_DAYS }, t("common.days", { count }))));
  return makeTokenPanel({
    title: t("admin.invitations"),
    explanation: t("admin.invitations_words"),
    fields: (submit) => [element("span", { class: "fields" }, field(t("admin.uses"), uses), field(t("admin.valid"), days), submit)],
    action: t("admin.invite"),
    copy: t("admin.copy_link"),
    list: listInvitations,
    make: async () => {
      const { id, token } = await invite({ uses: Number(uses.value), days: Number(days.value) });
      return { id, token: `${location.origin}/invited/${token}`, about: [t("admin.invited")], fine: [] };
    },
    end: endInvitation,
    row: ({ uses: left, expires_at: end }) => element("span", {}, t("admin.uses_left", { count: left }),
      element("small", { class: "fine" }, t("admin.until", { moment: momentWords(end) }))),
    words: ({ expires_at: end }) => ({
      end: t("admin.end"), label: t("admin.end_label", { moment: momentWords(end) }), question: t("admin.end_question"), ended: t("admin.ended"),
    }),
  });
}

/** @param {string} label @param {HTMLElement} control */
const field = (label, control) => element("span", {}, element("label", { for: control.id }, label), control);
