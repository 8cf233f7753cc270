// What is typed into a search box holds for the rows that arrive later; links copy themselves.
"use strict";
document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
document.addEventListener("polled", () => {
  document.querySelectorAll("[data-filter]").forEach((input) => input.dispatchEvent(new Event("input")));
});
document.querySelectorAll("[data-copy]").forEach((button) => {
  const field = document.getElementById(button.dataset.copy);
  button.hidden = !field;
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy"); // without https there is no clipboard
    }
    button.querySelector("span").textContent = button.dataset.done;
  });
});
