/**
 * The entry point of what only some visitors need: a script of its own, so that a first visit does not bring it.
 *
 * `ui/load_later.js` loads it. In the bundle it has its own copies of the modules that it imports, so it is told the language, and is given
 * what was read from the server, or asks for more itself.
 */
export { panelsOf } from "./admin/console_panels.js";
export { makeCollection, makeShields } from "./collection/collection_view.js";
export { makeYesterday } from "./daily/yesterday.js";
export { makeArenaStanding, makeArenaSummary, pointsWords } from "./evening/arena_view.js";
export { makeEveningBand } from "./evening/evening_band.js";
export { makeFormPanel } from "./evening/form_panel.js";
export { makeLeaderPanel, makeSeriesLine } from "./evening/leader_panel.js";
export { challengeAgain, findRival, makeDue, makeMatchPanel } from "./evening/match_panel.js";
export { makeEveningForm } from "./evening/make_form.js";
export { makeObjectionsPanel } from "./evening/objections_panel.js";
export { makeSeasonSettings } from "./evening/seasons/season_settings.js";
export { makeSeason } from "./evening/seasons/season_table.js";
export { makeCertificates, makeNotice } from "./evening/sheets.js";
export { makeStanding } from "./evening/standing_table.js";
export { makeEntrants, makeTeamChoice } from "./evening/teams_panel.js";
export { makeVirtualPanel } from "./evening/virtual_panel.js";
export { checkEvening } from "./watch/evening_report.js";
export { setLanguage } from "./language/translate.js";
