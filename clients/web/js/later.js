/**
 * The entry point of what only some visitors need: a script of its own, so that a first visit does not bring it.
 *
 * `ui/load_later.js` loads it. In the bundle it has its own copies of the modules that it imports, so it is told the language, and is given
 * what was read from the server.
 */
export { makeCollection } from "./collection/collection_view.js";
export { makeYesterday } from "./daily/yesterday.js";
export { makeArenaStanding, makeArenaSummary, pointsWords } from "./evening/arena_view.js";
export { makeFormPanel } from "./evening/form_panel.js";
export { makeCertificates, makeNotice } from "./evening/sheets.js";
export { makeStanding } from "./evening/standing_table.js";
export { setLanguage } from "./language/translate.js";
