/**
 * Speaks when the server cannot: in place of a page that cannot be had, one that says so.
 *
 * Nothing is answered from here while the network answers, so that no deploy leaves an old client behind; `/api` and the
 * socket are never touched. The server writes a digest of the kept files before the first line: when one of them changes this
 * script does too, the browser takes it in, and it keeps them anew.
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

/** From the network; what is kept where there is none. */
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
