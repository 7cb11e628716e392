/** Addresses and the pages behind them. */

const PAGES = [
  ["home", /^\/$/, [], () => import("./pages/home.js")],
  ["play", /^\/play\/([^/]+)$/, ["game"], () => import("./pages/play.js")],
  ["watch", /^\/watch\/([^/]+)$/, ["game"], () => import("./pages/watch.js")],
  ["games", /^\/games$/, [], () => import("./pages/games.js")],
  ["rules", /^\/games\/([^/]+)$/, ["slug"], () => import("./pages/rules.js")],
  ["daily", /^\/daily\/([^/]+)$/, ["day"], () => import("./pages/daily.js")],
  ["leaderboard", /^\/board\/([^/]+)$/, ["day"], () => import("./pages/leaderboard.js")],
  ["replay", /^\/replay\/([^/]+)$/, ["game"], () => import("./pages/replay.js")],
  ["account", /^\/account$/, [], () => import("./pages/account.js")],
];

/**
 * The page of an address.
 * @param {string} path
 * @returns {{name: string, parameters: Record<string, string>, load: () => Promise<{show: Function}>}}
 */
export function findPage(path) {
  for (const [name, pattern, keys, load] of PAGES) {
    const found = pattern.exec(path.length > 1 ? path.replace(/\/$/, "") : path);
    if (!found) continue;
    const parameters = Object.fromEntries(keys.map((key, index) => [key, decodeURIComponent(found[index + 1])]));
    return { name, parameters, load };
  }
  return { name: "missing", parameters: {}, load: () => import("./pages/missing.js") };
}
