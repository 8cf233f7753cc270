// Says whether a tick of a deck check is stored, and counts its time; without this file the ticks are
// stored all the same, and the time is that of when the page was opened.
"use strict";

const form = document.getElementById("check-form");
const ticks = () => document.getElementById("ticks");

function say(words, look) {
  const place = form.querySelector(".stored");
  place.textContent = words;
  place.className = `stored ${look}`;
  form.dataset.unsaved = look === "unsaved" ? "yes" : "";
}

if (form) {
  form.addEventListener("htmx:beforeRequest", () => say(form.dataset.saving, "saving"));
  for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    form.addEventListener(failure, () => say(form.dataset.notstored, "unsaved"));
  }
  form.addEventListener("htmx:afterSwap", () => { form.dataset.unsaved = ""; });
  // Each tick sends all of them, so one more try catches up on everything.
  window.addEventListener("online", () => {
    if (form.dataset.unsaved) ticks().dispatchEvent(new Event("change"));
  });
  window.addEventListener("beforeunload", (event) => {
    if (form.dataset.unsaved && !form.dataset.sent) event.preventDefault();
  });
}

// The clock of the check, and the minutes that the table gets back if it ends now.
const clock = document.querySelector("[data-begun]");
if (clock) {
  const begun = Number(clock.dataset.begun);
  const since = window.startCount();
  const gives = document.querySelector("[data-due]");
  const due = Number(gives.dataset.due);
  const label = gives.textContent;
  const count = () => {
    const seconds = begun + Math.floor(since() / 1000);
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    const more = Math.floor(seconds / 60) - Math.floor(begun / 60); // begun minutes count
    gives.textContent = due ? label.replace(/\d+/, due + more) : label;
  };
  count();
  setInterval(count, 1000);
}
