// What a player sends of a match: a report of which the button has said the result, a call for a
// judge. It is kept on the phone (kept.js), sent at once, and again until it is answered, also by the
// service worker where the page is closed. Without this file the forms are sent as any other.
"use strict";

(() => {
  const AGAIN = 4000; // milliseconds between two tries
  const LONGEST = 2 * 24 * 3600 * 1000; // milliseconds for which something is kept
  const words = document.getElementById("kept-report");
  if (!words) return;
  const { player } = words.dataset; // number in the event: a phone may be that of several players
  const [own] = window.location.pathname.match(/^\/events\/[^/]+\/me\//) || [""];
  const inMemory = new Map(); // where nothing can be stored
  const sending = new Set(); // keys on their way
  let timer = 0;

  async function entries() {
    const all = await window.keptHere.all().catch(() => [...inMemory.values()]);
    return all.filter((entry) => entry.player === player && entry.action.startsWith(own));
  }

  async function forget(key) {
    inMemory.delete(key);
    await window.keptHere.drop(key).catch(() => {});
  }

  // Of rounds that are long over nobody wants to know.
  async function forgetOld() {
    const all = await window.keptHere.all().catch(() => []);
    await Promise.all(all.filter((entry) => !(entry.at > Date.now() - LONGEST)).map((entry) => forget(entry.key)));
  }

  // Where the browser can, it sends what waits when there is a connection, also with the page closed.
  const askForSync = () => navigator.serviceWorker?.ready.then((found) => found.sync?.register("girone-kept")).catch(() => {});

  // --- What a form says ----------------------------------------------------------------------
  const isTold = (form, button) => ["sure", "preset", "ended"].includes(button?.name) || Boolean(button?.dataset.told) || form.matches(".call-judge");

  function toldBy(form, button) {
    if (form.matches(".call-judge")) return words.dataset.call;
    const group = button.closest("fieldset.presets")?.querySelector("legend:not(.visually-hidden)")?.textContent.trim();
    const section = form.closest("[data-report]");
    const sentence = section.querySelector(".sentence")?.textContent; // which names both
    const said = sentence || button.dataset.told || button.textContent;
    return [group, said.trim().replace(/\s+/g, " "), !sentence && section.dataset.against].filter(Boolean).join(" ");
  }

  function entryOf(section, form, button) {
    const fields = [...new FormData(form, button)].filter(([name]) => name !== "csrfmiddlewaretoken" && name !== "sure");
    const id = [Date.now(), ...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join("-");
    const call = form.matches(".call-judge");
    return {
      key: `${section.dataset.report}/${call ? "call" : "report"}`,
      id,
      player,
      action: new URL(form.action).pathname,
      fields: [...fields, ["player", player], ...(call ? [] : [["sure", "yes"]])],
      told: toldBy(form, button),
      at: Date.now(),
    };
  }

  // The button repeats what is typed, so that nobody sends the two numbers the wrong way round, and
  // nobody is asked again. Where more than the numbers is told, a page asks.
  function repeat(form) {
    const button = form?.querySelector(".send[data-won]");
    if (!button) return;
    button.dataset.plain ??= button.textContent.trim();
    const [own, other] = [form.elements.own.value, form.elements.other.value];
    const kind = Number(own) > Number(other) ? "won" : Number(own) < Number(other) ? "lost" : "level";
    const more = [...form.querySelectorAll(".more :is(input:checked, select)")].some((field) => field.value);
    const told = own && other && !more ? button.dataset[kind].replace("OWN", own).replace("OTHER", other) : "";
    button.querySelector("span").textContent = told || button.dataset.plain;
    button.dataset.told = told.split(": ").at(-1);
  }

  // --- Keeping and sending -------------------------------------------------------------------
  async function keep(section, form, button) {
    const entry = entryOf(section, form, button);
    if (sending.has(entry.key)) return;
    sending.add(entry.key); // a second tap is none
    section.querySelectorAll("form").forEach((each) => { each.inert = true; });
    inMemory.set(entry.key, entry);
    await window.keptHere.put(entry).then(() => inMemory.delete(entry.key), () => {});
    sending.delete(entry.key);
    await send(entry);
  }

  async function send(entry) {
    if (sending.has(entry.key)) return;
    sending.add(entry.key);
    const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value || "";
    const answer = await window.keptHere.send(entry, token).catch(() => ({ status: "waits" }));
    sending.delete(entry.key);
    if (answer.status === "waits") askForSync();
    if (answer.status !== "saved") return look(answer.status === "closed");
    await forget(entry.key);
    window.location.assign(answer.to);
  }

  async function sendAll() {
    for (const entry of await entries()) if (entry.sentence === undefined) await send(entry);
  }

  // --- What is shown -------------------------------------------------------------------------
  function notice(kind, said, told) {
    const made = words.content.querySelector(`.${kind}`).cloneNode(true);
    if (said) made.querySelector(".kept-words").textContent = said;
    made.querySelector(".kept-told").textContent = told;
    return made;
  }

  // The part of the page of the match that an entry is of; there may be several.
  const sectionOf = ({ key }) => document.querySelector(`[data-report="${CSS.escape(key.split("/")[0])}"]`);

  function put(made, section) {
    const near = section || document.querySelector("[data-report]");
    const panel = near?.matches(".panel") ? near : near?.querySelector(".panel");
    const seat = document.querySelector(".my-match > .hero");
    if (panel) panel.prepend(made);
    else if (seat) seat.after(made);
    else document.getElementById("content").prepend(made);
  }

  async function look(closed = false) {
    clearTimeout(timer);
    const found = await entries();
    const sections = document.querySelectorAll("[data-report]");
    const waiting = found.filter((entry) => entry.sentence === undefined);
    document.querySelectorAll(".kept-notice").forEach((each) => each.remove());
    for (const section of sections) {
      const waits = (kind) => waiting.some((entry) => entry.key === `${section.dataset.report}/${kind}`);
      section.querySelectorAll("form").forEach((each) => { each.inert = sending.size > 0; });
      section.classList.toggle("keeps-report", waits("report"));
      section.classList.toggle("keeps-call", waits("call"));
    }
    for (const entry of found) {
      const refused = entry.sentence !== undefined;
      const said = refused ? [words.dataset.refused, entry.sentence].filter(Boolean).join(". ") : closed ? words.dataset.closed : "";
      const made = notice(refused ? "is-refused" : "is-kept", said, entry.told);
      made.querySelector("button").addEventListener("click", async () => {
        await forget(entry.key);
        look();
      });
      put(made, sectionOf(entry));
    }
    if (waiting.length) timer = setTimeout(sendAll, AGAIN);
  }

  document.addEventListener("input", (event) => repeat(event.target.form));
  const repeatAll = () => document.querySelectorAll("form.report").forEach(repeat);
  document.addEventListener("polled", repeatAll);
  repeatAll();

  window.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    const section = form.closest("[data-report]");
    if (event.defaultPrevented || !section || !(form.matches(".report, .call-judge") || submitter?.name === "sure")) return;
    if (!isTold(form, submitter)) return;
    event.preventDefault();
    keep(section, form, submitter);
  }, true);
  // A form whose button has not said everything goes to a page that asks. Where there is no
  // connection, the tap has said it.
  document.addEventListener("unsent", (event) => {
    const section = event.target.closest("[data-report]");
    const submitter = event.detail;
    if (!section || !event.target.matches(".report") || ["change", "another"].includes(submitter?.name)) return;
    event.preventDefault();
    keep(section, event.target, submitter);
  });
  document.addEventListener("polled", () => look());
  navigator.serviceWorker?.addEventListener("message", (event) => {
    if (event.data?.sent) look().then(() => window.dispatchEvent(new Event("online")));
  });
  window.addEventListener("online", sendAll);
  forgetOld().then(() => look()).then(sendAll);
})();
