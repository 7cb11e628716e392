/**
 * The fields of one deal of every day: how hard it is meant to be, and which games take turns.
 *
 * @import { ScheduledDeal } from "wire"
 */
import { t } from "../language/translate.js";
import { button, element } from "../ui/dom.js";

const CERTIFIED = ["usual", "yes", "no"];
let made = 0;

/**
 * @param {ScheduledDeal} deal
 * @param {Map<string, string>} names of all games, by slug
 * @param {() => void} removed called when the reader removes the deal
 */
export function makeDealFields(deal, names, removed) {
  made += 1;
  const id = `deal-${made}`;
  const level = element("input", { id: `${id}-level`, maxlength: 24, required: true, autocomplete: "off", value: deal.level });
  const chosen = deal.certified === undefined ? "usual" : deal.certified ? "yes" : "no";
  const certified = element("select", { id: `${id}-certified` },
    CERTIFIED.map((value) => element("option", { value, selected: value === chosen }, t(`admin.certified_${value}`))));
  const games = [...names].map(([slug, name]) => {
    const box = element("input", { id: `${id}-${slug}`, type: "checkbox", checked: deal.games.includes(slug) });
    return { slug, box, node: element("label", { class: "check", for: box.id }, box, name) };
  });
  const count = element("summary");
  const showCount = () => {
    count.textContent = t("admin.games_in_turn", { count: games.filter(({ box }) => box.checked).length });
  };
  showCount();
  const remove = button(t("admin.remove_deal"), removed, "quiet");
  const node = element("li", { class: "form", on: { input: showCount } },
    element("label", { for: level.id }, t("admin.level")), level,
    element("details", {}, count, element("div", { class: "games-in-turn" }, games.map((game) => game.node))),
    element("label", { for: certified.id }, t("admin.certified")), certified, remove);
  return {
    node,
    remove,
    /** @returns {ScheduledDeal} */
    value: () => ({
      level: level.value.trim(),
      games: games.filter(({ box }) => box.checked).map(({ slug }) => slug),
      certified: certified.value === "usual" ? undefined : certified.value === "yes",
    }),
  };
}
