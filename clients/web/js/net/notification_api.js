/**
 * Notifications on this device: what the server sends, and the browser's subscription at its push service.
 *
 * @import { NewNotifications } from "wire"
 */
import { request } from "./api.js";
import { languageTag } from "../language/translate.js";

/** @typedef {Pick<NewNotifications, "topics"|"quiet">} Choice what the reader wants to be told, and when not */
/** @typedef {"insecure"|"apple"|"unsupported"|"denied"} Hindrance */
/** @typedef {"refused"|"no_service"} Failure */

export const readNotifications = () => request("GET /account/notifications");
export const tryNotifications = () => request("POST /account/notifications/test");

/** The subscription did not come about: the reader did not permit it, or the browser's push service does not answer. */
export class NotSubscribed extends Error {
  /** @param {Failure} why */
  constructor(why) {
    super(why);
    this.why = why;
  }
}

/** Why this browser can show no notifications of this page; null if it can. @returns {Hindrance|null} */
export function findHindrance(page = globalThis) {
  if (!page.isSecureContext) return "insecure";
  if (page.navigator.serviceWorker && "PushManager" in page && "Notification" in page) {
    return page.Notification.permission === "denied" ? "denied" : null;
  }
  // Only there has the navigator this property; a page that was added to the Home Screen has push.
  return "standalone" in page.navigator ? "apple" : "unsupported";
}

/** The name of the time zone of this device. */
export const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

/**
 * Have this device told what the reader has chosen. Throws NotSubscribed and Refusal.
 * @param {string} key the server's key
 * @param {Choice} choice
 */
export async function switchOn(key, choice) {
  if (await Notification.requestPermission() !== "granted") throw new NotSubscribed("refused");
  const { endpoint, keys } = (await subscribe(key)).toJSON();
  if (!endpoint || !keys) throw new NotSubscribed("no_service");
  const device = { endpoint, p256dh: keys.p256dh, auth: keys.auth };
  return request("PUT /account/notifications", {}, { ...device, ...choice, time_zone: timeZone(), language: languageTag() });
}

/** Have this device told nothing any more. Throws Refusal. */
export async function switchOff() {
  const left = await request("DELETE /account/notifications");
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe().catch(() => {});
  return left;
}

/** The browser's subscription for this key of the server. @param {string} key */
async function subscribe(key) {
  try {
    await navigator.serviceWorker.register("/worker.js");
    const { pushManager } = await navigator.serviceWorker.ready;
    const known = await pushManager.getSubscription();
    if (known && sameKey(known, key)) return known;
    await known?.unsubscribe();
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: keyBytes(key) });
  } catch {
    throw new NotSubscribed("no_service");
  }
}

/** @param {PushSubscription} known @param {string} key */
function sameKey(known, key) {
  const used = known.options.applicationServerKey;
  return used !== null && String(new Uint8Array(used)) === String(keyBytes(key));
}

/** The bytes of a key in base64url. @param {string} key */
export function keyBytes(key) {
  return Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
}
