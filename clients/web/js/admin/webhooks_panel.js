/**
 * Where news of the server is sent: chats and programs, with what was sent to each and a test.
 *
 * @import { Delivery, NewWebhook, Webhook } from "wire"
 */
import { listLanguages } from "../language/language_choice.js";
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { addWebhook, listDeliveries, listWebhooks, removeWebhook, tryWebhook } from "../net/webhook_api.js";
import { copyButton } from "../ui/copy_button.js";
import { confirmAction } from "../ui/dialogs.js";
import { button, clearOnInput, element, fill, oneAtATime } from "../ui/dom.js";
import { momentWords } from "./moments.js";

/** @type {NewWebhook["topics"]} */
const TOPICS = ["day_opened", "day_closed", "day_reviewed", "race_started", "race_ended", "evening_started", "evening_ended", "report_made", "findings_made"];
/** What only hosts are to know, so that nobody tells it to a channel that others read without having chosen it. */
const FOR_HOSTS = ["report_made", "findings_made"];
/** @type {Webhook["format"][]} */
const FORMATS = ["discord", "slack", "matrix", "standard"];
/** After a test, how often and when it is looked again whether it has arrived. */
const LOOKS = [700, 2000, 5000];

export async function makeWebhooksPanel() {
  const name = element("input", { id: "webhook-name", maxlength: 40, required: true, autocomplete: "off" });
  const url = element("input", { id: "webhook-url", type: "url", maxlength: 500, required: true, autocomplete: "off" });
  const format = element("select", { id: "webhook-format" }, FORMATS.map((value) => element("option", { value }, t(`admin.format_${value}`))));
  const language = element("select", { id: "webhook-language" }, listLanguages().map(({ tag, name: own }) =>
    element("option", { value: tag, selected: tag === document.documentElement.lang }, own)));
  const token = element("input", { id: "webhook-token", type: "password", maxlength: 500, autocomplete: "off" });
  const tokenField = element("div", { class: "form" }, element("label", { for: token.id }, t("admin.webhook_token")), token);
  const topics = TOPICS.map((topic) => ({ topic, box: element("input", { id: `topic-${topic}`, type: "checkbox", checked: !FOR_HOSTS.includes(topic) }) }));
  const list = element("div");
  const made = element("div");
  const problem = element("p", { class: "problem", role: "alert" });
  const said = element("p", { role: "status", class: "told" });
  const showToken = () => {
    tokenField.hidden = format.value !== "matrix";
    token.required = format.value === "matrix";
  };
  format.addEventListener("change", showToken);
  showToken();

  /** @param {Webhook[]} webhooks */
  const show = (webhooks) => fill(list, webhooks.length
    ? element("ul", { class: "rows" }, webhooks.map((webhook) => row(webhook, show, said)))
    : element("p", {}, t("admin.webhooks_none")));
  const add = oneAtATime(async () => {
    fill(made);
    said.textContent = "";
    /** @type {NewWebhook} */
    const wanted = {
      name: name.value.trim(), url: url.value.trim(), format: /** @type {Webhook["format"]} */ (format.value),
      topics: topics.filter(({ box }) => box.checked).map(({ topic }) => topic), language: language.value,
    };
    if (format.value === "matrix") wanted.token = token.value;
    if (!wanted.topics.length) {
      problem.textContent = t("admin.webhook_needs_topics");
      return;
    }
    try {
      const { secret } = await addWebhook(wanted);
      if (secret) fill(made, element("div", { class: "secret" }, element("p", {}, t("admin.webhook_secret")), element("p", {}, element("code", {}, secret)), copyButton(t("admin.copy_secret"), secret)));
      said.textContent = t("admin.webhook_added");
      form.reset();
      showToken();
      show(await listWebhooks());
    } catch (refusal) {
      problem.textContent = refusalWords(refusal);
    }
  });
  const form = element("form", {
    class: "form",
    on: {
      submit: (event) => {
        event.preventDefault();
        add();
      },
    },
  }, element("label", { for: format.id }, t("admin.webhook_format")), format, element("label", { for: name.id }, t("admin.webhook_name")), name,
  element("label", { for: url.id }, t("admin.webhook_url")), url, tokenField, element("label", { for: language.id }, t("admin.webhook_language")), language,
  element("fieldset", { class: "plain" }, element("legend", {}, t("admin.webhook_topics")),
    topics.map(({ topic, box }) => element("label", { class: "check", for: box.id }, box, t(`admin.topic_${topic}`)))),
  problem, element("button", { class: "button primary" }, t("admin.webhook_add")));
  clearOnInput(form, problem);
  show(await listWebhooks());
  return element("section", { class: "panel" }, element("h2", {}, t("admin.news")), element("p", {}, t("admin.webhooks_words")), list, said, made,
    element("h3", {}, t("admin.webhook_add")), form);
}

/** @param {Webhook} webhook @param {(left: Webhook[]) => void} show shows what is left @param {HTMLElement} said */
function row(webhook, show, said) {
  const sent = element("div");
  /** @param {Delivery[]} deliveries */
  const showSent = (deliveries) => fill(sent, deliveries.length
    ? element("ul", { class: "rows" }, deliveries.slice(0, 10).map(deliveryRow)) : element("p", { class: "fine" }, t("admin.deliveries_none")));
  /** @param {() => Promise<unknown>} work */
  const guarded = (work) => work().catch((refusal) => fill(sent, element("p", { class: "problem", role: "alert" }, refusalWords(refusal))));
  const test = button(t("admin.webhook_test"), () => guarded(async () => {
    showSent(await tryWebhook(webhook.id));
    for (const milliseconds of LOOKS) {
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      if (!sent.isConnected) return;
      const deliveries = await listDeliveries(webhook.id);
      showSent(deliveries);
      if (deliveries[0].state !== "waiting" || deliveries[0].problem) return;
    }
  }), "quiet");
  const look = button(t("admin.deliveries"), () => guarded(async () => showSent(await listDeliveries(webhook.id))), "quiet");
  const remove = button(t("admin.webhook_remove"), () => guarded(async () => {
    if (!await confirmAction(t("admin.webhook_remove_question", { name: webhook.name }), t("admin.webhook_remove"), t("common.no"))) return;
    show(await removeWebhook(webhook.id));
    said.textContent = t("admin.webhook_removed");
  }), "quiet");
  for (const one of [test, look, remove]) one.setAttribute("aria-label", `${one.textContent}: ${webhook.name}`);
  const about = [t(`admin.format_${webhook.format}`), webhook.host, ...webhook.topics.map((topic) => t(`admin.topic_${topic}`))];
  return element("li", { class: "webhook" }, element("span", {}, element("strong", {}, webhook.name), element("small", { class: "fine" }, ` ${about.join(" · ")}`)),
    element("span", { class: "fine" }, test, look, remove), element("div", { class: "wide" }, sent));
}

/** @param {Delivery} delivery */
function deliveryRow({ event, about, created_at: at, state, attempts, status, problem, next_at: next }) {
  const why = [problem && t(`admin.problem_${problem}`), status, attempts > 1 && t("admin.attempts", { count: attempts }),
    next && t("admin.next_at", { moment: momentWords(next) })];
  return element("li", {}, element("span", {}, element("strong", {}, t(`admin.delivery_${state}`)), ` ${t(`admin.topic_${event}`)} ${about}`,
    element("small", { class: "fine" }, ` ${[momentWords(at), ...why].filter(Boolean).join(" · ")}`)));
}
