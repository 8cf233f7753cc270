// What a player has sent and the server has not stored yet, for the page (report.js) and for the
// service worker, which sends it when the page is closed: { key, id, action, fields, told, at }, with
// a ``sentence`` once it was refused. A new entry replaces that of the same key.
"use strict";

self.keptHere = (() => {
  const open = () => new Promise((resolve, reject) => {
    const asked = indexedDB.open("girone-kept", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("sent", { keyPath: "key" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

  async function ask(mode, act) {
    const base = await open();
    try {
      return await new Promise((resolve, reject) => {
        const step = base.transaction("sent", mode);
        const asked = act(step.objectStore("sent"));
        step.oncomplete = () => resolve(asked.result);
        step.onabort = () => reject(step.error);
      });
    } finally {
      base.close();
    }
  }

  // Returns the server's answer, or { status }: "waits" (none came) or "closed" (not open to this
  // browser's session any more).
  async function send(entry, token) {
    const body = new FormData();
    for (const [name, value] of [...entry.fields, ["csrfmiddlewaretoken", token]]) body.append(name, value);
    const headers = { Accept: "application/json", "Idempotency-Key": entry.id };
    try {
      const answer = await fetch(entry.action, { method: "POST", body, headers, signal: AbortSignal.timeout(15000) });
      if (answer.status >= 500 || answer.status === 429) return { status: "waits" };
      if (answer.redirected || answer.status === 403) return { status: "closed" };
      const isJson = answer.headers.get("Content-Type")?.includes("json");
      return isJson ? await answer.json() : { status: "refused" };
    } catch {
      return { status: "waits" };
    }
  }

  // Forgets what was stored, and writes down why something was refused; returns the answer.
  async function sendAndNote(entry, token) {
    const answer = await send(entry, token);
    const now = await ask("readonly", (store) => store.get(entry.key));
    if (now?.id !== entry.id) return answer; // taken back, or replaced meanwhile
    if (answer.status === "saved") await ask("readwrite", (store) => store.delete(entry.key));
    if (answer.status === "refused") await ask("readwrite", (store) => store.put({ ...entry, sentence: answer.sentence || "" }));
    return answer;
  }

  return {
    all: () => ask("readonly", (store) => store.getAll()),
    put: (entry) => ask("readwrite", (store) => store.put(entry)),
    drop: (key) => ask("readwrite", (store) => store.delete(key)),
    send: sendAndNote,
  };
})();
