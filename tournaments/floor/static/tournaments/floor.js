// The judge's phone: the sheet of a table over the grid, the usual next step of a penalty, and what
// a judge does kept in the outbox (outbox.js) until the server has it. Without this file the sheet is
// a page, the step is chosen by hand, and the forms are sent as any other.
"use strict";

const sheet = document.getElementById("sheet");
if (sheet) {
  document.body.addEventListener("htmx:afterSwap", (event) => {
    if (event.target === sheet && !sheet.open) sheet.showModal();
  });
  sheet.addEventListener("click", (event) => {
    const closes = event.target === sheet || event.target.closest("[data-close]");
    if (!closes) return;
    event.preventDefault();
    sheet.close();
  });
  // Without connection there is a sheet too, of what needs nothing from the server.
  for (const failure of ["htmx:sendError", "htmx:timeout"]) {
    document.body.addEventListener(failure, (event) => {
      const tile = event.target.closest("[data-table]");
      const template = document.getElementById("sheet-offline");
      if (!tile || !template) return;
      const made = template.content.cloneNode(true);
      const [, match] = new URL(tile.href).pathname.match(/(\d+)\/$/);
      const form = made.querySelector("form");
      const words = made.querySelector("h1");
      words.textContent += ` ${tile.dataset.table}`;
      form.dataset.kept = words.textContent;
      form.action = form.getAttribute("action").replace("/0/", `/${match}/`);
      sheet.replaceChildren(made);
      if (!sheet.open) sheet.showModal();
    });
  }
}

const penalty = document.getElementById("penalty");
if (penalty) {
  const chosen = (name) => penalty.querySelector(`input[name=${name}]:checked`);
  const words = (radio) => radio.parentElement.innerText.trim().split("\n")[0];
  const said = document.getElementById("said-penalty");
  const empty = said.textContent;

  // The step that is usual for this player and this reason, named by the server.
  function propose() {
    const [who, why] = [chosen("number"), chosen("reason")];
    const usual = who && why ? JSON.parse(who.dataset.steps)[why.value] : undefined;
    penalty.querySelectorAll("input[name=level]").forEach((level) => {
      level.parentElement.querySelector(".usual").hidden = level.value !== usual;
      if (usual) level.checked = level.value === usual;
    });
  }

  function tell() {
    const [level, who, why] = ["level", "number", "reason"].map(chosen);
    penalty.querySelectorAll("[data-past]").forEach((past) => { past.classList.toggle("chosen", past.dataset.past === who?.value); });
    said.textContent = level && who && why ? [level, who, why].map(words).join(" · ") : empty;
  }

  penalty.addEventListener("change", (event) => {
    if (["number", "reason"].includes(event.target.name)) propose();
    tell();
  });
  if (!chosen("level")) propose();
  tell();
}

const kept = document.getElementById("kept");
if (kept) startKept();

// Forms that are kept: each is sent from the outbox, and the page goes on when its answer is there.
// Where none comes the act waits, through reload and restart, and the judge goes on with others.
function startKept() {
  const words = kept.dataset;
  const back = kept.querySelector("a");
  const forms = new Map(); // the forms of this page that are on their way, by the entry's key
  const place = document.getElementById("floor");

  const { keep, say, box, showRefused } = window.startOutbox({
    key: words.box,
    words,
    status: document.getElementById("kept-status"),
    list: document.getElementById("outbox"),
    refusals: document.getElementById("refused"),
    called: (entry) => entry.told || `${words.unknown} · ${entry.text}`,
    mark,
    arrived,
    idle: () => { if (place) window.dispatchEvent(new Event("online")); }, // the page asks for news at once
    read: () => back.focus(),
  });

  // Ticks of a deck check (checks.js): those of one check that wait are one entry, which sets each of
  // them. So the same may arrive twice, and what others have ticked meanwhile stays.
  window.waitingMarks = (act) => Object.assign({}, ...box.waiting.all().filter((entry) => entry.act === act).map((entry) => entry.marks));
  window.keepMark = (act, key, on, told) => {
    const last = box.waiting.all().at(-1);
    const joins = last?.marks && last.act === act;
    const marks = { ...(joins && last.marks), [key]: on };
    if (joins) box.waiting.drop(last);
    keep(window.actEntry(act, Object.entries(marks).map(([each, set]) => [set ? "on" : "off", each]), told, { marks }));
  };
  function tellMarks(entry, more) {
    document.dispatchEvent(new CustomEvent("marks", { detail: { act: entry.act, ...more } }));
  }

  // A page of one form has nothing left to do while it waits: the tables are one tap away.
  function mark(entry, state) {
    if (entry.marks) return tellMarks(entry, { state });
    const form = forms.get(entry.id);
    if (!form) return;
    form.inert = state !== "";
    form.hidden = state === "unsaved" && !place;
    back.hidden = !form.hidden;
  }

  function arrived(entry, answer, atOnce) {
    if (entry.marks && answer.status === "saved") {
      say("", "");
      tellMarks(entry, { answer });
      return;
    }
    if (answer.status === "saved" && answer.to && atOnce) {
      window.location.assign(answer.to);
      return;
    }
    forms.delete(entry.id);
    say(answer.sentence || words.refused, answer.status === "saved" ? "saved" : "refused");
    if (answer.status === "saved") {
      back.hidden = Boolean(place);
    } else if (answer.conflict) {
      box.refused.add(entry); // the desk shows both results
    } else {
      box.refused.add({ ...entry, sentence: answer.sentence });
      showRefused();
    }
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !form.matches("[data-kept]")) return;
    event.preventDefault();
    const values = [...new FormData(form, event.submitter)].filter(([name]) => name !== "csrfmiddlewaretoken");
    const done = document.getElementById("said-penalty") || event.submitter;
    const told = [form.dataset.kept, done.textContent.trim()].filter(Boolean).join(" · ");
    const entry = window.actEntry(form.action, values, told);
    forms.set(entry.id, form);
    sheet?.close();
    keep(entry);
  });
}
