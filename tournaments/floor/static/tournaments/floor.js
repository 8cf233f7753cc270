// The judge's phone: the sheet of a table over the grid, and the usual next step of a penalty.
// Without this file the sheet is a page, and the step is chosen by hand.
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
    penalty.querySelectorAll("[data-past]").forEach((past) => { past.hidden = past.dataset.past !== who?.value; });
    penalty.querySelector(".in-words").hidden = why?.value !== "other";
    said.textContent = level && who && why ? [level, who, why].map(words).join(" · ") : empty;
  }

  penalty.addEventListener("change", (event) => {
    if (["number", "reason"].includes(event.target.name)) propose();
    tell();
  });
  if (!chosen("level")) propose();
  tell();
}
