// What is typed into a search box holds for the rows that arrive later; links copy and share themselves.
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
document.querySelectorAll("[data-share]").forEach((button) => {
  const words = button.querySelector("span");
  button.hidden = !(navigator.share || navigator.clipboard);
  button.addEventListener("click", async () => {
    const url = document.querySelector("link[rel=canonical]")?.href || location.href;
    try {
      if (navigator.share) return await navigator.share({ title: button.dataset.share, url });
      await navigator.clipboard.writeText(url);
      words.textContent = button.dataset.done;
    } catch {
      // The reader closed the sheet of the device, or may not copy here.
    }
  });
});
