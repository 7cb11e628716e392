/**
 * The form to change the password. A problem is shown beside the field that has it.
 *
 * @import { Child } from "../ui/dom.js"
 */
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { changePassword, Refusal } from "../net/api.js";
import { clearOnInput, element, oneAtATime } from "../ui/dom.js";

/** The smallest and the largest number of characters of a password. The server has the same limits. */
const MIN_LENGTH = 8;
const MAX_LENGTH = 256;

/**
 * The problems that can be found without the server, in words; empty where there is none.
 * @param {string} present @param {string} wanted
 */
export function passwordProblems(present, wanted) {
  return { present: presentProblem(present), wanted: wantedProblem(present, wanted) };
}

/** @param {string} present */
function presentProblem(present) {
  if (present === "") return t("account.present_missing");
  return hasAllowedLength(present) ? "" : t("account.present_wrong");
}

/** @param {string} present @param {string} wanted */
function wantedProblem(present, wanted) {
  if (!hasAllowedLength(wanted)) return t("account.new_unfit", { least: MIN_LENGTH, most: MAX_LENGTH });
  return wanted === present ? t("account.new_same") : "";
}

/** @param {string} password */
function hasAllowedLength(password) {
  const { length } = [...password];
  return length >= MIN_LENGTH && length <= MAX_LENGTH;
}

/** @param {string} name the player's, for whatever remembers passwords */
export function makePasswordForm(name) {
  const present = field("present-password", t("account.present"), "current-password");
  const wanted = field("new-password", t("account.new"), "new-password", t("account.new_words", { least: MIN_LENGTH }));
  const problem = element("p", { class: "problem", role: "alert" });
  const done = element("p", { role: "status", class: "told" });

  /**
   * Show the problems and move the focus to the first field with one. True if there is none.
   * @param {ReturnType<typeof passwordProblems>} found
   */
  const showProblems = (found) => {
    present.showProblem(found.present);
    wanted.showProblem(found.wanted);
    const first = [present, wanted].find(({ input }) => input.getAttribute("aria-invalid") === "true");
    first?.input.focus();
    return !first;
  };
  const change = oneAtATime(async () => {
    problem.textContent = "";
    done.textContent = "";
    if (!showProblems(passwordProblems(present.input.value, wanted.input.value))) return;
    try {
      await changePassword(present.input.value, wanted.input.value);
      present.input.value = "";
      wanted.input.value = "";
      done.textContent = t("account.password_changed");
    } catch (refusal) {
      if (refusal instanceof Refusal && refusal.code === "bad_credentials") showProblems({ present: refusalWords(refusal), wanted: "" });
      else problem.textContent = refusalWords(refusal);
    }
  });
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    change();
  };
  const form = element("form", { class: "panel form", novalidate: true, on: { submit } },
    element("h2", {}, t("account.change_password")),
    element("input", { name: "username", autocomplete: "username", value: name, readonly: true, hidden: true }),
    present.parts, wanted.parts, problem, done, element("button", { class: "button primary" }, t("account.change_password")));
  clearOnInput(form, problem);
  return form;
}

/**
 * A field for a password, with a place for its problem.
 * @param {string} id @param {string} label @param {string} kind @param {string} [hint]
 */
function field(id, label, kind, hint) {
  const problem = element("p", { class: "problem", id: `${id}-problem`, role: "alert" });
  const input = element("input", {
    id, type: "password", autocomplete: kind, required: true, "aria-describedby": hint ? `${id}-hint ${problem.id}` : problem.id,
  });
  /** Show a problem. An empty text removes it. @param {string} words */
  const showProblem = (words) => {
    problem.textContent = words;
    if (words) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  };
  input.addEventListener("input", () => showProblem(""));
  /** @type {Child[]} */
  const parts = [element("label", { for: id }, label), hint && element("p", { class: "fine", id: `${id}-hint` }, hint), input, problem];
  return { input, parts, showProblem };
}
