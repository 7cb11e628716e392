/** The console of hosts and moderators: players, runs, reports, findings, entry, branding, history, log. The address may name a run (`/house?run=<id>`), or a part and a day (`/house?part=findings&day=2026-11-20`). */
import { changeSeasons, listSeasons } from "../../evening/evenings_api.js";
import { makeEmbedPanel } from "../../admin/embed_panel.js";
import { makeEntryPanel, makeInvitationsPanel } from "../../admin/entry_panel.js";
import { makeFindingsPanel } from "../../admin/moderation/findings_panel.js";
import { makeHistoryPanel } from "../../admin/history/panel.js";
import { makeLogPanel } from "../../admin/log_panel.js";
import { makePlayersPanel } from "../../admin/players_panel.js";
import { makeCrestPanel, makeProfilePanel } from "../../admin/profile_panel.js";
import { makeReportsPanel } from "../../admin/moderation/reports_panel.js";
import { makeRunsPanel } from "../../admin/moderation/runs_panel.js";
import { makeSchedulePanel } from "../../admin/schedule_panel.js";
import { makeWebhooksPanel } from "../../admin/webhooks_panel.js";
import { refusalWords } from "../../language/refusals.js";
import { t } from "../../language/translate.js";
import { readRole } from "../../net/admin_api.js";
import { readWaiting } from "../../net/reports_api.js";
import { element, fill } from "../../ui/dom.js";
import { loadLater } from "../../ui/load_later.js";
import { makeChoices } from "../../ui/tabs.js";

/** @typedef {"players"|"runs"|"reports"|"findings"|"entry"|"schedule"|"seasons"|"profile"|"news"|"history"|"log"} Part */

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
    const made = await panelsOf(name, role, { run, day: asked.get("day") ?? "", changed: count }).catch((refusal) => [element("p", { class: "problem", role: "alert" }, refusalWords(refusal))]);
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

/**
 * @param {Part} name
 * @param {"moderator"|"host"} role
 * @param {{run: string, day: string, changed: () => unknown}} about the run and the day that the address names; what to call
 *   when less waits
 */
async function panelsOf(name, role, { run, day, changed }) {
  if (name === "runs") return [await makeRunsPanel(run)];
  if (name === "findings") return [await makeFindingsPanel(day, changed)];
  if (name === "reports") return [await makeReportsPanel(role, changed)];
  if (name === "entry") return Promise.all([makeEntryPanel(), makeInvitationsPanel()]);
  if (name === "schedule") return [await makeSchedulePanel()];
  if (name === "seasons") {
    const [{ settings }, { makeSeasonSettings }] = await Promise.all([listSeasons(), loadLater()]);
    return [makeSeasonSettings(settings, "/season", changeSeasons)];
  }
  if (name === "news") return [await makeWebhooksPanel(), makeEmbedPanel()];
  if (name === "history") return [makeHistoryPanel()];
  if (name === "profile") return Promise.all([makeProfilePanel(), makeCrestPanel()]);
  return [name === "log" ? await makeLogPanel() : await makePlayersPanel(role)];
}
