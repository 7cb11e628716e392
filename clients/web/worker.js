/**
 * The service worker: while the server cannot be reached, it answers requests for pages with a page that says so. And it shows
 * the notifications that the reader has switched on.
 *
 * It answers nothing from its cache while the network answers, so that nobody gets an old client after a deploy. Requests of a page
 * to `/api` and the WebSocket never go through it. The server writes two lines before the first: the addresses to cache, and a digest of what is
 * there. So when one of these files changes, the script changes too: the browser installs it, and it caches the files again.
 */
const STORE = `shell ${self.DIGEST}`;
/** How long the network has for the head of an answer: the body of a page may take longer on a slow line. */
const DEADLINE_MILLISECONDS = 10000;

async function keep() {
  const store = await caches.open(STORE);
  await store.addAll(self.KEPT);
  await self.skipWaiting();
}

async function takeOver() {
  for (const name of await caches.keys()) if (name !== STORE) await caches.delete(name);
  await self.clients.claim();
}

/** Fetch, and throw also if the answer has not begun in time. */
async function fetchInTime(request, options) {
  let timer;
  const late = new Promise((_, fail) => {
    timer = setTimeout(() => fail(new Error("The network did not answer in time.")), DEADLINE_MILLISECONDS);
  });
  return Promise.race([fetch(request, options), late]).finally(() => clearTimeout(timer));
}

/** The answer of the network, or the cached file if the network does not answer. */
async function answer(request) {
  try {
    return await fetchInTime(request);
  } catch (problem) {
    const kept = await caches.match(request.mode === "navigate" ? "/offline.html" : request, { ignoreSearch: true });
    if (!kept) throw problem;
    return kept;
  }
}

/**
 * Show a notification. A page need not be open for it.
 * @param {{title: string, body: string, url: string, tag: string}} shown
 */
function notify({ title, body, url, tag }) {
  return self.registration.showNotification(title, { body, tag, icon: "/icons/icon-192.png", data: { url } });
}

/** Go to the window that shows the page of a notification, or open one: a game in another window is left alone. */
async function openPage(path) {
  const { href, origin } = new URL(path, location.origin);
  if (origin !== location.origin) return;
  const windows = await self.clients.matchAll({ type: "window" });
  const there = windows.find((one) => one.url === href);
  await (there ? there.focus() : self.clients.openWindow(href));
}

/** Tell the server the new address of this device: its push service gives it another one now and then. */
async function renewSubscription(given) {
  const address = "/api/v1/account/notifications";
  const { key, device } = await (await fetchInTime(address)).json();
  if (!device) return;
  const subscription = given ?? await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint, keys } = subscription.toJSON();
  const { topics, time_zone, quiet, language } = device;
  const body = JSON.stringify({ endpoint, p256dh: keys.p256dh, auth: keys.auth, topics, time_zone, quiet, language });
  await fetchInTime(address, { method: "PUT", headers: { "Content-Type": "application/json" }, body });
}

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(takeOver()));
addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const page = event.request.mode === "navigate" && !pathname.startsWith("/api/");
  if (event.request.method !== "GET" || origin !== location.origin) return;
  if (page || self.KEPT.includes(pathname)) event.respondWith(answer(event.request));
});
addEventListener("push", (event) => event.waitUntil(notify(event.data.json())));
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.url));
});
addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renewSubscription(event.newSubscription)));
