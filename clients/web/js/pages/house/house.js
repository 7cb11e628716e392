/** The console of hosts and moderators: players, entry, log. */
import { makeEntryPanel, makeInvitationsPanel } from "../../house/entry_panel.js";
import { makeLogPanel } from "../../house/log_panel.js";
import { makePlayersPanel } from "../../house/players_panel.js";
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { readRole } from "../../net/house_api.js";
import { element, fill } from "../../ui/dom.js";
import { makeChoices } from "../../ui/tabs.js";

/** @typedef {"players"|"entry"|"log"} Part */

/** @type {import("../../router.js").Show} */
export async function show(root, _parameters, app) {
  app.title(t("house.title"));
  const role = await readRole();
  if (!role) {
    fill(root, element("section", { class: "panel notice" }, element("h1", {}, t("house.title")), element("p", {}, t("house.only"))));
    return;
  }
  const part = element("div", { class: "house-part" });
  let chosen = 0;
  /** @param {Part} name */
  const open = async (name) => {
    chosen += 1;
    const mine = chosen;
    const made = await panelsOf(name, role).catch((refusal) => [element("p", { class: "problem", role: "alert" }, refusalWords(refusal))]);
    if (mine === chosen) fill(part, ...made);
  };
  fill(root, element("header", { class: "heading" }, element("h1", {}, t("house.title")),
    role === "host" && makeChoices(t("house.parts"), [
      { text: t("house.players"), value: /** @type {Part} */ ("players") },
      { text: t("house.entry"), value: /** @type {Part} */ ("entry") },
      { text: t("house.log"), value: /** @type {Part} */ ("log") },
    ], "players", open)), part);
  await open("players");
}

/** @param {Part} name @param {"moderator"|"host"} role */
async function panelsOf(name, role) {
  if (name === "entry") return Promise.all([makeEntryPanel(), makeInvitationsPanel()]);
  return [name === "log" ? await makeLogPanel() : await makePlayersPanel(role)];
}
