/** What the pages with a table share: figures above, the table, tools, words said, and the rules beside it. */
import { readRules } from "./api.js";
import { button, element, fill } from "./dom.js";
import { rulesText } from "./pages/rules.js";
import { makeStats } from "./stats.js";

/** Below this width the table may be taller than the screen. */
const PHONE = 720;
/**
 * Where the width makes cards narrower than this, a button makes them larger, and the table is panned. The height never
 * makes them so: the page is scrolled.
 */
const SMALL_CARD = 40;
const ENLARGED_CARD = 48;
/** Once asked for, larger cards stay for the games that follow. */
let enlarged = false;

/**
 * Set up the stage for a game.
 * @param {HTMLElement} root
 * @param {string} slug
 * @param {{title: string|Node, note?: Node, tools?: Node[]}} content
 */
export async function makeStage(root, slug, { title, note = null, tools = [] }) {
  const rules = await readRules(slug);
  const stats = makeStats();
  const table = element("div");
  const felt = element("div", { class: "felt" }, table);
  const words = element("p", { class: "said", role: "status" });
  const larger = button("Larger", () => {
    enlarged = !enlarged;
    table.dispatchEvent(new Event("room"));
  }, "button larger");
  larger.title = "Larger cards: then pan the table";
  const aside = element("aside", { class: "rules-sheet", hidden: true, tabindex: -1, "aria-label": "Rules" });
  const rulesButton = button("Rules", () => toggle());
  rulesButton.setAttribute("aria-expanded", "false");

  aside.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    toggle();
    rulesButton.focus();
  });

  function toggle() {
    aside.hidden = !aside.hidden;
    rulesButton.setAttribute("aria-expanded", String(!aside.hidden));
    if (aside.hidden) return;
    if (!aside.firstChild) {
      fill(aside, button("Close", toggle, "button close"), element("div", { class: "prose" }, rulesText(rules)));
    }
    aside.focus();
  }

  const strip = element("header", { class: "strip" }, element("h1", {}, title, " ", element("span", {}, rules.name)), note, larger, stats.node);
  const toolbar = element("div", { class: "tools", role: "toolbar", "aria-label": "Game" }, tools, rulesButton);
  fill(root, strip, element("div", { class: "stage" }, element("div", { class: "table-side" }, felt, words, toolbar), aside));
  return { rules, stats, table, felt, toolbar, say: speaker(words), room };

  function room() {
    const space = measure(felt, toolbar);
    larger.hidden = space.fitHeight || space.width / rules.layout.width > SMALL_CARD;
    larger.setAttribute("aria-pressed", String(enlarged));
    const panned = enlarged && !larger.hidden;
    felt.classList.toggle("panned", panned);
    return { ...space, least: space.fitHeight ? SMALL_CARD : panned ? ENLARGED_CARD : 0 };
  }
}

/** The pixels a table may fill. */
function measure(felt, toolbar) {
  const style = getComputedStyle(felt);
  const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
  const vertical = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
  const top = felt.getBoundingClientRect().top + scrollY;
  return {
    width: felt.clientWidth - padding,
    height: Math.max(260, innerHeight - top - toolbar.offsetHeight - vertical - 14),
    fitHeight: innerWidth >= PHONE,
    grain: 1 / Math.max(1, Math.round(devicePixelRatio)),
  };
}

/** Say something under the table for a while; grave words stay longer and look it. */
function speaker(words) {
  let timer = 0;
  return (text, grave = false) => {
    clearTimeout(timer);
    words.textContent = text;
    words.classList.toggle("grave", grave);
    words.classList.toggle("quiet", !grave);
    timer = setTimeout(() => {
      words.textContent = "";
    }, grave ? 6000 : 2500);
  };
}
