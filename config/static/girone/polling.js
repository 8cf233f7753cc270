// What an open page asks by itself: one question for all it shows. The answer says what the clock
// shows (a header), and has the new fragment, or 304 where nothing has changed.
"use strict";

const EVERY = 10000; // milliseconds between two questions of a page
const LONGEST = 60000; // the longest pause that failures and slow answers lead to
const PATIENCE = 30000; // an answer that takes longer is none
const BEAT = 2500; // milliseconds without an answer until a page that is acted on tries the connection
const BEAT_PATIENCE = 2000; // a try that takes longer has failed
const AT_ONCE = 500; // one that fails sooner is made again: a server that starts anew refuses
const APART = 1500; // the least between two questions, however often a page is looked at
const BUSY = [429, 503];
const PRESS = 2000; // milliseconds that a press counts at most: a menu may swallow its end
const CLICK = 300; // how long after the finger was lifted the click may come

// Returns a function that says how many milliseconds have passed, ``before`` when it begins. A
// device that slept has not counted meanwhile, and one whose time of day was put back has.
window.startCount = (before = 0) => {
  const [time, count] = [Date.now(), performance.now()];
  return () => before + Math.max(Date.now() - time, performance.now() - count);
};

const between = (least, most) => least + (most - least) * Math.random();

// How many times less often a page asks on the network that the browser tells of.
function thrift() {
  const { saveData, effectiveType = "" } = navigator.connection || {};
  if (saveData || effectiveType.endsWith("2g")) return 3;
  return effectiveType === "3g" ? 2 : 1;
}

// The one loop of pages that ask. ``ask`` returns null to end, else { good, after }: whether there
// was an answer, and how many seconds to wait at least. ``every`` is the usual pause in
// milliseconds, ``longest`` the longest one. Phones that opened a page together ask one after
// another, less often where answers are slow or missing. Hidden pages don't ask; whoever comes back
// to one, or gets a connection again, asks at once. Returns a function that asks at once.
window.keepPolling = (ask, every, longest = LONGEST) => {
  let timer = 0;
  let failures = 0;
  let took = 0; // milliseconds that answers take of late
  let allowed = 0; // when the server lets the next question come
  let state = "waiting"; // or "asking", "again" (asked for meanwhile), "over"

  function later(pause) {
    clearTimeout(timer);
    if (state === "over" || document.hidden) return;
    timer = setTimeout(now, Math.max(pause, allowed - performance.now()));
  }

  function pause() {
    const usual = Math.max(every * thrift(), 8 * took) * 2 ** Math.min(failures, 8);
    return Math.min(Math.max(longest, every), usual) * between(0.9, 1.1);
  }

  async function now() {
    clearTimeout(timer);
    if (state === "asking") state = "again";
    if (state !== "waiting" || document.hidden) return;
    if (performance.now() < allowed) return later(0);
    const begun = performance.now();
    state = "asking";
    const result = await ask();
    if (!result) {
      state = "over";
      return;
    }
    const last = performance.now() - begun;
    took = took ? (took + last) / 2 : last;
    failures = result.good ? 0 : failures + 1;
    // Many are told the same: they don't come back together.
    allowed = performance.now() + Math.max(APART, result.after * 1000 * between(1, 1.3));
    const next = state === "again" ? 0 : pause();
    state = "waiting";
    later(next);
  }

  document.addEventListener("visibilitychange", () => { if (document.hidden) clearTimeout(timer); else now(); });
  window.addEventListener("online", now);
  window.addEventListener("pageshow", (event) => { if (event.persisted) now(); });
  // Whoever comes back to a page may get it as it was when they left.
  if (performance.getEntriesByType("navigation")[0]?.type === "back_forward") now();
  else later(every * thrift() * between(0.2, 1.2));
  return now;
};

// Returns the seconds of a Retry-After, a number or a date; 0 without one.
function secondsToWait(answer) {
  const header = BUSY.includes(answer.status) ? answer.headers.get("Retry-After") : null;
  if (!header) return 0;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Math.min(3600, Math.max(0, seconds || 0));
}

// What is exchanged between a press and its click loses the click: news wait until the finger is
// lifted, and "lifted" is told.
let fingerDown = 0; // the timer that ends a press
const holdNews = (pause) => {
  clearTimeout(fingerDown);
  fingerDown = setTimeout(() => {
    fingerDown = 0;
    document.dispatchEvent(new Event("lifted"));
  }, pause);
};
window.addEventListener("pointerdown", () => holdNews(PRESS), true);
for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => holdNews(CLICK), true);
for (const [kind, pause] of [["keydown", PRESS], ["keyup", CLICK]]) {
  window.addEventListener(kind, (event) => { if (event.key === " ") holdNews(pause); }, true); // presses a button, too
}

function lifted() {
  return fingerDown && new Promise((resolve) => { document.addEventListener("lifted", resolve, { once: true }); });
}

// Since when the server has not been heard, and the questions that are on their way.
let heardAt = performance.now();
const onTheirWay = new Set();

// Whether what the page shows is a copy: two questions have no answer, or the page itself comes
// from what was kept (its body says of when it is). "heard" is told when that changes.
let missed = 0;
function noteMissed(number) {
  missed = number;
  const before = document.body.classList.contains("unheard");
  document.body.classList.toggle("unheard", missed > 1);
  if (before !== missed > 1) document.dispatchEvent(new Event("heard"));
}
if (document.body.dataset.stand) noteMissed(2);

// The question: with the version that the page holds; ``take`` gets an answer that is new. Whoever
// listens to "answered" gets the headers and when it was asked. Says if there is no connection, or
// that the reader may not see the page any more (signed out, or their personal link was replaced).
// Returns what ``keepPolling`` wants to know.
window.askForNews = async (url, tag, take) => {
  const asked = performance.now();
  const result = { good: false, after: 0, tag };
  const question = new AbortController();
  const end = setTimeout(() => question.abort(), PATIENCE);
  let answer;
  onTheirWay.add(question);
  try {
    const headers = { "HX-Request": "true" };
    if (tag) headers["If-None-Match"] = tag;
    answer = await fetch(url, { cache: "no-store", headers, signal: question.signal });
    heardAt = performance.now();
    document.dispatchEvent(new CustomEvent("answered", { detail: { headers: answer.headers, asked } }));
    result.date = new Date(answer.headers.get("Date") || Date.now()).toISOString();
    if (answer.status === 200 && !answer.redirected) {
      await lifted();
      await take(answer);
    }
    result.good = (answer.ok && !answer.redirected) || answer.status === 304;
    result.after = secondsToWait(answer);
    if (answer.status === 304) result.tag = answer.headers.get("ETag") || tag;
  } catch {
    // No connection, or it broke off: said below.
  }
  clearTimeout(end);
  onTheirWay.delete(question);
  const refused = answer && (answer.redirected || answer.status === 401 || answer.status === 403);
  const { closed, lost } = document.body.dataset;
  if (result.good) document.body.dataset.lastHeard = result.date;
  noteMissed(result.good || refused ? 0 : missed + 1);
  const words = document.getElementById("connection");
  if (words) words.textContent = refused ? closed : missed > 1 ? lost : "";
  return result;
};

// --- A part of the page that is exchanged as a whole -----------------------------------------

// <div data-poll="/path"> asks with the version it holds, and exchanges what is new; data-every says
// how often, where somebody stands and waits.
function poll(place) {
  let tag = place.dataset.tag || "";
  const first = place.dataset.poll;
  let asked = "";
  let waiting = null; // what is new and could not be shown yet
  let taken; // what the last answer brought

  function shown() {
    waiting = null;
    window.htmx?.process(place);
    notice.hidden = true;
    place.dispatchEvent(new CustomEvent("polled", { bubbles: true }));
  }

  // Nothing is taken from under a finger, a question, or a form on its way: what is new waits.
  // What was typed goes along; where the new part has no field for it, the reader decides.
  function showIfPossible() {
    if (asked !== place.dataset.poll) waiting = null; // the part shows something else by now
    if (waiting === null || fingerDown || document.querySelector("dialog[open], [data-sent]")) return;
    if (isTypedIn(place)) return;
    const fresh = document.createElement("template");
    fresh.innerHTML = waiting;
    if (exchange(place, fresh.content)) shown();
    else notice.hidden = false;
  }

  const notice = document.getElementById("news").content.firstElementChild.cloneNode(true);
  notice.hidden = true;
  notice.querySelector("button").addEventListener("click", () => {
    if (waiting === null) return;
    place.innerHTML = waiting;
    shown();
  });
  place.before(notice);

  async function take(answer) {
    if (asked !== place.dataset.poll) return; // something else is looked for by now
    waiting = await answer.text();
    taken = waiting;
    tag = answer.headers.get("ETag") || "";
    showIfPossible();
  }
  place.addEventListener("focusout", () => setTimeout(showIfPossible, 200));
  document.addEventListener("lifted", showIfPossible);
  window.keepPolling(async () => {
    if (!place.isConnected) return null;
    showIfPossible();
    const held = tag;
    asked = place.dataset.poll;
    taken = undefined;
    const result = await window.askForNews(asked, tag, take);
    if (result.good && asked === first) window.keepNews?.({ stand: result.date, ...(taken && { part: taken }) });
    if (tag === held) tag = result.tag;
    place.classList.toggle("stale", !result.good);
    return result;
  }, Number(place.dataset.every) || EVERY);
}

const FIELDS = "input:not([type=hidden], [type=submit]), textarea, select";

// Where a field stands: the address its form is sent to, its name, its value if it is ticked, and
// the how manieth of these it is.
const addressOf = (field) => field.form?.getAttribute("action") || "";
const ticked = (field) => ["checkbox", "radio"].includes(field.type);
const alike = (root, form, name, value) => [...root.querySelectorAll(FIELDS)].filter(
  (field) => field.name === name && addressOf(field) === form && (!ticked(field) || field.value === value),
);

function isTyped(field) {
  if (ticked(field)) return field.checked !== field.defaultChecked;
  if (field.options) return [...field.options].some((option) => option.selected !== option.defaultSelected);
  return field.value !== field.defaultValue;
}

const fieldLike = (root, kept) => alike(root, kept.form, kept.name, kept.value)[kept.index];

// Returns what the reader has done to a part of the page: fields, open details, and the focus.
function whatIsKept(place) {
  const typed = [...place.querySelectorAll(FIELDS)].filter((field) => field.name && isTyped(field)).map((field) => {
    const form = addressOf(field);
    const { name, value, checked } = field;
    return { form, name, value, checked, index: alike(place, form, name, value).indexOf(field) };
  });
  const open = [...place.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent);
  const held = place.contains(document.activeElement) ? document.activeElement : null;
  const focus = held && { tag: held.tagName, words: held.textContent };
  return { typed, open, focus };
}

// Puts what was kept into the new part.
function giveBack(place, kept) {
  for (const each of kept.typed) {
    const field = fieldLike(place, each);
    if (ticked(field)) field.checked = each.checked;
    else field.value = each.value;
  }
  for (const summary of place.querySelectorAll("details > summary")) {
    if (kept.open.includes(summary.textContent)) summary.parentElement.open = true;
  }
  if (kept.focus) {
    const same = [...place.querySelectorAll(kept.focus.tag)].find((each) => each.textContent === kept.focus.words);
    same?.focus({ preventScroll: true });
  }
}

const isTypedIn = (place) => place.contains(document.activeElement) && document.activeElement.matches(FIELDS);

// Puts new children into a part of the page, with what the reader has done to the old ones. Does
// nothing and returns false where something was typed that the new ones have no field for.
function exchange(place, fresh) {
  const kept = whatIsKept(place);
  if (!kept.typed.every((each) => fieldLike(fresh, each))) return false;
  place.replaceChildren(...fresh.childNodes);
  giveBack(place, kept);
  return true;
}

// --- The connection ---------------------------------------------------------------------------

// Wi-Fi that carries nothing any more looks like one that does. Pages on which somebody acts
// (data-watch) try the connection while they hear nothing, and say within five seconds that there is
// none; all pages that ask do so when the browser says it is offline. Once it is back they ask at
// once, and what was kept is sent.
function watchConnection(always) {
  let timer = 0;
  let trying = false;
  let lost = false;

  function later(pause) {
    clearTimeout(timer);
    if ((always || lost) && !document.hidden) timer = setTimeout(look, pause);
  }

  async function look() {
    const quiet = performance.now() - heardAt;
    if (trying || document.hidden || navigator.connection?.saveData) return;
    if (quiet < BEAT) {
      later(BEAT - quiet);
      return;
    }
    trying = true;
    const begun = performance.now();
    let heard = await window.serverAnswers(BEAT_PATIENCE);
    if (!heard && performance.now() - begun < AT_ONCE) {
      await new Promise((resolve) => { setTimeout(resolve, AT_ONCE); });
      heard = await window.serverAnswers(BEAT_PATIENCE / 2);
    }
    trying = false;
    if (heard) {
      heardAt = performance.now();
      if (lost) window.dispatchEvent(new Event("online"));
    } else if (!lost) {
      onTheirWay.forEach((question) => question.abort()); // or they would wait for the connection that is gone
      noteMissed(Math.max(2, missed));
      document.getElementById("connection").textContent = document.body.dataset.lost;
    }
    lost = !heard;
    later(BEAT);
  }

  window.addEventListener("offline", () => { heardAt = -BEAT; look(); });
  document.addEventListener("visibilitychange", () => later(0));
  later(BEAT);
}
{
  const watched = Boolean(document.querySelector("[data-watch]"));
  if (!document.body.dataset.stand && (watched || document.querySelector("[data-poll]"))) watchConnection(watched);
}

// A page that was kept shows what it was told last.
{
  const kept = document.getElementById("kept-part");
  if (kept) document.querySelector("[data-poll]")?.replaceChildren(kept.content);
  kept?.remove();
}
document.querySelectorAll("[data-poll]").forEach(poll);
