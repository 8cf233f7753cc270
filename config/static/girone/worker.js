// The service worker, sent as /sw.js with GIRONE in front: pages come from the network, and from
// what was kept only where there is none. It never answers anything but a GET.
const FILES = `girone-${GIRONE.release}-files`;
const PUBLIC = `girone-${GIRONE.release}-public`;
const OWN = `girone-${GIRONE.release}-own-`; // and the reader
const HASHED = /\.[0-9a-f]{12}\.[a-z0-9]+$/;
const PATIENCE = 10000; // milliseconds for the network where there is something kept
const OLDEST = { public: 3 * 24 * 3600 * 1000, own: 12 * 3600 * 1000 };
const MOST = 40; // pages of each kind
const NEWS = "/offline/news"; // beside a page: what it was told since

// A page and its news are written in the order in which they came.
const turns = new Map();
function inTurn(href, write) {
  const [place] = href.split("#");
  const done = (turns.get(place) || Promise.resolve()).then(write).catch(() => {});
  turns.set(place, done);
  return done;
}

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

// The first page was there before its worker: it tells what it is, and which files it uses. Every
// page tells what it was told since.
self.addEventListener("message", (event) => {
  const { keep, files, news, at } = event.data || {};
  if (news) event.waitUntil(inTurn(at, () => noteNews(at, news)));
  if (!keep || !event.source?.url) return;
  event.waitUntil((async () => {
    const store = await caches.open(FILES);
    await Promise.all(files.filter((name) => new URL(name).pathname.startsWith(GIRONE.static)).map(async (name) => {
      if (!await store.match(name)) await store.add(name);
    }));
    const answer = await fetch(keep, { headers: { Accept: "text/html" } });
    await inTurn(keep, () => note(keep, answer));
  })().catch(() => {}));
});

// What a player has sent and the server has not stored yet (kept.js), once there is a connection.
self.addEventListener("sync", (event) => { if (event.tag === "girone-kept") event.waitUntil(sendKept()); });

async function sendKept() {
  const { token } = await (await fetch(GIRONE.session, { cache: "no-store" })).json();
  for (const entry of (await keptHere.all()).filter(({ sentence }) => sentence === undefined)) {
    const { status } = await keptHere.send(entry, token);
    if (status === "waits") throw new Error("no connection"); // the browser tries again
  }
  for (const page of await self.clients.matchAll()) page.postMessage({ sent: true });
}

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
    const heard = Date.now();
    const copy = answer.clone();
    event.waitUntil(inTurn(url.href, () => note(url.href, copy, heard)));
    return answer;
  } catch {
    return kept ? asOf(kept.page, await newsOf(kept)) : ownPage();
  }
}

async function note(href, answer, heard = Date.now()) {
  const isPage = (answer.headers.get("Content-Type") || "").startsWith("text/html");
  const language = answer.headers.get("Content-Language");
  if (isPage && language) await (await caches.open(FILES)).put("/offline/language", new Response(language));
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
  headers.set("X-Girone-Heard", String(heard));
  headers.set("X-Girone-Title", encodeURIComponent(/<title>([^<]*)/.exec(html)?.[1].trim() || href));
  await forget(href);
  const store = await caches.open(isPublic ? PUBLIC : OWN + reader);
  await store.put(href, new Response(html, { headers }));
  const known = (await store.keys()).filter((each) => new URL(each.url).pathname !== NEWS);
  await Promise.all(known.slice(0, Math.max(0, known.length - MOST)).map((old) => forget(old.url)));
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
  for (const name of await pageCaches()) {
    const store = await caches.open(name);
    await Promise.all([store.delete(href), store.delete(newsAt(href))]);
  }
}

async function keptPage(href) {
  for (const name of await pageCaches()) {
    const store = await caches.open(name);
    const found = await store.match(href);
    const oldest = name === PUBLIC ? OLDEST.public : OLDEST.own;
    if (found && Date.now() - Date.parse(found.headers.get("X-Girone-Stand")) < oldest) return { page: found, href, store };
    if (found) await store.delete(href);
  }
  return undefined;
}

// --- What a page was told since it was kept ----------------------------------------------------
// ``part`` is the fragment that its question was answered with last, ``stand`` when that was true;
// ``ahead`` is by how many milliseconds the server's time is before that of this device, and
// ``clock`` what the clock of the round showed when that was ``heard``.
const newsAt = (href) => `${NEWS}?of=${encodeURIComponent(href.split("#")[0])}`;

const newsOf = async ({ store, href }) => (await store.match(newsAt(href)))?.json() ?? {};

async function noteNews(href, news) {
  const kept = await keptPage(href);
  if (!kept) return;
  const all = { ...await newsOf(kept), ...news };
  await kept.store.put(newsAt(href), new Response(JSON.stringify(all)));
}

// The page says itself of when it is (offline.js, clock.js); headers stay what the server has sent.
async function asOf(kept, { part, stand, clock, heard, ahead }) {
  const html = await kept.text();
  const values = {
    stand: stand ?? kept.headers.get("X-Girone-Stand"),
    heard: heard ?? kept.headers.get("X-Girone-Heard"),
    ...(ahead !== undefined && { ahead }),
    ...(clock && { told: clock }),
  };
  const told = Object.entries(values).map(([name, value]) => ` data-${name}="${value}"`).join("");
  const end = part ? `<template id="kept-part">${part}</template></body>` : "</body>";
  const body = html.replace("<body", () => `<body${told}`).replace(/<\/body>(?![^]*<\/body>)/, () => end);
  return new Response(body, { headers: kept.headers });
}

async function ownPage() {
  const files = await caches.open(FILES);
  const chosen = await (await files.match("/offline/language"))?.text();
  const code = chosen || self.navigator.language.slice(0, 2);
  const found = await files.match(GIRONE.offline[code] || GIRONE.offline[GIRONE.language]);
  return found || Response.error();
}
