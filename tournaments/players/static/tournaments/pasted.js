// The button tells how many players will be added, while it is said who is another person.
"use strict";
{
  const form = document.getElementById("pasted");
  const words = form.querySelector("button[name=sure] span");
  document.addEventListener("change", ({ target }) => {
    if (!target.matches(".who input") || !form.dataset.words) return;
    const open = document.querySelectorAll(".who").length;
    const others = document.querySelectorAll(".who input[value=other]:checked").length;
    const rows = document.querySelectorAll("tbody tr").length;
    words.textContent = form.dataset.words.replace("#", String(rows - open + others));
    target.closest("tr").classList.toggle("left-open", target.value !== "other");
  });
}
