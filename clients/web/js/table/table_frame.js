/**
 * What the pages with a table share: figures above the table, the table, tools, a line of text, and the rules beside it.
 *
 * @import { RulesPage } from "wire"
 */
import { makeZoom } from "../board/zoom.js";
import { suitPath } from "../cards/suit_shapes.js";
import { t } from "../language/translate.js";
import { readRules } from "../net/api.js";
import { suitColours } from "../settings/card_settings.js";
import { changeSettings, onSettingsChange } from "../settings/settings.js";
import { button, element, fill } from "../ui/dom.js";
import { makeGameFigures } from "./game_figures.js";
import { rulesText } from "./rules_text.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * Make the frame for a game. `aboveRules` is an element above the rules beside the table, for a list of moves.
 * @param {HTMLElement} root
 * @param {string} slug
 * @param {Object} content
 * @param {string|Node} content.title
 * @param {Node} [content.note]
 * @param {Node[]} [content.tools] under the table
 * @param {Node[]} [content.view] beside the title
 * @param {boolean} [content.zoomKeys] false where the keys + and - have another meaning
 * @param {boolean} [content.home] true where the cards home are shown, because they decide
 * @param {() => number} [content.rested] milliseconds for which the clock has rested
 * @param {(open: boolean) => void} [content.rulesToggled] called when the rules are opened and closed
 */
export async function makeTableFrame(root, slug, content) {
  const { title, note, tools = [], view: others = [], zoomKeys = true, home, rested, rulesToggled = () => {} } = content;
  const rules = await readRules(slug);
  const figures = makeGameFigures({ maximum: rules.maximum, home, rested });
  const table = element("div");
  const felt = element("div", { class: "felt" }, table);
  const words = element("p", { class: "said", role: "status" });
  // Seen while the connection is away or an answer is late; screen readers hear it from the notice of all pages, which is not seen here.
  const lineNotices = ["not_connected", "late"].map((line) => element("p", { class: `line-notice ${line}`, "aria-hidden": "true" }, t(`shell.${line}`)));
  const zoom = makeZoom(felt, table, slug, zoomKeys);
  const colours = makeColours(rules);
  const view = element("div", { class: "view" }, colours.node, zoom.node, others);
  const aboveRules = element("div", { class: "beside" });
  const sheet = makeSheet(rules, aboveRules, rulesToggled);

  const name = element("h1", {}, title, " ", element("span", {}, rules.name));
  const strip = element("header", { class: "strip" }, name, note, view, figures.node);
  const toolbar = element("div", { class: "tools", role: "toolbar", "aria-label": t("stage.tools") }, tools, sheet.button);
  fill(root, strip, element("div", { class: "stage" }, element("div", { class: "table-side" }, felt, element("div", { class: "over-table" }, words, lineNotices), toolbar), sheet.node));

  return {
    rules, figures, table, felt, toolbar, aboveRules,
    say: makeSpeaker(words),
    showRules: () => sheet.node.hidden && sheet.button.click(),
    room: () => ({ ...measureRoom(felt), zoom: zoom.zoom() }),
    close() {
      figures.close();
      zoom.close();
      colours.close();
    },
  };
}

/**
 * The rules beside the table, and the button that opens them.
 * @param {RulesPage} rules
 * @param {HTMLElement} beside
 * @param {(open: boolean) => void} toggled
 */
function makeSheet(rules, beside, toggled) {
  const node = element("aside", { class: "rules-sheet", hidden: true, tabindex: -1, "aria-label": t("stage.rules") });
  const opener = button(t("stage.rules"), toggle);
  opener.setAttribute("aria-expanded", "false");
  node.addEventListener("keydown", (event) => {
    if (event.key === "Escape") toggle();
  });

  function toggle() {
    node.hidden = !node.hidden;
    opener.setAttribute("aria-expanded", String(!node.hidden));
    toggled(!node.hidden);
    if (node.hidden) {
      opener.focus();
      return;
    }
    if (!node.firstChild) {
      fill(node, button(t("common.close"), toggle, "button close"), beside,
        element("div", { class: "prose", lang: rules.language ?? "en" }, rulesText(rules)));
    }
    node.focus();
  }

  return { node, button: opener };
}

/**
 * The button that chooses two or four colours for this game's suits. The page uses them while the table is shown.
 * @param {RulesPage} rules
 */
function makeColours(rules) {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", "0 0 2 2");
  drawing.setAttribute("aria-hidden", "true");
  [..."SHDC"].forEach((suit, index) => {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", `ink suit-${suit}`);
    path.setAttribute("d", suitPath(suit));
    path.setAttribute("transform", `translate(${(index % 2) + 0.5} ${index < 2 ? 0.5 : 1.5}) scale(.86)`);
    drawing.append(path);
  });
  const changeColours = () => changeSettings({ [`colours.${rules.slug}`]: suitColours(rules) === "two" ? "four" : "two" });
  const node = button("", changeColours, "button suits");
  node.setAttribute("aria-label", t("stage.four_colours"));
  node.append(drawing);
  const showColours = () => {
    const worn = suitColours(rules);
    document.body.dataset.colours = worn;
    node.setAttribute("aria-pressed", String(worn === "four"));
    node.title = t(worn === "four" ? "stage.wears_four" : "stage.wears_two");
  };
  showColours();
  const stopSettings = onSettingsChange(showColours);
  return {
    node,
    close() {
      stopSettings();
      delete document.body.dataset.colours;
    },
  };
}

/** The pixels that a table may fill. @param {HTMLElement} felt */
function measureRoom(felt) {
  const style = getComputedStyle(felt);
  return {
    width: felt.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight),
    height: felt.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom),
    grain: 1 / Math.max(1, Math.round(devicePixelRatio)),
  };
}

/** Show a text under the table for a while. An important text stays longer and is highlighted. @param {HTMLElement} words */
function makeSpeaker(words) {
  let timer = 0;
  return (/** @type {string} */ text, grave = false) => {
    clearTimeout(timer);
    words.textContent = text;
    words.classList.toggle("grave", grave);
    words.classList.toggle("quiet", !grave);
    timer = setTimeout(() => {
      words.textContent = "";
    }, grave ? 6000 : 2500);
  };
}
