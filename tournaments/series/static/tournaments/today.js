// Where do I sit: the list of all seats of the day is asked for with the first letter, and again once
// a round may have changed; every letter filters it. A code that is scanned is looked for by the server.
"use strict";

(() => {
  const MOST = 8; // lines that are shown
  const form = document.querySelector("[data-seats]");
  const field = form?.elements.find;
  const said = document.getElementById("day-said");
  const place = document.getElementById("day-found");
  if (!field) return;
  let seats = null; // the lines, or null before they were asked for
  let asked = ""; // for which versions of the events

  const versions = () => document.querySelector("[data-rounds]")?.dataset.rounds || "";

  async function ask() {
    const now = versions();
    const answer = await fetch(form.dataset.seats).catch(() => null);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    seats = [...page.querySelectorAll(".day-seats > li")];
    asked = now;
  }

  let asking = null; // one question for all letters that are typed meanwhile
  const askOnce = () => { asking ??= ask().finally(() => { asking = null; }); return asking; };

  async function show() {
    const typed = field.value.trim();
    if (typed && (seats === null || asked !== versions())) await askOnce();
    if (typed !== field.value.trim()) return;
    if (typed && seats === null) {
      said.textContent = document.body.dataset.lost;
      return;
    }
    const found = typed ? seats.filter((line) => isCalled(line.dataset.called, typed)) : [];
    const list = document.createElement("ul");
    list.className = "day-seats";
    list.setAttribute("role", "list");
    list.append(...found.slice(0, MOST).map((line) => line.cloneNode(true)));
    place.replaceChildren(...(found.length ? [list] : []));
    said.textContent = typed && !found.length ? form.dataset.nobody : "";
  }

  field.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    if (field.value.includes("/arrive/")) return;
    event.preventDefault();
    show();
  });
  document.addEventListener("polled", () => { if (field.value.trim()) show(); });
  if (field.value.trim() && !field.value.includes("/arrive/")) show();
})();
