/**
 * What this device tells its reader while the page is closed: switched on and off, and when it is quiet.
 *
 * @import { NewNotifications, Notifications } from "wire"
 */
import { refusalWords } from "../language/refusals.js";
import { t } from "../language/translate.js";
import { findHindrance, NotSubscribed, readNotifications, switchOff, switchOn, timeZone, tryNotifications } from "../net/notification_api.js";
import { button, clearOnInput, element, fill, oneAtATime } from "../ui/dom.js";

/** @type {NewNotifications["topics"]} */
const TOPICS = ["day_opened", "overtaken", "race_started", "evening_begins", "challenged", "series_stopped"];
const NIGHT = { begin: "22:00", end: "07:00" };

/** The panel; null where the server does not answer. */
export async function makeNotificationsPanel() {
  const own = await readNotifications().catch(() => null);
  if (!own) return null;
  const panel = element("section", { class: "panel" });
  const hindrance = findHindrance();
  fill(panel, element("h2", {}, t("notifications.title")), element("p", {}, t("notifications.words")),
    hindrance ? hinderedPart(own, t(`notifications.${hindrance}`)) : form(own));
  return panel;
}

/** What stands in place of the form where the browser can show nothing. @param {Notifications} own @param {string} why */
function hinderedPart({ device }, why) {
  const part = element("div", {}, element("p", { class: "fine" }, why));
  if (device) {
    const off = button(t("notifications.switch_off"), async () => {
      await switchOff();
      off.remove();
    });
    part.append(element("p", { class: "actions" }, off));
  }
  return part;
}

/** @param {Notifications} own */
function form({ key, device, others }) {
  const boxes = TOPICS.map((topic) => ({
    topic, box: element("input", { id: `notify-${topic}`, type: "checkbox", checked: device?.topics.includes(topic) }),
  }));
  const quiet = element("input", { id: "notify-quiet", type: "checkbox", checked: !device || Boolean(device.quiet) });
  const night = device?.quiet ?? NIGHT;
  const begin = element("input", { id: "notify-begin", type: "time", value: night.begin, required: true });
  const end = element("input", { id: "notify-end", type: "time", value: night.end, required: true });
  const times = element("div", { class: "times" }, element("label", { for: begin.id }, t("notifications.quiet_begin")), begin,
    element("label", { for: end.id }, t("notifications.quiet_end")), end);
  const state = element("p", {});
  const problem = element("p", { class: "problem", role: "alert" });
  const said = element("p", { role: "status", class: "told" });
  const submit = element("button", { class: "button primary" });
  const test = button(t("notifications.test"), () => attempt(tryNotifications, "test_sent"));
  const off = button(t("notifications.switch_off"), () => attempt(switchOff, "switched_off"));

  /** @param {Notifications["device"]} now */
  const show = (now) => {
    state.textContent = t(now ? "notifications.is_on" : "notifications.is_off");
    submit.textContent = t(now ? "notifications.save" : "notifications.switch_on");
    test.hidden = off.hidden = !now;
  };
  /** @param {() => Promise<Notifications>} work @param {"saved"|"test_sent"|"switched_off"} done */
  const attempt = async (work, done) => {
    problem.textContent = "";
    said.textContent = "";
    try {
      show((await work()).device);
      said.textContent = t(`notifications.${done}`);
    } catch (refusal) {
      problem.textContent = refusal instanceof NotSubscribed ? t(`notifications.${refusal.why}`) : refusalWords(refusal);
    }
  };
  const save = oneAtATime(async () => {
    const topics = boxes.filter(({ box }) => box.checked).map(({ topic }) => topic);
    if (!topics.length) {
      said.textContent = "";
      problem.textContent = t("notifications.no_topic");
      return;
    }
    await attempt(() => switchOn(key, { topics, quiet: quiet.checked ? { begin: begin.value, end: end.value } : undefined }), "saved");
  });
  const showTimes = () => {
    times.hidden = !quiet.checked;
    begin.disabled = end.disabled = !quiet.checked;
  };
  quiet.addEventListener("change", showTimes);
  showTimes();
  show(device);
  const made = element("form", {
    class: "form",
    on: {
      submit: (event) => {
        event.preventDefault();
        save();
      },
    },
  }, state, others ? element("p", { class: "fine" }, t("notifications.others", { count: others })) : null,
  element("fieldset", { class: "plain" }, element("legend", {}, t("notifications.topics")),
    boxes.map(({ topic, box }) => element("label", { class: "check", for: box.id }, box, t(`notifications.topic_${topic}`)))),
  element("fieldset", { class: "plain" }, element("legend", {}, t("notifications.quiet")),
    element("label", { class: "check", for: quiet.id }, quiet, t("notifications.quiet_words", { zone: timeZone() })), times),
  problem, said, element("p", { class: "actions" }, submit, test, off));
  clearOnInput(made, problem);
  return made;
}
