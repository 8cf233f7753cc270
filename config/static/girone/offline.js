// Starts the service worker where the browser has one (https, or this machine itself), says of
// when a kept page is, and lists the pages that can be read without connection.
"use strict";

(() => {
  const AGAIN = 5000; // milliseconds between two looks whether the server answers
  const { stand } = document.body.dataset;
  const zone = document.querySelector("[data-zone]")?.dataset.zone; // of the event, where its clock is shown
  const place = document.getElementById("connection");

  async function start() {
    const held = navigator.serviceWorker.controller;
    const begun = await navigator.serviceWorker.register("/sw.js");
    if (held || stand || !begun) return;
    const { active } = await navigator.serviceWorker.ready;
    const files = performance.getEntriesByType("resource").map((entry) => entry.name).filter((name) => name.startsWith(location.origin));
    active.postMessage({ keep: location.href, files });
  }

  // Tells the worker what the page was told since it was opened (noteNews in worker.js says what).
  window.keepNews = (news) => navigator.serviceWorker?.controller?.postMessage({ news, at: location.href });

  function timeOf(moment) {
    const today = moment.toDateString() === new Date().toDateString();
    const day = today ? {} : { day: "numeric", month: "numeric" };
    return moment.toLocaleString(document.documentElement.lang, { ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone });
  }

  const isTyped = () => [...document.querySelectorAll("input:not([type=hidden]), textarea")].some(
    (field) => !["checkbox", "radio", "submit"].includes(field.type) && field.value !== field.defaultValue,
  );

  // Of when the page is, where it says so itself.
  function fillIn() {
    const moment = document.body.dataset.lastHeard ?? stand;
    if (moment) document.querySelectorAll("[data-as-of]").forEach((each) => { each.textContent = timeOf(new Date(moment)); });
  }
  fillIn();
  document.addEventListener("heard", fillIn);
  document.addEventListener("polled", fillIn);

  // A kept page gives way to what is true now, but never with something typed in it, or kept by it.
  async function comeBack() {
    if (!document.dispatchEvent(new CustomEvent("coming-back", { cancelable: true }))) return;
    if (document.hidden || document.querySelector("dialog[open]") || isTyped()) return;
    if (await window.serverAnswers()) location.reload();
  }

  async function list(into) {
    const found = new Map();
    for (const name of await caches.keys()) {
      if (!/^girone-.*-(public|own-.*)$/.test(name)) continue;
      const store = await caches.open(name);
      for (const request of await store.keys()) {
        const title = (await store.match(request))?.headers.get("X-Girone-Title");
        if (title) found.set(request.url, decodeURIComponent(title));
      }
    }
    const lines = [...found].reverse().map(([url, title]) => {
      const line = document.createElement("li");
      const link = document.createElement("a");
      Object.assign(link, { href: url, textContent: new DOMParser().parseFromString(title, "text/html").body.textContent });
      line.append(link);
      return line;
    });
    into.replaceChildren(...lines);
    into.closest("section").hidden = !lines.length;
  }

  if ("serviceWorker" in navigator && window.isSecureContext) start().catch(() => {});
  const kept = document.getElementById("kept-pages");
  if (kept) list(kept).catch(() => {});
  if (stand) {
    const line = document.getElementById("stand").content.firstElementChild.cloneNode(true);
    const since = line.querySelector("b");
    since.textContent = since.textContent.replace("TIME", timeOf(new Date(stand)));
    place.before(line);
  }
  if (stand || kept) {
    setInterval(comeBack, AGAIN);
    window.addEventListener("online", comeBack);
  }
})();
