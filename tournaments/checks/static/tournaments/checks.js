// Keeps each tick of a deck check in the outbox (floor.js) until the server has it, says whether it
// is stored, and counts the time of the check. Without this file a button stores the ticks, and the
// time is that of when the page was opened.
"use strict";

const form = document.getElementById("check-form");
if (form) {
  const ticks = document.getElementById("ticks");
  const keyOf = (box) => `${box.name}-${box.value}`;
  const act = new URL(ticks.dataset.to, window.location.href).pathname;

  function say(words, look) {
    const place = form.querySelector(".stored");
    place.textContent = words;
    place.className = `stored ${look}`;
  }

  // What waits to be sent stands in the boxes, whatever the server knows.
  function tickAll(ticked) {
    const waiting = window.waitingMarks(act);
    ticks.querySelectorAll("input[type=checkbox]").forEach((box) => {
      box.checked = waiting[keyOf(box)] ?? ticked?.includes(keyOf(box)) ?? box.checked;
    });
    return Object.keys(waiting).length;
  }

  ticks.addEventListener("change", ({ target }) => window.keepMark(act, keyOf(target), target.checked, form.dataset.kept));
  document.addEventListener("marks", ({ detail }) => {
    if (detail.act !== act) return;
    const { state, answer } = detail;
    if (state === "saving") return say(form.dataset.saving, "saving");
    if (state === "unsaved") return say(form.dataset.notstored, "unsaved");
    if (answer?.status !== "saved") return;
    document.getElementById("tick-state").outerHTML = answer.state;
    if (tickAll(answer.ticked)) say(form.dataset.saving, "saving");
  });
  // The ticks are stored by themselves: the outcome is sent without them.
  form.addEventListener("formdata", ({ formData }) => ["version", "line", "point"].forEach((name) => formData.delete(name)));
  if (tickAll()) say(form.dataset.notstored, "unsaved");
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
