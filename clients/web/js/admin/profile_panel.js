/**
 * What a host says about the server: name, texts, colours, crest.
 *
 * @import { SiteProfile, SiteColours } from "wire"
 */
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { changeCrest, changeProfile, readProfile } from "../net/admin_api.js";
import { button, clearOnInput, element, fill, oneAtATime } from "../ui/dom.js";
import { asCrest } from "./crest_picture.js";

/** Where a host's colours begin: those of the page without any. */
const COLOURS = { bar: "#17382c", accent: "#1f5a43", accent_dark: "#8fcfae" };
/** @typedef {keyof typeof COLOURS} ColourName */

export async function makeProfilePanel() {
  const kept = await readProfile();
  const name = element("input", { id: "branding-name", maxlength: 40, autocomplete: "off", value: kept.name ?? "" });
  const announcement = element("input", { id: "branding-announcement", maxlength: 200, autocomplete: "off", value: kept.announcement ?? "" });
  const welcome = element("textarea", { id: "branding-welcome", maxlength: 2000, rows: 5 }, kept.welcome ?? "");
  const rules = element("textarea", { id: "branding-rules", maxlength: 8000, rows: 8 }, kept.rules ?? "");
  const own = element("input", { id: "branding-colours", type: "checkbox", checked: Boolean(kept.colours) });
  const colours = /** @type {[ColourName, HTMLInputElement][]} */ (Object.entries(COLOURS).map(([key, usual]) =>
    [key, element("input", { id: `branding-${key}`, type: "color", value: kept.colours?.[/** @type {ColourName} */ (key)] ?? usual })]));
  const chosen = element("div", { class: "colours" }, colours.map(([key, input]) =>
    element("span", {}, element("label", { for: input.id }, t(`admin.colour_${key}`)), input)));
  const showColours = () => {
    chosen.hidden = !own.checked;
  };
  own.addEventListener("change", showColours);
  showColours();
  const problem = element("p", { class: "problem", role: "alert" });
  const said = element("p", { role: "status", class: "told" });
  const save = oneAtATime(async () => {
    said.textContent = "";
    /** @type {SiteProfile} */
    const wanted = { name: name.value, announcement: announcement.value, welcome: welcome.value, rules: rules.value };
    if (own.checked) wanted.colours = /** @type {SiteColours} */ (/** @type {unknown} */ (Object.fromEntries(colours.map(([key, { value }]) => [key, value]))));
    try {
      await changeProfile(wanted);
      said.textContent = t("admin.profile_saved");
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  });
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    save();
  };
  /** @param {string} key @param {HTMLElement} control @param {string} [hint] */
  const field = (key, control, hint) => {
    if (hint) control.setAttribute("aria-describedby", `${control.id}-hint`);
    return [element("label", { for: control.id }, t(key)), control, hint && element("p", { class: "fine", id: `${control.id}-hint` }, t(hint))];
  };
  const form = element("form", { class: "form", on: { submit } }, field("admin.name", name), field("admin.announcement", announcement, "admin.announcement_hint"),
    field("admin.welcome", welcome, "admin.markdown"), field("admin.house_rules", rules, "admin.markdown"),
    element("label", { class: "check", for: own.id }, own, t("admin.own_colours")), chosen, problem, said,
    element("button", { class: "button primary" }, t("admin.save")));
  clearOnInput(form, problem);
  return element("section", { class: "panel" }, element("h2", {}, t("admin.profile")), form);
}

export async function makeCrestPanel() {
  const picture = element("p", { class: "crest" });
  const file = element("input", { id: "branding-crest", type: "file", accept: "image/png,image/webp,image/jpeg" });
  const problem = element("p", { class: "problem", role: "alert" });
  const said = element("p", { role: "status", class: "told" });
  const remove = button(t("admin.crest_remove"), () => send(null));
  /** @param {string|null|undefined} address */
  const show = (address) => {
    fill(picture, address && element("img", { src: address, alt: t("admin.crest_alt") }));
    remove.hidden = !address;
  };
  /** @param {string|null} image */
  const send = async (image) => {
    said.textContent = "";
    problem.textContent = "";
    try {
      show((await changeCrest(image)).crest);
      said.textContent = t("admin.profile_saved");
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  };
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    const image = await asCrest(chosen).catch(() => null);
    if (image) await send(image);
    else problem.textContent = t("admin.crest_unreadable");
  });
  show((await readProfile()).crest);
  return element("section", { class: "panel" }, element("h2", {}, t("admin.crest")), picture,
    element("div", { class: "form" }, element("label", { for: file.id }, t("admin.crest_choose")), file), problem, said,
    element("p", { class: "actions" }, remove));
}
