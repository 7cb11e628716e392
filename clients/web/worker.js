/**
 * The service worker: while the server cannot be reached, it answers requests for pages with a page that says so.
 *
 * It answers nothing from its cache while the network answers, so that nobody gets an old client after a deploy. It never
 * touches `/api` and the WebSocket. The server writes two lines before the first: the addresses to cache, and a digest of what is
 * there. So when one of these files changes, the script changes too: the browser installs it, and it caches the files again.
 */
const STORE = `shell ${self.DIGEST}`;

async function keep() {
  const store = await caches.open(STORE);
  await store.addAll(self.KEPT);
  await self.skipWaiting();
}

async function takeOver() {
  for (const name of await caches.keys()) if (name !== STORE) await caches.delete(name);
  await self.clients.claim();
}

/** The answer of the network, or the cached file if there is no network. */
async function answer(request) {
  try {
    return await fetch(request);
  } catch (problem) {
    const kept = await caches.match(request.mode === "navigate" ? "/offline.html" : request, { ignoreSearch: true });
    if (!kept) throw problem;
    return kept;
  }
}

addEventListener("install", (event) => event.waitUntil(keep()));
addEventListener("activate", (event) => event.waitUntil(takeOver()));
addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const page = event.request.mode === "navigate" && !pathname.startsWith("/api/");
  if (event.request.method !== "GET" || origin !== location.origin) return;
  if (page || self.KEPT.includes(pathname)) event.respondWith(answer(event.request));
});
