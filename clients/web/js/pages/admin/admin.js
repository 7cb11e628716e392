/** The console of hosts and moderators: players, runs, reports, findings, entry, branding, history, log. The address may name a run (`/house?run=<id>`), or a part and a day (`/house?part=findings&day=2026-11-20`). */
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { readRole } from "../../net/admin_api.js";
import { readWaiting } from "../../net/reports_api.js";
import { element, fill } from "../../ui/dom.js";
import { loadLater } from "../../ui/load_later.js";
import { makeChoices } from "../../ui/tabs.js";

/** @typedef {import("../../admin/console_panels.js").Part} Part */

/** What somebody with this role finds here. @type {Record<"moderator"|"host", Part[]>} */
const PARTS = { moderator: ["players", "runs", "reports", "findings", "history"], host: ["players", "runs", "reports", "findings", "entry", "schedule", "seasons", "profile", "news", "history", "log"] };

/** @type {import("../../router.js").Show} */
export async function show(root, _parameters, app) {
  app.title(t("admin.title"));
  const role = await readRole();
  if (!role) {
    fill(root, element("section", { class: "panel notice" }, element("h1", {}, t("admin.title")), element("p", {}, t("admin.only"))));
    return;
  }
  const asked = new URLSearchParams(location.search);
  const run = asked.get("run") ?? "";
  const first = run ? "runs" : PARTS[role].find((name) => name === asked.get("part")) ?? "players";
  const part = element("div", { class: "admin-part" });
  let chosen = 0;
  /** @param {Part} name */
  const open = async (name) => {
    chosen += 1;
    const mine = chosen;
    const about = { run, day: asked.get("day") ?? "", changed: count };
    const made = await loadLater().then(({ panelsOf }) => panelsOf(name, role, about)).catch((refusal) => [element("p", { class: "problem", role: "alert" }, refusalWords(refusal))]);
    if (mine === chosen) fill(part, ...made);
  };
  const parts = makeChoices(t("admin.parts"), PARTS[role].map((value) => ({ text: t(`admin.${value}`), value })), first, (name) => {
    history.replaceState(history.state, "", `?part=${name}`);
    return open(name);
  });
  const count = async () => {
    const { reports, days } = await readWaiting();
    const waiting = new Map([["reports", reports], ["findings", days.filter(({ seen }) => !seen).length]]);
    PARTS[role].forEach((name, index) => {
      const part = t(`admin.${name}`);
      parts.children[index].textContent = waiting.get(name) ? t("admin.part_with_count", { part, count: waiting.get(name) ?? 0 }) : part;
    });
  };
  fill(root, element("header", { class: "heading" }, element("h1", {}, t("admin.title")), parts), part);
  await Promise.all([open(first), count()]);
}
