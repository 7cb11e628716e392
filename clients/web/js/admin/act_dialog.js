/**
 * The dialog in which a host or a moderator does something to a player.
 *
 * @import { PlayerForStaff } from "wire"
 */
import { withPassword } from "../access/confirmation.js";
import { nameWords } from "../language/format.js";
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { copyButton } from "../ui/copy_button.js";
import { button, clearOnInput, element, fill, oneAtATime } from "../ui/dom.js";
import { doAct, possibleActs } from "./acts.js";
import { makeWhyFields } from "./why_dialog.js";

const DAYS = [1, 3, 7, 30, 90, 365];
const USUAL_DAYS = 7;

/**
 * Ask what is to be done to a player, and do it.
 * @param {PlayerForStaff} about @param {"moderator"|"host"} role of who acts
 * @returns {Promise<boolean>} whether something was done
 */
export function askAct(about, role) {
  return new Promise((answer) => {
    let isDone = false;
    const dialog = element("dialog", { class: "panel", "aria-labelledby": "act-on" });
    const act = element("select", { id: "act" }, possibleActs(about, role).map((name) => element("option", { value: name }, t(`admin.do_${name}`))));
    const name = element("input", { id: "act-name", minlength: 2, maxlength: 24, autocomplete: "off", value: about.player.name });
    const days = element("select", { id: "act-days" },
      DAYS.map((count) => element("option", { value: count, selected: count === USUAL_DAYS }, t("common.days", { count }))));
    const fields = makeWhyFields();
    const problem = element("p", { class: "problem", role: "alert" });
    const extra = element("div", { class: "form" });
    const showExtra = () => {
      fields.noting.hidden = act.value === "erase"; // which leaves nothing behind
      name.required = act.value === "rename";
      fill(extra, act.value === "rename" && [element("label", { for: name.id }, t("admin.new_name")), name],
        act.value === "erase" && element("p", { class: "lead" }, t("admin.erase_words")),
        (act.value === "suspend" || act.value === "mute") && [element("label", { for: days.id }, t("admin.for_days")), days]);
    };
    act.addEventListener("change", showExtra);
    showExtra();
    const send = oneAtATime(async () => {
      problem.textContent = "";
      const chosen = /** @type {import("./acts.js").ActName} */ (act.value);
      try {
        const made = await withPassword(() => doAct(chosen, about, fields.why(), { name: name.value.trim(), days: Number(days.value) }));
        isDone = true;
        if (made) fill(dialog, madeLink(location.origin + made.path, () => dialog.close()));
        else dialog.close();
      } catch (refusal) {
        problem.textContent = refusalWords(refusal);
      }
    });
    /** @param {Event} event */
    const submit = (event) => {
      event.preventDefault();
      send();
    };
    const form = element("form", { class: "form", on: { submit } },
      element("label", { for: act.id }, t("admin.act")), act, extra,
      ...fields.nodes,
      problem, element("p", { class: "actions" }, button(t("admin.cancel"), () => dialog.close()),
        element("button", { class: "button grave" }, t("admin.do_it"))));
    clearOnInput(form, problem);
    fill(dialog, element("h2", { id: "act-on" }, nameWords(about.player)), form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      answer(isDone);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** The link that was made, shown once. @param {string} address @param {() => void} close */
function madeLink(address, close) {
  return element("div", { class: "secret" }, element("p", { id: "act-on" }, t("admin.access_link")), element("p", {}, element("code", {}, address)),
    element("p", { class: "actions" }, copyButton(t("admin.copy_link"), address), button(t("common.close"), close)));
}
