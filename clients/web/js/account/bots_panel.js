/**
 * The reader's bots, which are accounts that programs play with: a list with a button to retire each, and a form to create
 * another one, whose token is shown once.
 *
 * @import { Player } from "wire"
 */
import { refusalWords } from "../language/refusals.js";
import { t, tNodes } from "../language/translate.js";
import { createBot, listBots, retireBot } from "../net/api.js";
import { copyButton } from "../ui/copy_button.js";
import { confirmAction } from "../ui/dialogs.js";
import { button, clearOnInput, element, fill, keepFocus, oneAtATime } from "../ui/dom.js";
import { playerName } from "../ui/player_name.js";

/** Make the panel, after loading the list of bots. */
export async function makeBotsPanel() {
  const name = element("input", { id: "bot-name", required: true, minlength: 2, maxlength: 24, autocomplete: "off" });
  const problem = element("p", { class: "problem", role: "alert" });
  const said = element("p", { role: "status", class: "told" });
  const made = element("div", { role: "status" });
  const list = element("div");

  /** Do something, and show a refusal. @param {() => Promise<void>} work */
  const attempt = (work) => {
    problem.textContent = "";
    said.textContent = "";
    return work().catch((refusal) => {
      problem.textContent = refusalWords(refusal);
    });
  };
  /** @param {Player[]} bots */
  const show = (bots) => keepFocus(panel, () => fill(list, bots.length > 0 && element("ul", { class: "rows" },
    bots.map((bot) => element("li", {}, playerName(bot), retireButton(bot, () => attempt(() => retire(bot))))))));
  const reload = async () => show(await listBots());
  /** @param {Player} bot */
  const retire = async (bot) => {
    await retireBot(bot.id).finally(reload);
    if (made.dataset.bot === bot.id) fill(made);
    said.textContent = t("people.bot_retired", { name: bot.name });
  };
  const make = oneAtATime(() => attempt(async () => {
    const signedIn = await createBot(name.value.trim());
    made.dataset.bot = signedIn.player.id;
    fill(made, tokenNotice(signedIn));
    name.value = "";
    await reload();
  }));
  /** @param {Event} event */
  const submit = (event) => {
    event.preventDefault();
    make();
  };
  const form = element("form", { class: "line", on: { submit } }, element("label", { for: name.id }, t("people.bot_name")),
    element("span", {}, name, element("button", { class: "button primary" }, t("people.make_bot"))), problem);
  clearOnInput(form, problem);
  const panel = element("section", { class: "panel" }, element("h2", {}, t("people.bots")),
    element("p", {}, t("people.bots_words")), list, said, form, made);
  await attempt(reload);
  return panel;
}

/** A button that asks before it retires a bot. @param {Player} bot @param {() => Promise<void>} retire */
function retireButton(bot, retire) {
  const made = button(t("people.retire"), async () => {
    if (await confirmAction(t("people.retire_question", { name: bot.name }), t("people.retire"), t("common.no"))) await retire();
  }, "quiet");
  made.setAttribute("aria-label", t("people.retire_label", { name: bot.name }));
  return made;
}

/** @param {import("wire").SignedIn} made */
function tokenNotice({ player, token }) {
  return element("div", { class: "secret" }, element("p", {}, tNodes("people.bot_token", { bot: playerName(player) })),
    element("p", {}, element("code", {}, token)), element("p", { class: "actions" }, copyButton(t("people.copy_token"), token)),
    element("p", { class: "fine" }, tNodes("people.token_words", { header: element("code", {}, "Authorization: Bearer …") })));
}
