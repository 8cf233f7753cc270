// The clock of the round. It counts from what the server said last, by what this device has counted
// since: its time of day does not matter. Every answer to the page's own asking says what is left,
// also where nothing else has changed. What is kept of the page (worker.js) knows it too; where
// nothing is heard, the clock says of when it is.
"use strict";

(() => {
  const NEAR = 0.4; // seconds: less is the way of the answer, not the clock
  const said = document.getElementById("said");
  const kept = document.body.dataset; // of a page that was kept
  let known = null; // { state, left, since }: seconds left when ``since`` was 0 milliseconds
  let ahead = 0; // milliseconds that the server's time is before that of this device
  let heard = 0; // this device's time when the clock was told last
  let shown = null; // what was said last, so that it is not said again
  let timer = 0;
  const announced = new Set();

  const goes = () => known.state === "running" || known.state === "over";
  const left = (extra) => known.left - (goes() ? known.since() / 1000 : 0) + 60 * extra;
  const isCopy = () => document.body.classList.contains("unheard");

  function face(seconds) {
    const whole = Math.ceil(seconds);
    const size = Math.abs(whole);
    return `${whole < 0 ? "+" : ""}${Math.floor(size / 60)}:${String(size % 60).padStart(2, "0")}`;
  }

  // Returns a moment of this device's time as the event's time of day, by the server's time.
  function timeOf(moment, timeZone) {
    const form = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    return new Date(moment + ahead).toLocaleTimeString(document.documentElement.lang, { ...form, timeZone });
  }

  // What was true ``before`` milliseconds ago.
  function learn(state, seconds, before) {
    if (!Number.isFinite(seconds)) return;
    heard = Date.now() - before;
    const gone = state === "running" ? before / 1000 : 0;
    if (known?.state === state && Math.abs(left(0) - (seconds - gone)) < NEAR) return;
    known = { state, left: seconds, since: window.startCount(before) };
  }

  const keep = (clock) => window.keepNews?.({ clock, heard, ahead });

  function stateOf(extra) {
    return goes() ? (left(extra) <= 0 ? "over" : "running") : known.state;
  }

  function draw(place) {
    const extra = Number(place.dataset.extra);
    const seconds = left(extra);
    const state = stateOf(extra);
    const copy = isCopy();
    const words = JSON.parse(place.dataset.words);
    const warnings = JSON.parse(place.dataset.warnings);
    const given = Object.keys(warnings).map(Number).filter((minutes) => seconds > 0 && seconds <= 60 * minutes);
    const warning = state === "running" && given.length ? Math.min(...given) : 0;
    const overtime = !copy && state === "over" && seconds > -60 * Number(place.dataset.overtime || 0);
    const end = timeOf(Date.now() + 1000 * seconds, place.dataset.zone);
    const due = copy && state === "over" ? words.due.replace("TIME", end) : "";
    const note = due || (overtime ? words.overtime : state === "running" ? warnings[warning] || "" : words[state] || "");
    const told = copy ? words.copy.replace("TIME", timeOf(heard, place.dataset.zone)) : "";
    const until = place.querySelector(".clock-until");
    place.querySelector(".clock-face").hidden = Boolean(due);
    place.querySelector(".clock-face").textContent = face(seconds);
    for (const [name, text] of [["note", note], ["copy", told]]) {
      const part = place.querySelector(`.clock-${name}`);
      if (part.textContent !== text) part.textContent = text;
    }
    if (until) until.hidden = state !== "running";
    const ring = place.closest(".ring")?.querySelector(".left");
    const share = seconds > 0 ? Math.min(1, seconds / (60 * Number(place.dataset.minutes) || 1)) : 1;
    if (ring) ring.setAttribute("stroke-dasharray", `${(100 * share).toFixed(1)} 100`);
    place.classList.toggle("copy", copy);
    place.classList.toggle("bad", !copy && state === "over");
    place.classList.toggle("warn", !copy && (state === "paused" || warning > 0));
    document.querySelectorAll("[data-clock-goes]").forEach((each) => { each.hidden = !goes(); });
    document.querySelectorAll("[data-end-of-clock]").forEach((each) => { each.textContent = end; });
    return { key: `${state} ${warning} ${overtime} ${copy}`, words: `${note || words[state] || ""} ${told}`.trim() };
  }

  function draws() {
    clearTimeout(timer);
    if (!known) return;
    let now = null;
    document.querySelectorAll("[data-clock]").forEach((place) => { now = draw(place); });
    document.querySelectorAll("[data-own-time]").forEach((place) => {
      place.hidden = known.state === "ready";
      place.textContent = face(left(Number(place.dataset.ownTime)));
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
      if (!announced.has(place.dataset.announcement)) fresh.push(place.querySelector("strong").textContent);
      announced.add(place.dataset.announcement);
    });
    return fresh;
  }

  document.addEventListener("answered", (event) => {
    const { headers, asked } = event.detail;
    const clock = headers.get("X-Clock");
    if (!clock) return;
    const [state, seconds] = clock.split(" ");
    learn(state, Number(seconds), (performance.now() - asked) / 2);
    ahead = (Date.parse(headers.get("Date")) || heard + ahead) - heard;
    keep(clock);
    draws();
  });
  document.addEventListener("polled", () => { say(listen()); draws(); });
  document.addEventListener("heard", draws);
  document.addEventListener("visibilitychange", draws);

  // The page was written when its first byte came, or the server kept it and wrote at its end what
  // the clock shows now; or it was kept here.
  const first = document.querySelector("[data-clock]")?.dataset;
  if (first) {
    const state = first.state === "over" ? "running" : first.state;
    const written = document.querySelector("[data-now]")?.dataset.now ?? `${state} ${first.left}`;
    const clock = kept.told ?? written;
    const arrived = performance.getEntriesByType("navigation")[0]?.responseStart || performance.now();
    const before = kept.stand ? Math.max(0, Date.now() - Number(kept.heard)) : performance.now() - arrived;
    const [told, seconds] = clock.split(" ");
    learn(told, Number(seconds), before);
    if (kept.ahead) ahead = Number(kept.ahead);
    else if (first.end && told === "running") ahead = Date.parse(first.end) - 1000 * Number(seconds) - heard;
    if (!kept.stand) keep(clock);
  }
  listen();
  draws();
})();
