/**
 * The service worker: while the server cannot be reached, it answers requests for pages with a page that says so.
 *
 * It answers nothing from its cache while the network answers, so that nobody gets an old client after a deploy. It never
 * touches `/api` and the WebSocket. The server writes a digest of the cached files before the first line. So when one of these
 * files changes, the script changes too: the browser installs it, and it caches the files again.
 */
const KEPT = [
  "/offline.html", "/icon.svg", "/style/base.css", "/style/pages.css",
  "/js/offline.js", "/js/shell.js", "/js/language/translate.js", "/js/language/language_choice.js", "/js/settings/settings.js",
  "/languages/index.json",
];
const STORE = `shell ${self.DIGEST}`;

async function keep() {
  const store = await caches.open(STORE);
  const { languages } = await fetch("/languages/index.json").then((answer) => answer.json());
  await store.addAll([...KEPT, ...languages.map(({ tag }) => `/languages/${tag}.json`)]);
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
  if (page || KEPT.includes(pathname) || pathname.startsWith("/languages/")) event.respondWith(answer(event.request));
});
