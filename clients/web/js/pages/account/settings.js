/** The settings, with a sample table that shows each of them at once. */
import { makeSettingsSample } from "../../account/settings_sample.js";
import { makeCardPicture } from "../../cards/card_picture.js";
import { DOWN } from "../../game/cards.js";
import { listLanguages } from "../../language/language_choice.js";
import { t } from "../../language/translate.js";
import { SETTINGS, changeSettings, chosenSetting, onSettingsChange, setting } from "../../settings/settings.js";
import { element, fill } from "../../ui/dom.js";
import { loadCss } from "../../ui/load_css.js";
import { playSound } from "../../ui/sounds.js";

/** The settings in groups, in order. `SETTINGS` has their values. */
const GROUPS = {
  look: ["theme", "table", "faces", "design", "backs", "colours"],
  play: ["hand", "motion", "oneTap", "finish", "finishAlone", "winnable", "ask", "sound"],
  shown: ["clock", "score", "notation"],
  house: ["puzzles"],
};

/** @type {import("../../router.js").Show} */
export async function show(root, _parameters, app) {
  const languages = listLanguages();
  await loadCss("/style/settings.css");
  app.title(t("settings.title"));
  const controls = [languageControl(languages)];
  const panels = Object.entries(GROUPS).map(([group, names]) => {
    const made = names.map((name) => (typeof SETTINGS[name][0] === "boolean" ? switchControl(name) : radioControl(name)));
    controls.push(...made);
    return panel(group, made);
  });
  const sample = makeSettingsSample();
  const kept = t(app.player ? "settings.kept_with_account" : "settings.kept_here");
  fill(root,
    element("header", { class: "heading" }, element("h1", {}, t("settings.title")), element("p", { class: "fine" }, kept)),
    element("div", { class: "settings-groups" }, panel("language", controls.slice(0, 1)), panels),
    sample.node);
  sample.draw();
  const stop = onSettingsChange(() => controls.forEach((control) => control.show()));
  return () => {
    stop();
    sample.close();
  };
}

/** @typedef {{node: HTMLElement, show: () => void}} Control `show` makes it show what holds now */

/** @param {string} group @param {Control[]} controls */
function panel(group, controls) {
  return element("section", { class: "panel settings-group" },
    element("h2", {}, t(`settings.group_${group}`)), controls.map(({ node }) => node));
}

/** @param {import("../../language/language_choice.js").Language[]} languages @returns {Control} */
function languageControl(languages) {
  /** @type {HTMLSelectElement} */
  const select = element("select", { id: "setting-language", on: { change: () => changeSettings({ language: select.value }) } },
    element("option", { value: "" }, t("settings.language_browser")),
    languages.map(({ tag, name }) => element("option", { value: tag, lang: tag }, name)));
  const show = () => {
    select.value = String(chosenSetting("language") ?? "");
  };
  show();
  return { node: element("p", { class: "setting" }, element("label", { for: select.id }, t("settings.language")), select), show };
}

/** Radio buttons for a setting with several values. @param {string} name @returns {Control} */
function radioControl(name) {
  const inputs = SETTINGS[name].map((value) => element("input", {
    type: "radio", name: `setting-${name}`, value, on: { change: () => changeSettings({ [name]: value }) },
  }));
  const show = () => inputs.forEach((input) => {
    input.checked = input.value === String(chosenSetting(name) ?? SETTINGS[name][0]);
  });
  show();
  const labels = inputs.map((input) => element("label", { class: "pick" }, input, " ",
    pictureOf(name, input.value), t(`settings.${name}_${input.value}`)));
  const still = name === "motion" && chosenSetting(name) !== "off" && setting(name) === "off";
  return {
    node: element("fieldset", { class: "setting" }, element("legend", {}, t(`settings.${name}`)), labels,
      explanation(name) && element("p", { class: "fine" }, explanation(name)),
      still && element("p", { class: "fine" }, t("settings.motion_still"))),
    show,
  };
}

/** A card as this value of a setting draws it; null for settings that say nothing about cards. @param {string} name @param {string} value */
function pictureOf(name, value) {
  if (name === "faces") return makeCardPicture("QH", "large", "top", { faces: value });
  if (name === "design") return makeCardPicture("QH", "large", "top", { design: value, faces: "standard" });
  return name === "backs" ? makeCardPicture(DOWN, "large", "top", { backs: value }) : null;
}

/** A checkbox for a setting that is on or off. @param {string} name @returns {Control} */
function switchControl(name) {
  /** @type {HTMLInputElement} */
  const input = element("input", { type: "checkbox", on: { change: () => {
    changeSettings({ [name]: input.checked });
    if (name === "sound") playSound("lay");
  } } });
  const show = () => {
    input.checked = setting(name) === true;
  };
  show();
  return { node: element("p", { class: "setting" }, element("label", { class: "pick" }, input, " ", t(`settings.${name}`))), show };
}

/** @param {string} name */
function explanation(name) {
  return name === "colours" ? t("settings.colours_words") : null;
}
