/**
 * What may be done to a player: which acts there are for whom, and how each one is sent.
 *
 * @import { PlayerForStaff, OneTimeLink, Why } from "wire"
 */
import { banPlayer, changeRole, erasePlayer, mutePlayer, renamePlayer, resetAccess, signOutPlayer, suspendPlayer } from "../net/admin_api.js";
import { serverNow } from "../net/server_clock.js";

const MILLISECONDS_PER_DAY = 24 * 3600 * 1000;

/** @typedef {"rename"|"mute"|"unmute"|"suspend"|"restore"|"ban"|"erase"|"sign_out"|"reset"|"make_moderator"|"make_host"|"unmake"} ActName */
/** @typedef {{name: string, days: number}} Details the new name, and for how many days a mute or a suspension holds */

/**
 * The acts on a player that somebody with this role can do now.
 * @param {PlayerForStaff} about @param {"moderator"|"host"} role of who acts
 * @returns {ActName[]}
 */
export function possibleActs({ player, role: theirs, suspended_until: until, muted_until: muted, banned }, role) {
  const isHost = role === "host";
  if (theirs) return isHost ? [theirs === "host" ? "make_moderator" : "make_host", "unmake"] : [];
  /** @type {[ActName, boolean][]} */
  const acts = [
    ["rename", !player.guest],
    ["mute", !banned],
    ["unmute", Boolean(muted)],
    ["suspend", !banned],
    ["restore", Boolean(until) || (Boolean(banned) && isHost)],
    ["sign_out", !player.guest],
    ["ban", isHost && !banned],
    ["reset", isHost && !player.guest && !player.bot],
    ["erase", isHost && !player.bot],
    ["make_moderator", isHost && !player.guest && !player.bot && !banned && !until],
    ["make_host", isHost && !player.guest && !player.bot && !banned && !until],
  ];
  return acts.filter(([, isPossible]) => isPossible).map(([name]) => name);
}

/**
 * Do an act. The answer is the link that it has made, or null.
 * @param {ActName} act @param {PlayerForStaff} about @param {Why} why @param {Details} details
 * @returns {Promise<OneTimeLink|null>}
 */
export async function doAct(act, { player: { id }, banned }, why, { name, days }) {
  if (act === "reset") return resetAccess(id, why);
  /** @type {Record<Exclude<ActName, "reset">, () => Promise<unknown>>} */
  const sent = {
    rename: () => renamePlayer(id, { ...why, name }),
    mute: () => mutePlayer(id, { ...why, until: serverNow() + days * MILLISECONDS_PER_DAY }),
    unmute: () => mutePlayer(id, { ...why, until: null }),
    suspend: () => suspendPlayer(id, { ...why, until: serverNow() + days * MILLISECONDS_PER_DAY }),
    restore: () => (banned ? banPlayer(id, { ...why, banned: false }) : suspendPlayer(id, { ...why, until: null })),
    ban: () => banPlayer(id, { ...why, banned: true }),
    erase: () => erasePlayer(id, { reason: why.reason }),
    sign_out: () => signOutPlayer(id, why),
    make_moderator: () => changeRole(id, { ...why, role: "moderator" }),
    make_host: () => changeRole(id, { ...why, role: "host" }),
    unmake: () => changeRole(id, { ...why, role: null }),
  };
  await sent[act]();
  return null;
}
