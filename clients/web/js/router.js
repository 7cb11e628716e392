/**
 * Addresses and their pages. The server reads this table too (`server/http/site/client_files.py`).
 *
 * @typedef {() => void} Leave ends what the page has started; called when the reader leaves the page
 * @typedef {(root: HTMLElement, parameters: Record<string, string>, app: import("./main.js").App)
 *   => Leave|undefined|void|Promise<Leave|undefined|void>} Show
 * @typedef {() => Promise<{show: Show}>} Load
 */

/** @type {[name: string, address: RegExp, keys: string[], load: Load][]} */
const PAGES = [
  ["home", /^\/$/, [], () => import("./pages/daily/home.js")],
  ["play", /^\/play\/([^/]+)$/, ["game"], () => import("./pages/games/play.js")],
  ["watch", /^\/watch\/([^/]+)$/, ["game"], () => import("./pages/watch/watch.js")],
  ["theatre", /^\/theatre(?:\/([^/]+))?$/, ["games"], () => import("./pages/watch/theatre.js")],
  ["games", /^\/games$/, [], () => import("./pages/games/games.js")],
  ["winnability", /^\/winnability$/, [], () => import("./pages/games/winnability.js")],
  ["played", /^\/deal\/([^/]+)(?:\/(\d+))?$/, ["deal", "slot"], () => import("./pages/games/deal.js")],
  ["rules", /^\/games\/([^/]+)$/, ["slug"], () => import("./pages/games/rules.js")],
  ["daily", /^\/daily\/([^/]+)$/, ["day"], () => import("./pages/daily/daily.js")],
  ["review", /^\/review\/(2\d{3}-\d\d-\d\d)$/, ["day"], () => import("./pages/daily/review.js")],
  ["puzzle", /^\/puzzle(?:\/(2\d{3}-\d\d-\d\d))?$/, ["day"], () => import("./pages/daily/puzzle.js")],
  ["calendar", /^\/calendar(?:\/(2\d{3}-(?:0[1-9]|1[0-2])))?$/, ["month"], () => import("./pages/daily/calendar.js")],
  ["seal", /^\/seal$/, [], () => import("./pages/daily/seal.js")],
  ["points", /^\/boards\/how$/, [], () => import("./pages/leaderboards/points.js")],
  ["boards", /^\/board\/([^/]+)(?:\/(\d+))?$/, ["board", "slot"], () => import("./pages/leaderboards/boards.js")],
  ["races", /^\/races$/, [], () => import("./pages/race/races.js")],
  ["race", /^\/race\/([^/]+)$/, ["race"], () => import("./pages/race/race.js")],
  ["replays", /^\/race\/([^/]+)\/replays$/, ["race"], () => import("./pages/race/replays.js")],
  ["evenings", /^\/evenings$/, [], () => import("./pages/evenings/evenings.js")],
  ["evening", /^\/evenings\/([^/]+)$/, ["evening"], () => import("./pages/evenings/evening.js")],
  ["ratings", /^\/ratings$/, [], () => import("./pages/evenings/ratings.js")],
  ["season", /^\/season(?:\/([^/]+))?$/, ["season"], () => import("./pages/evenings/season.js")],
  ["sheets", /^\/evenings\/([^/]+)\/print$/, ["evening"], () => import("./pages/evenings/print.js")],
  ["sit", /^\/e\/([^/]+)$/, ["code"], () => import("./pages/evenings/sit.js")],
  ["screen", /^\/screen\/([^/]+)$/, ["evening"], () => import("./pages/evenings/screen.js")],
  ["people", /^\/people$/, [], () => import("./pages/account/people.js")],
  ["group", /^\/groups\/([^/]+)$/, ["group"], () => import("./pages/account/group.js")],
  ["join", /^\/join\/([^/]+)$/, ["token"], () => import("./pages/account/join.js")],
  ["profile", /^\/players\/([^/]+)$/, ["player"], () => import("./pages/account/profile.js")],
  ["collection", /^\/players\/([^/]+)\/collection$/, ["player"], () => import("./pages/account/collection.js")],
  ["replay", /^\/replay\/([^/]+)$/, ["game"], () => import("./pages/watch/replay.js")],
  ["compare", /^\/compare\/([^/,]+),([^/,]+)$/, ["one", "other"], () => import("./pages/watch/compare.js")],
  ["audit", /^\/audit(?:\/([^/]+))?$/, ["game"], () => import("./pages/watch/audit.js")],
  ["house", /^\/house$/, [], () => import("./pages/admin/admin.js")],
  ["about", /^\/about$/, [], () => import("./pages/admin/about.js")],
  ["claim", /^\/house\/claim\/([^/]+)$/, ["code"], () => import("./pages/admin/claim.js")],
  ["access", /^\/access\/([^/]+)$/, ["code"], () => import("./pages/admin/access.js")],
  ["invited", /^\/invited\/([^/]+)$/, ["code"], () => import("./pages/admin/invited.js")],
  ["mail", /^\/mail\/([^/]+)$/, ["code"], () => import("./pages/account/mail.js")],
  ["digest", /^\/digest\/([^/]+)$/, ["code"], () => import("./pages/account/end_digest.js")],
  ["forgot", /^\/forgot$/, [], () => import("./pages/account/forgot.js")],
  ["settings", /^\/settings$/, [], () => import("./pages/account/settings.js")],
  ["provider", /^\/account\/provider$/, [], () => import("./pages/account/provider.js")],
  ["account", /^\/account$/, [], () => import("./pages/account/account.js")],
];

/**
 * The page of an address.
 * @param {string} path
 * @returns {{name: string, parameters: Record<string, string>, load: Load}}
 */
export function findPage(path) {
  for (const [name, pattern, keys, load] of PAGES) {
    const found = pattern.exec(path.length > 1 ? path.replace(/\/$/, "") : path);
    if (!found) continue;
    const given = keys.map((key, index) => [key, found[index + 1]]).filter(([, value]) => value !== undefined);
    try {
      const parameters = Object.fromEntries(given.map(([key, value]) => [key, decodeURIComponent(value)]));
      return { name, parameters, load };
    } catch {
      break; // The address has a percent sign that does not encode anything.
    }
  }
  return { name: "missing", parameters: {}, load: () => import("./pages/missing.js") };
}
