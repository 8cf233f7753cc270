// The service worker, sent as /sw.js with GIRONE in front: pages come from the network, and from
// what was kept only where there is none. It never answers anything but a GET.
const FILES = `girone-${GIRONE.release}-files`;
const PUBLIC = `girone-${GIRONE.release}-public`;
const OWN = `girone-${GIRONE.release}-own-`; // and the reader
const HASHED = /\.[0-9a-f]{12}\.[a-z0-9]+$/;
const PATIENCE = 10000; // milliseconds for the network where there is something kept
const OLDEST = { public: 3 * 24 * 3600 * 1000, own: 12 * 3600 * 1000 };
const MOST = 40; // pages of each kind

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const files = await caches.open(FILES);
    const pages = Object.values(GIRONE.offline).map((url) => new Request(url, { credentials: "omit", cache: "reload" }));
    await files.addAll([...GIRONE.shell, ...pages]);
    await self.skipWaiting();
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const ours = `girone-${GIRONE.release}-`;
    const others = (await caches.keys()).filter((name) => name.startsWith("girone-") && !name.startsWith(ours));
    await Promise.all(others.map((name) => caches.delete(name)));
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event, url));
  else if (url.pathname.startsWith(GIRONE.static)) event.respondWith(file(request, url));
});

// The first page was there before its worker: it tells what it is, and which files it uses.
self.addEventListener("message", (event) => {
  const { keep, files } = event.data || {};
  if (!keep || !event.source?.url) return;
  event.waitUntil((async () => {
    const store = await caches.open(FILES);
    await Promise.all(files.filter((name) => new URL(name).pathname.startsWith(GIRONE.static)).map(async (name) => {
      if (!await store.match(name)) await store.add(name);
    }));
    const answer = await fetch(keep, { headers: { Accept: "text/html" } });
    await note(keep, answer);
  })().catch(() => {}));
});

// --- Files -----------------------------------------------------------------------------------
async function file(request, url) {
  const store = await caches.open(FILES);
  const kept = await store.match(request);
  if (kept && HASHED.test(url.pathname)) return kept;
  try {
    const answer = await fetch(request);
    if (answer.status === 200) await store.put(request, answer.clone());
    return answer;
  } catch (lost) {
    if (kept) return kept;
    throw lost;
  }
}

// --- Pages -----------------------------------------------------------------------------------
async function page(event, url) {
  const kept = await keptPage(url.href);
  const signal = kept ? AbortSignal.timeout(PATIENCE) : undefined;
  try {
    const answer = await fetch(event.request, { signal });
    event.waitUntil(note(url.href, answer.clone()).catch(() => {}));
    return answer;
  } catch {
    return kept ? asOf(kept) : ownPage();
  }
}

async function note(href, answer) {
  const isPage = (answer.headers.get("Content-Type") || "").startsWith("text/html");
  const reader = answer.headers.get("X-Girone-Reader") || "";
  if (answer.type === "opaqueredirect" || answer.redirected || [403, 404, 410].includes(answer.status)) return forget(href);
  if (answer.status !== 200 || !isPage) return undefined;
  await forgetOthers(reader);
  const isPublic = !(answer.headers.get("Cache-Control") || "").includes("no-store");
  if (!isPublic && !(reader && answer.headers.get("X-Girone-Keep"))) return forget(href);
  const html = await answer.text();
  const headers = new Headers(answer.headers);
  for (const name of ["Content-Encoding", "Content-Length", "Transfer-Encoding"]) headers.delete(name);
  const sent = new Date(answer.headers.get("Date") || Date.now());
  headers.set("X-Girone-Stand", sent.toISOString());
  headers.set("X-Girone-Title", encodeURIComponent(/<title>([^<]*)/.exec(html)?.[1].trim() || href));
  await forget(href);
  const store = await caches.open(isPublic ? PUBLIC : OWN + reader);
  await store.put(href, new Response(html, { headers }));
  const known = await store.keys();
  await Promise.all(known.slice(0, Math.max(0, known.length - MOST)).map((old) => store.delete(old)));
  const files = await caches.open(FILES);
  await files.put("/offline/language", new Response(answer.headers.get("Content-Language") || ""));
}

// The reader of before has signed out, or somebody else has come.
async function forgetOthers(reader) {
  const own = (await caches.keys()).filter((name) => name.startsWith(OWN) && name !== OWN + reader);
  await Promise.all(own.map((name) => caches.delete(name)));
}

async function pageCaches() {
  return (await caches.keys()).filter((name) => name === PUBLIC || name.startsWith(OWN));
}

async function forget(href) {
  for (const name of await pageCaches()) await (await caches.open(name)).delete(href);
}

async function keptPage(href) {
  for (const name of await pageCaches()) {
    const store = await caches.open(name);
    const found = await store.match(href);
    const oldest = name === PUBLIC ? OLDEST.public : OLDEST.own;
    if (found && Date.now() - Date.parse(found.headers.get("X-Girone-Stand")) < oldest) return found;
    if (found) await store.delete(href);
  }
  return undefined;
}

// The page says itself of when it is (offline.js); headers stay what the server has sent.
async function asOf(kept) {
  const html = await kept.text();
  const stand = `<body data-stand="${kept.headers.get("X-Girone-Stand")}"`;
  return new Response(html.replace("<body", stand), { headers: kept.headers });
}

async function ownPage() {
  const files = await caches.open(FILES);
  const chosen = await (await files.match("/offline/language"))?.text();
  const code = chosen || self.navigator.language.slice(0, 2);
  const found = await files.match(GIRONE.offline[code] || GIRONE.offline[GIRONE.language]);
  return found || Response.error();
}
