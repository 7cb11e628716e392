/**
 * The dialog that asks a host or a moderator why something is done.
 *
 * @import { Why } from "wire"
 */
import { withPassword } from "../access/confirmation.js";
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { button, clearOnInput, element, fill, oneAtATime } from "../ui/dom.js";

/** @type {Why["reason"][]} */
export const REASONS = ["conduct", "name", "cheating", "second_account", "security", "request", "mistake", "other"];

/**
 * The fields for a reason and a note; `noting` has what is about the note.
 * @param {Why["reason"]} [usual] the reason that is chosen at first
 * @returns {{nodes: HTMLElement[], noting: HTMLElement, why: () => Why}}
 */
export function makeWhyFields(usual = REASONS[0]) {
  const reason = element("select", { id: "act-reason" },
    REASONS.map((value) => element("option", { value, selected: value === usual }, t(`admin.reason_${value}`))));
  const note = element("input", { id: "act-note", maxlength: 200, autocomplete: "off", "aria-describedby": "act-note-hint" });
  const noting = element("div", { class: "form" }, element("label", { for: note.id }, t("admin.note")), note,
    element("p", { class: "fine", id: "act-note-hint" }, t("admin.note_hint")));
  return {
    nodes: [element("label", { for: reason.id }, t("admin.reason")), reason, noting],
    noting,
    why: () => ({ reason: /** @type {Why["reason"]} */ (reason.value), note: note.value.trim() }),
  };
}

/**
 * Ask why something is to be done, and do it.
 * @param {string} title what is to be done
 * @param {Why["reason"]} usual
 * @param {(why: Why) => Promise<unknown>} work
 * @returns {Promise<boolean>} whether it was done
 */
export function askWhy(title, usual, work) {
  const fields = makeWhyFields(usual);
  return askAndDo(title, fields.nodes, () => work(fields.why()));
}

/**
 * Ask for a note, and do something with it.
 * @param {string} title what is to be done
 * @param {(note: string) => Promise<unknown>} work
 * @returns {Promise<boolean>} whether it was done
 */
export function askNote(title, work) {
  const fields = makeWhyFields();
  return askAndDo(title, [fields.noting], () => work(fields.why().note ?? ""));
}

/**
 * A dialog with these fields; what it asks for is done when it is sent.
 * @param {string} title @param {HTMLElement[]} fields @param {() => Promise<unknown>} work
 * @returns {Promise<boolean>} whether it was done
 */
function askAndDo(title, fields, work) {
  return new Promise((answer) => {
    const problem = element("p", { class: "problem", role: "alert" });
    const dialog = element("dialog", { class: "panel", "aria-labelledby": "why-title" });
    const send = oneAtATime(async () => {
      problem.textContent = "";
      try {
        await withPassword(work);
        dialog.close("done");
      } catch (refusal) {
        problem.textContent = refusalWords(refusal);
      }
    });
    /** @param {Event} event */
    const submit = (event) => {
      event.preventDefault();
      send();
    };
    const form = element("form", { class: "form", on: { submit } }, ...fields, problem,
      element("p", { class: "actions" }, button(t("admin.cancel"), () => dialog.close("")), element("button", { class: "button grave" }, t("admin.do_it"))));
    clearOnInput(form, problem);
    fill(dialog, element("h2", { id: "why-title" }, title), form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      answer(dialog.returnValue === "done");
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
