// Says whether a tick of a deck check is stored; without this file the ticks are stored all the same.
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
