/**
 * The reader's personal tokens, with which programs and pages of other sites act for the reader.
 *
 * @import { PersonalToken } from "wire"
 */
import { formatDate, t, tNodes } from "../language/translate.js";
import { createToken, listTokens, revokeToken } from "../net/api.js";
import { element } from "../ui/dom.js";
import { makeTokenPanel, TOKEN_HEADER } from "./token_panel.js";

/** What a token may do, by what is chosen. @type {Record<string, PersonalToken["scopes"]>} */
const SCOPES = { read: ["read"], play: ["read", "play"], analyse: ["analyse"] };
/** For how many days a token can be made. */
const DAYS = [7, 30, 90, 365];
const USUAL_DAYS = 90;

export function makePersonalTokensPanel() {
  const name = element("input", { id: "token-name", required: true, maxlength: 40, autocomplete: "off" });
  const scope = element("select", { id: "token-scope" },
    Object.keys(SCOPES).map((value) => element("option", { value }, t(`tokens.scope_${value}`))));
  const days = element("select", { id: "token-days" },
    DAYS.map((count) => element("option", { value: count, selected: count === USUAL_DAYS }, t("tokens.day_count", { count }))));
  return makeTokenPanel({
    title: t("tokens.title"),
    explanation: t("tokens.explanation"),
    fields: (submit) => [element("span", { class: "fields" }, field(t("tokens.name"), name), field(t("tokens.scope"), scope),
      field(t("tokens.days"), days), submit)],
    name,
    action: t("tokens.create"),
    list: listTokens,
    make: async () => {
      const made = await createToken({ name: name.value.trim(), scopes: SCOPES[scope.value], days: Number(days.value) });
      return {
        id: made.id, token: made.token, about: [t("tokens.created", { name: made.name })],
        fine: tNodes("tokens.header", { header: element("code", {}, TOKEN_HEADER) }),
      };
    },
    end: revokeToken,
    row: ({ name, scopes, expires_at }) => element("span", {}, name,
      element("small", { class: "fine" }, t("tokens.until", { scope: t(`tokens.scope_${scopes.find((one) => one !== "read") ?? "read"}`), day: dateWords(expires_at) }))),
    words: ({ name }) => ({
      end: t("tokens.revoke"), label: t("tokens.revoke_label", { name }),
      question: t("tokens.revoke_question", { name }), ended: t("tokens.revoked", { name }),
    }),
  });
}

/** @param {string} label @param {HTMLElement} control */
const field = (label, control) => element("span", {}, element("label", { for: control.id }, label), control);

/** @param {number} moment */
const dateWords = (moment) => formatDate(moment, { day: "numeric", month: "long", year: "numeric" });
