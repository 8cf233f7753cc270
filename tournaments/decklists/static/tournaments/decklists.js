// Lists: to the line of a problem, the verdict in words. Everything works without it.
"use strict";

// What is typed is kept in this tab until it is handed in, for this player and account alone: a
// change of the language, a way back or a reload would lose it. It is put back where the server
// still holds what it held when the typing began (data-base).
const editor = () => document.getElementById("id_text");
const first = document.querySelector("textarea[data-owner]");
if (first) {
  const { owner, base } = first.dataset;
  const place = `girone-list-${location.pathname}-${owner}`;
  const original = first.defaultValue;
  const keep = () => {
    const text = editor()?.value;
    try {
      if (text === undefined) return;
      if (text === original) sessionStorage.removeItem(place);
      else sessionStorage.setItem(place, JSON.stringify({ base, text }));
    } catch {
      // Without storage the list is as it was handed in, or kept as a draft.
    }
  };
  addEventListener("load", () => {
    try {
      const kept = JSON.parse(sessionStorage.getItem(place));
      if (kept?.base === base && kept.text !== original) {
        const notice = document.getElementById("kept");
        write(kept.text);
        notice.hidden = false;
        notice.querySelector("button").addEventListener("click", () => { write(original); notice.hidden = true; });
      } else if (kept) sessionStorage.removeItem(place);
    } catch {
      sessionStorage.removeItem(place);
    }
    addEventListener("pagehide", keep);
  });
  document.addEventListener("input", (event) => { if (event.target === editor()) keep(); });
  document.addEventListener("htmx:afterSettle", keep);

  // Who comes back to a page on which the list was open is told that it is closed by now. What was
  // typed stays, and is refused beside its text, to be copied.
  document.addEventListener("visibilitychange", async () => {
    if (document.visibilityState !== "visible") return;
    const answer = await fetch(location.href).catch(() => null);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const [was, now] = [document, page].map((each) => each.getElementById("deck-state"));
    if (!was || !now || page.getElementById("id_text")) return;
    if (editor()?.value === original) location.replace(location.href);
    else was.replaceWith(now);
  });
}

function write(text) {
  editor().value = text;
  editor().dispatchEvent(new Event("input", { bubbles: true }));
}

// What is said of the text is grey until it is of this text, and so is what was handed in.
document.addEventListener("input", (event) => {
  if (event.target !== editor()) return;
  document.getElementById("check").classList.add("stale");
  const count = editor().value.split("\n").length;
  editor().rows = Math.max(10, count + 1);
  const numbers = document.getElementById("lines");
  while (numbers.children.length < count) numbers.append(document.createElement("li"));
  showHanded();
});
document.addEventListener("htmx:afterSwap", () => {
  document.getElementById("check")?.classList.remove("stale");
});

// A copy less or more is written into the text at once; all other changes are the server's.
document.addEventListener("click", (event) => {
  const button = event.target.closest("button[name=mend]");
  if (!button) return;
  event.preventDefault();
  if (button.parentElement.dataset.at && step(button)) return;
  htmx.ajax("POST", button.formAction, { source: button, target: "#editor", swap: "outerHTML" });
});

function step(button) {
  const { line, card, count } = JSON.parse(button.value);
  const shown = button.parentElement.querySelector("b");
  const now = Number(shown.textContent) + (button.id.startsWith("less") ? -1 : 1);
  const lines = editor().value.split("\n");
  const found = lines[line - 1]?.match(/^(\s*)(\d+)(?=x? )/);
  if (now < 1 || now > 999 || !found || Number(found[2]) !== Number(shown.textContent)) return false;
  if (!lines[line - 1].includes(card)) return false;
  lines[line - 1] = lines[line - 1].replace(found[0], `${found[1]}${now}`);
  shown.textContent = now;
  write(lines.join("\n"));
  return true;
}

// Enter in the field of a card adds it; what is offered there is taken first (complete.js).
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.id !== "id_add" || event.isComposing) return;
  event.preventDefault();
  document.querySelector(".add-card button").click();
});
document.addEventListener("htmx:afterSettle", showHanded);

// While a file is read into the editor (which is disabled then) nothing typed before is checked.
document.addEventListener("htmx:confirm", (event) => {
  if (event.detail.elt === editor() && editor().disabled) event.preventDefault();
});

function showHanded() {
  const state = document.getElementById("handed");
  if (!state) return;
  const same = state.dataset.handed === "yes" && editor().value.trim() === editor().defaultValue.trim();
  state.querySelector(".yes").hidden = !same;
  state.querySelector(".no").hidden = same;
}

// A problem's line: its row among the cards where these are shown, else it is selected in the text.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-line]");
  const area = editor();
  if (!link || !area) return;
  event.preventDefault();
  const row = document.getElementById(`line-${link.dataset.line}`);
  if (row?.checkVisibility() && !area.checkVisibility()) {
    row.scrollIntoView({ block: "center" });
    row.querySelector("button")?.focus({ preventScroll: true });
    return;
  }
  document.getElementById("view-text").checked = true;
  const lines = area.value.split(/[\n\v\f\x85\u2028\u2029]/);
  const at = Number(link.dataset.line) - 1;
  const start = lines.slice(0, at).join("\n").length + (at > 0 ? 1 : 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[at] || "").length);
  document.getElementById("lines").children[at]?.scrollIntoView({ block: "center" });
});

// Only the verdict is read aloud after a check, and only when it is another one.
document.addEventListener("htmx:afterSettle", () => {
  const said = document.getElementById("said");
  const words = document.querySelector("#verdict b")?.textContent.trim() || "";
  if (said && said.textContent !== words) said.textContent = words;
});

// What is shown may be old while no answer comes.
const connection = document.getElementById("connection");
document.addEventListener("htmx:sendError", () => { connection.textContent = document.body.dataset.lost; });
document.addEventListener("htmx:afterOnLoad", () => { connection.textContent = ""; });

// After a change by the server the editor is new: the keyboard goes on at what is wrong.
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target?.id === "editor") {
    const add = event.detail.requestConfig?.elt?.closest?.(".add-card");
    (add ? document.getElementById("id_add") : document.getElementById("check"))?.focus({ preventScroll: true });
  }
});
