/** The parts of the console of hosts and moderators, which few visitors need: they come with `later.js`. */
import { changeSeasons, listSeasons } from "../evening/evenings_api.js";
import { makeSeasonSettings } from "../evening/seasons/season_settings.js";
import { makeEmbedPanel } from "./embed_panel.js";
import { makeEntryPanel, makeInvitationsPanel } from "./entry_panel.js";
import { makeHistoryPanel } from "./history/panel.js";
import { makeLogPanel } from "./log_panel.js";
import { makeFindingsPanel } from "./moderation/findings_panel.js";
import { makeReportsPanel } from "./moderation/reports_panel.js";
import { makeRunsPanel } from "./moderation/runs_panel.js";
import { makePlayersPanel } from "./players_panel.js";
import { makeCrestPanel, makeProfilePanel } from "./profile_panel.js";
import { makeSchedulePanel } from "./schedule_panel.js";
import { makeWebhooksPanel } from "./webhooks_panel.js";

/** @typedef {"players"|"runs"|"reports"|"findings"|"entry"|"schedule"|"seasons"|"profile"|"news"|"history"|"log"} Part */

/**
 * The panels of one part.
 * @param {Part} name
 * @param {"moderator"|"host"} role
 * @param {{run: string, day: string, changed: () => unknown}} about the run and the day that the address names; what to call
 *   when less waits
 */
export async function panelsOf(name, role, { run, day, changed }) {
  if (name === "runs") return [await makeRunsPanel(run)];
  if (name === "findings") return [await makeFindingsPanel(day, changed)];
  if (name === "reports") return [await makeReportsPanel(role, changed)];
  if (name === "entry") return Promise.all([makeEntryPanel(), makeInvitationsPanel()]);
  if (name === "schedule") return [await makeSchedulePanel()];
  if (name === "seasons") {
    const { settings } = await listSeasons();
    return [makeSeasonSettings(settings, "/season", changeSeasons)];
  }
  if (name === "news") return [await makeWebhooksPanel(), makeEmbedPanel()];
  if (name === "history") return [makeHistoryPanel()];
  if (name === "profile") return Promise.all([makeProfilePanel(), makeCrestPanel()]);
  return [name === "log" ? await makeLogPanel() : await makePlayersPanel(role)];
}
