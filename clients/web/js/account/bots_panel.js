/** The reader's bots, which are accounts that programs play with. */
import { t, tNodes } from "../language/translate.js";
import { createBot, listBots, retireBot } from "../net/api.js";
import { element } from "../ui/dom.js";
import { playerName } from "../ui/player_name.js";
import { makeTokenPanel, TOKEN_HEADER } from "./token_panel.js";

export function makeBotsPanel() {
  const name = element("input", { id: "bot-name", required: true, minlength: 2, maxlength: 24, autocomplete: "off" });
  return makeTokenPanel({
    title: t("people.bots"),
    explanation: t("people.bots_words"),
    fields: (submit) => [element("label", { for: name.id }, t("people.bot_name")), element("span", {}, name, submit)],
    name,
    action: t("people.make_bot"),
    list: listBots,
    make: async () => {
      const { player, token } = await createBot(name.value.trim());
      const header = element("code", {}, TOKEN_HEADER);
      return {
        id: player.id, token, about: tNodes("people.bot_token", { bot: playerName(player) }),
        fine: tNodes("people.token_words", { header }),
      };
    },
    end: retireBot,
    row: playerName,
    words: ({ name }) => ({
      end: t("people.retire"), label: t("people.retire_label", { name }),
      question: t("people.retire_question", { name }), ended: t("people.bot_retired", { name }),
    }),
  });
}
