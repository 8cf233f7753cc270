// Lists: to the line of a problem, the verdict in words, copying. Everything works without it.
"use strict";

// No browser stores the page, so the way back would lose what was typed: this tab keeps it, for
// this player and account alone. It is put back once the page can check it.
const owner = document.querySelector("textarea[data-owner]")?.dataset.owner;
if (owner) {
  const place = `girone-list-${location.pathname}-${owner}`;
  addEventListener("load", () => {
    const written = document.getElementById("id_text");
    try {
      const [visit] = performance.getEntriesByType("navigation");
      const kept = sessionStorage.getItem(place);
      if (visit?.type === "back_forward" && kept !== null && kept !== written.value) {
        written.value = kept;
        written.dispatchEvent(new Event("input", { bubbles: true }));
      }
      addEventListener("pagehide", () => {
        const now = document.getElementById("id_text")?.value;
        if (now !== undefined) sessionStorage.setItem(place, now);
      });
    } catch {
      // Without storage the list is as it was handed in, or kept as a draft.
    }
  });
}

// A problem's line is selected in the editor.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-line]");
  const editor = document.getElementById("id_text");
  if (!link || !editor) return;
  event.preventDefault();
  const lines = editor.value.split(/[\n\v\f\x85\u2028\u2029]/);
  const at = Number(link.dataset.line) - 1;
  const start = lines.slice(0, at).join("\n").length + (at > 0 ? 1 : 0);
  editor.focus();
  editor.setSelectionRange(start, start + (lines[at] || "").length);
  const height = editor.scrollHeight / lines.length;
  editor.scrollTop = Math.max(0, height * (at - 3));
  editor.scrollIntoView({ block: "nearest" });
});

// Only the verdict is read aloud after a check, and only when it is another one.
document.addEventListener("htmx:afterSettle", () => {
  const said = document.getElementById("said");
  const words = document.getElementById("verdict")?.textContent.trim() || "";
  if (said && said.textContent !== words) said.textContent = words;
});

// What is shown may be old while no answer comes.
const connection = document.getElementById("connection");
document.addEventListener("htmx:sendError", () => { connection.textContent = document.body.dataset.lost; });
document.addEventListener("htmx:afterOnLoad", () => { connection.textContent = ""; });

// After a suggestion the editor is new: the keyboard goes on at the verdict.
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target?.id === "editor") document.getElementById("checked")?.focus({ preventScroll: true });
});

// <button data-copy="id" data-copied="Copied">: works on plain HTTP, too.
document.querySelectorAll("[data-copy]").forEach((button) => {
  const words = button.querySelector("span");
  const usual = words.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(button.dataset.copy);
    field.select();
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
    else document.execCommand("copy");
    words.textContent = button.dataset.copied;
    setTimeout(() => { words.textContent = usual; }, 2000);
  });
});
