/**
 * The players of the server: find them, and do something about one.
 *
 * @import { PlayerForStaff } from "wire"
 */
import { nameWords } from "../language/format.js";
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { findPlayers } from "../net/admin_api.js";
import { button, element, fill, keepFocus } from "../ui/dom.js";
import { playerName } from "../ui/player_name.js";
import { askAct } from "./act_dialog.js";
import { possibleActs } from "./acts.js";
import { momentWords } from "./moments.js";

const PAGE = 50;

/** @param {"moderator"|"host"} role of who looks */
export async function makePlayersPanel(role) {
  const name = element("input", { id: "find-name", type: "search", maxlength: 40, autocomplete: "off" });
  const rows = element("div");
  const problem = element("p", { class: "problem", role: "alert" });
  const said = element("p", { role: "status", class: "told" });
  let shown = 0;

  const search = async (count = PAGE) => {
    problem.textContent = "";
    try {
      const { players, more } = await findPlayers(name.value.trim(), 0, count);
      shown = count;
      keepFocus(panel, () => fill(rows, players.length ? element("ul", { class: "rows" }, players.map(row)) : element("p", {}, t("admin.nobody_found")),
        more && count < 4 * PAGE && element("p", { class: "actions" }, button(t("admin.more"), () => search(count + PAGE)))));
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  };
  /** @param {PlayerForStaff} about */
  const row = (about) => element("li", {}, element("span", {}, playerName(about.player), element("small", { class: "fine" }, standingWords(about))),
    possibleActs(about, role).length > 0 && actButton(about));
  /** @param {PlayerForStaff} about */
  const actButton = (about) => {
    const made = button(t("admin.act_short"), async () => {
      said.textContent = "";
      if (!await askAct(about, role)) return;
      await search(shown);
      said.textContent = t("admin.done");
    }, "quiet");
    made.setAttribute("aria-label", t("admin.act_label", { name: nameWords(about.player) }));
    return made;
  };
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    said.textContent = "";
    search();
  };
  const panel = element("section", { class: "panel" }, element("h2", {}, t("admin.players")),
    element("form", { class: "line", on: { submit } }, element("label", { for: name.id }, t("admin.name_begins")),
      element("span", {}, name, element("button", { class: "button primary" }, t("admin.find")))), problem, said, rows);
  await search();
  return panel;
}

/** The role, a suspension, and since when somebody is here. @param {PlayerForStaff} about */
function standingWords({ role, suspended_until: until, muted_until: muted, banned, created_at: since }) {
  const words = [role ? t(`admin.role_${role}`) : "", banned ? t("admin.banned") : "",
    until ? t("admin.suspended_until", { moment: momentWords(until) }) : "",
    muted ? t("admin.muted_until", { moment: momentWords(muted) }) : "", t("admin.since", { moment: momentWords(since) })];
  return words.filter(Boolean).join(" · ");
}
