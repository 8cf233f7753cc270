// The clock of the round. It counts from what the server said last, by the page's own count of
// milliseconds: the time of day of this device does not matter. Every answer to the page's own
// asking says what is left, also where nothing else has changed.
"use strict";

(() => {
  const NEAR = 0.4; // seconds: less is the way of the answer, not the clock
  const said = document.getElementById("said");
  let known = null; // { state, left, at }: seconds left when the page had counted so far
  let shown = null; // what was said last, so that it is not said again
  let timer = 0;
  const heard = new Set();

  const goes = () => known.state === "running" || known.state === "over";
  const left = (extra) => known.left - (goes() ? (performance.now() - known.at) / 1000 : 0) + 60 * extra;

  function face(seconds) {
    const whole = Math.ceil(seconds);
    const size = Math.abs(whole);
    return `${whole < 0 ? "+" : ""}${Math.floor(size / 60)}:${String(size % 60).padStart(2, "0")}`;
  }

  function learn(state, seconds, at) {
    if (!Number.isFinite(seconds)) return;
    const before = known;
    const same = before && before.state === state;
    if (same && Math.abs(left(0) - (seconds - (state === "running" ? (performance.now() - at) / 1000 : 0))) < NEAR) return;
    known = { state, left: seconds, at };
  }

  function stateOf(extra) {
    return goes() ? (left(extra) <= 0 ? "over" : "running") : known.state;
  }

  function draw(place) {
    const extra = Number(place.dataset.extra);
    const seconds = left(extra);
    const state = stateOf(extra);
    const words = JSON.parse(place.dataset.words);
    const warnings = JSON.parse(place.dataset.warnings);
    const given = Object.keys(warnings).map(Number).filter((minutes) => seconds > 0 && seconds <= 60 * minutes);
    const warning = state === "running" && given.length ? Math.min(...given) : 0;
    const overtime = state === "over" && seconds > -60 * Number(place.dataset.overtime || 0);
    const note = overtime ? words.overtime : state === "running" ? warnings[warning] || "" : words[state] || "";
    const until = place.querySelector(".clock-until");
    place.querySelector(".clock-face").hidden = false;
    place.querySelector(".clock-face").textContent = face(seconds);
    if (place.querySelector(".clock-note").textContent !== note) place.querySelector(".clock-note").textContent = note;
    if (until) until.hidden = state !== "running";
    const ring = place.closest(".ring")?.querySelector(".left");
    const share = seconds > 0 ? Math.min(1, seconds / (60 * Number(place.dataset.minutes) || 1)) : 1;
    if (ring) ring.setAttribute("stroke-dasharray", `${(100 * share).toFixed(1)} 100`);
    place.classList.toggle("bad", state === "over");
    place.classList.toggle("warn", state === "paused" || warning > 0);
    return { key: `${state} ${warning} ${overtime}`, words: note || words[state] || "" };
  }

  function draws() {
    clearTimeout(timer);
    if (!known) return;
    let now = null;
    document.querySelectorAll("[data-clock]").forEach((place) => { now = draw(place); });
    document.querySelectorAll("[data-own]").forEach((place) => {
      place.hidden = known.state === "ready";
      place.textContent = face(left(Number(place.dataset.own)));
    });
    if (now && shown !== null && now.key !== shown && !now.key.startsWith("ready")) say([now.words]);
    if (now) shown = now.key;
    if (goes()) timer = setTimeout(draws, 1000 * (((left(0) % 1) + 1) % 1) + 10);
  }

  // A polite region says a change once; seconds are never read out.
  function say(sentences) {
    const words = sentences.filter(Boolean).join(" ");
    if (said && words) said.textContent = words;
  }

  function listen() {
    const fresh = [];
    document.querySelectorAll("[data-announcement]").forEach((place) => {
      if (!heard.has(place.dataset.announcement)) fresh.push(place.querySelector("strong").textContent);
      heard.add(place.dataset.announcement);
    });
    return fresh;
  }

  document.addEventListener("answered", (event) => {
    const header = event.detail.headers.get("X-Clock");
    if (!header) return;
    const [state, seconds] = header.split(" ");
    learn(state, Number(seconds), (event.detail.asked + performance.now()) / 2);
    draws();
  });
  document.addEventListener("polled", () => { say(listen()); draws(); });
  document.addEventListener("visibilitychange", draws);

  // The page was written when its first byte came, or the server kept it and wrote at its end what
  // the clock shows now.
  const first = document.querySelector("[data-clock]");
  const now = document.querySelector("[data-now]")?.dataset.now.split(" ");
  const arrived = performance.getEntriesByType("navigation")[0]?.responseStart || performance.now();
  if (first && now) learn(now[0], Number(now[1]), arrived);
  else if (first) learn(first.dataset.state === "over" ? "running" : first.dataset.state, Number(first.dataset.left), arrived);
  listen();
  draws();
})();
