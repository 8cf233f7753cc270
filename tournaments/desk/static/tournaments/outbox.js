// What the staff have done and the server has not stored, of one event and account: results of the
// desk (match, version, text, and whom the line showed), and acts (address and fields of a form) of the desk and of judges'
// phones. It outlives reload, restart and sign-out; the storage of a browser is there on plain HTTP
// too. Every look reads it anew, since another window may have sent something.
"use strict";

window.outboxAt = (key) => {
  // Private windows may have no storage: then the page itself holds the entries.
  const inMemory = {};
  let stores = true;

  function load(place) {
    if (!stores) return inMemory[place] || [];
    try {
      const kept = JSON.parse(localStorage.getItem(place) || "[]");
      return Array.isArray(kept) ? kept : [];
    } catch {
      return inMemory[place] || [];
    }
  }

  function save(place, entries) {
    inMemory[place] = entries;
    try {
      if (entries.length) localStorage.setItem(place, JSON.stringify(entries));
      else localStorage.removeItem(place);
    } catch {
      stores = false;
    }
  }

  const same = (one, other) => one.id === other.id && one.match === other.match && one.text === other.text && Boolean(one.chosen) === Boolean(other.chosen);
  const listAt = (place) => ({
    all: () => load(place),
    has: (entry) => load(place).some((kept) => same(kept, entry)),
    add: (entry) => save(place, [...load(place).filter((kept) => !same(kept, entry)), entry]),
    drop: (entry) => save(place, load(place).filter((kept) => !same(kept, entry))),
    dropMatch: (match) => save(place, load(place).filter((kept) => kept.act || kept.match !== match)),
  });

  // ``waiting``: still to be sent, in this order. ``refused``: answered with a no that nobody has
  // dealt with yet; an entry without a sentence met another result, and is asked of again.
  return { waiting: listAt(key), refused: listAt(`${key}-refused`) };
};

// Returns an act as an entry: its key lets the server store it once, however often it arrives.
window.actEntry = (act, values, told, more = {}) => {
  const id = [Date.now(), ...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join("-");
  return { id, act: new URL(act, location.href).pathname, values, told, ...more };
};

// Sends what waits, in order, one at a time, until each has its answer, and says so. ``words`` are
// the sentences of the page, ``status``, ``list`` and ``refusals`` its places for them; ``called``
// names an entry, ``mark`` shows its state, ``arrived`` gets what the server has answered. Returns
// { box, keep, send, say, showRefused }.
window.startOutbox = ({ key, words, status, list, refusals, called, mark, arrived, idle, read }) => {
  const box = window.outboxAt(key);
  const atOnce = new Set(); // acts of this page whose first try is on its way
  let busy = false;
  let retry = 0;
  let asked = false; // whether somebody was asked to sign in since something was kept

  function item(entry) {
    const line = document.createElement("li");
    line.textContent = called(entry);
    return line;
  }

  function say(text, tone) {
    status.className = `quick-status ${tone}`;
    status.textContent = tone === "refused" && text !== words.refused ? `${words.refused}. ${text}` : text;
  }

  function showWaiting(problem) {
    const waiting = box.waiting.all();
    list.hidden = !(problem && waiting.length);
    list.replaceChildren(...waiting.map(item));
  }

  // What was refused stays until somebody has read it, also through the fifty that come after it.
  function showRefused() {
    const explained = box.refused.all().filter((entry) => entry.sentence);
    refusals.hidden = !explained.length;
    refusals.replaceChildren(...explained.map((entry) => {
      const line = item(entry);
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "button plain small", textContent: words.read });
      button.addEventListener("click", () => {
        box.refused.drop(entry);
        mark(entry, "");
        showRefused();
        read();
      });
      line.append(`: ${entry.sentence} `, button);
      return line;
    }));
  }

  function keep(entry) {
    if (box.waiting.has(entry)) return;
    if (!entry.act) box.refused.dropMatch(entry.match);
    showRefused();
    box.waiting.add(entry);
    if (entry.id) atOnce.add(entry.id);
    asked = false;
    mark(entry, "saving");
    if (!entry.marks) say(`${words.saving} ${called(entry)}`, "saving");
    send();
  }

  function requestOf(entry) {
    const body = new FormData();
    const headers = { Accept: "application/json" };
    if (entry.act) {
      entry.values.forEach(([name, value]) => body.append(name, value));
      if (!atOnce.has(entry.id)) body.set("late", "yes");
      headers["Idempotency-Key"] = entry.id;
    } else {
      body.set("version", entry.version);
      body.set("text", entry.text);
      if (entry.shown) body.set("shown", entry.shown);
      if (entry.chosen) body.set("chosen", "yes");
    }
    body.set("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]").value);
    const url = entry.act || words.save.replace("/0/", `/${entry.match}/`);
    return [url, { method: "POST", body, headers, signal: AbortSignal.timeout(15000) }];
  }

  async function send() {
    clearTimeout(retry);
    const [entry] = box.waiting.all();
    if (busy || !entry) return;
    busy = true;
    let answer;
    try {
      const response = await fetch(...requestOf(entry));
      if (response.status >= 500 || response.status === 429) throw new Error("busy");
      if (response.redirected || response.status === 403) {
        wait(entry, words.signin, 20000);
        if (!asked) window.signInAgain?.();
        asked = true;
        return;
      }
      asked = false;
      const json = response.headers.get("Content-Type")?.includes("json");
      answer = json ? await response.json() : { status: "refused", sentence: words.refused };
    } catch {
      return wait(entry, words.waiting, 3000);
    }
    box.waiting.drop(entry);
    showWaiting(false);
    mark(entry, "");
    arrived(entry, answer, atOnce.delete(entry.id));
    busy = false;
    if (box.waiting.all().length) send();
    else idle();
  }

  function wait(entry, sentence, pause) {
    busy = false;
    atOnce.clear();
    box.waiting.all().forEach((kept) => mark(kept, "unsaved"));
    say(`${sentence} ${called(entry)}`, "unsaved");
    showWaiting(true);
    retry = setTimeout(send, pause);
  }

  const holds = (event) => { if (box.waiting.all().length) event.preventDefault(); };
  window.addEventListener("online", send);
  document.addEventListener("signed-in", send);
  document.addEventListener("coming-back", holds);
  window.addEventListener("beforeunload", holds);
  // Two results that differed when the page was left: asked of again, so that both are shown.
  for (const entry of box.refused.all().filter((kept) => !kept.sentence)) {
    box.refused.drop(entry);
    box.waiting.add(entry);
  }
  showRefused();
  if (box.waiting.all().length) {
    box.waiting.all().forEach((entry) => mark(entry, "unsaved"));
    showWaiting(true);
    setTimeout(send, 0); // once the page has begun
  }
  return { box, item, keep, say, showRefused };
};
