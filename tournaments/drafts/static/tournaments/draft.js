// A draft: the first name that is tapped says at every table what a swap would cost, the second one
// swaps. Where "More" is open, names are collected for its buttons.
"use strict";

{
  const form = document.querySelector(".draft-form");
  const bar = form?.querySelector(".draft-bar:not(.of-tables)"); // of tables: draft_tables.js
  const seats = [...(form?.querySelectorAll("input[name=player]") || [])];
  const more = form?.querySelector(".draft-more");
  const filled = (sentence, values) => sentence.replace(/%\((\w+)\)s/g, (_all, name) => values[name] ?? "");
  const tableOf = (seat) => seat.closest("tr")?.querySelector(".number-cell").textContent.trim().split(/\s+/).pop() || "–";
  const opponent = (seat) => seats.find((other) => other !== seat && other.closest("tr") && other.closest("tr") === seat.closest("tr"));
  const pairs = (text) => new Map(text.split(" ").filter(Boolean).map((pair) => pair.split("=")));

  // Returns what it would mean that two players meet: { gap, again, apart }.
  function meeting(one, other) {
    if (!one || !other) return { gap: 0, again: "", apart: false };
    return {
      gap: Math.abs(Number(one.dataset.points || 0) - Number(other.dataset.points || 0)),
      again: pairs(one.dataset.met).get(other.value) || "",
      apart: one.dataset.apart.split(" ").includes(other.value),
    };
  }

  function cost(first, second) {
    const [x, y] = [opponent(first), opponent(second)];
    const after = [meeting(first, y), meeting(second, x)];
    const again = after.find((each) => each.again)?.again;
    if (again) return { rank: 3, tone: "no", words: `✕ ${filled(bar.dataset.again, { round: again })}` };
    if (after.some((each) => each.apart)) return { rank: 2, tone: "no", words: `✕ ${bar.dataset.apart}` };
    const gap = after[0].gap + after[1].gap - meeting(first, x).gap - meeting(second, y).gap;
    if (gap <= 0) return { rank: 0, tone: "ok", words: `✓ ${bar.dataset.free}` };
    return { rank: 1, tone: "", words: filled(bar.dataset.gap, { points: `+${gap}` }) };
  }

  function show() {
    const chosen = seats.filter((seat) => seat.checked);
    const first = chosen.length === 1 ? chosen[0] : null;
    bar.querySelector(".draft-told").textContent = first ? filled(bar.dataset.first, { name: first.dataset.name, table: tableOf(first) }) : "";
    form.querySelectorAll("tbody tr").forEach((row) => {
      const place = row.querySelector(".cost small");
      if (!place) return;
      const here = [...row.querySelectorAll("input[name=player]")];
      place.className = "";
      here.forEach((seat) => { seat.parentElement.classList.remove("worse"); seat.parentElement.title = ""; });
      if (!first) place.textContent = "";
      else if (here.includes(first)) place.textContent = bar.dataset.chosen;
      else {
        const costs = here.map((seat) => ({ seat, ...cost(first, seat) })).sort((one, other) => one.rank - other.rank);
        place.textContent = costs[0]?.words || "";
        place.className = costs[0]?.tone || "";
        // The other of the two costs more: its name is marked, and says so.
        costs.slice(1).filter((each) => each.rank > costs[0].rank).forEach((each) => {
          each.seat.parentElement.classList.add("worse");
          each.seat.parentElement.title = each.words;
        });
      }
    });
    if (chosen.length === 2 && !more?.open) form.querySelector("button[value=swap]").click();
  }

  if (bar && seats.length) {
    form.addEventListener("change", (event) => { if (event.target.name === "player") show(); });
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        seats.forEach((seat) => { seat.checked = false; });
        if (field) field.value = "";
        show();
      }
    });
  }
  // --- The keyboard's way: "7 12" is two tables, "7a 12b" two players ------------------------
  const line = document.getElementById("draft-keys");
  const field = document.getElementById("draft-line");
  const rowAt = (table) => [...document.querySelectorAll(".draft-main tbody tr")].find((row) => row.querySelector(".number-cell").textContent.trim().split(/\s+/).pop() === table);

  // Returns what the line asks for: { words, swap }; without ``swap`` it can't be done.
  function asked() {
    const found = field.value.trim().toLowerCase().match(/^0*(\d+)([ab]?)[\s.,:/-]+0*(\d+)([ab]?)$/);
    if (!found || Boolean(found[2]) !== Boolean(found[4])) return { words: "" };
    const [, one, first, other, second] = found;
    const rows = [rowAt(one), rowAt(other)];
    if (rows[0] && rows[0] === rows[1]) return { words: line.dataset.same };
    const name = first ? "player" : "match";
    const places = rows.map((row, index) => row?.querySelectorAll(`input[name=${name}]`)["ab".indexOf([first, second][index] || "a")]);
    if (!places[0] || !places[1]) return { words: line.dataset.none };
    const values = { one, other };
    if (first) Object.assign(values, { one: places[0].dataset.name, other: places[1].dataset.name, cost: cost(...places).words });
    return { words: filled(first ? line.dataset.players : line.dataset.tables, values), swap: [places, first ? "swap" : "table"] };
  }

  if (line && form) {
    line.hidden = false;
    if (window.matchMedia("(pointer: fine)").matches && document.activeElement === document.body) field.focus({ preventScroll: true });
    field.addEventListener("input", () => { document.getElementById("draft-line-said").textContent = asked().words; });
    line.addEventListener("submit", (event) => {
      event.preventDefault();
      const { swap } = asked();
      if (!swap) return field.select();
      const [places, action] = swap;
      form.querySelectorAll("input[type=checkbox]").forEach((box) => { box.checked = places.includes(box); });
      form.querySelector("[name=table]").value = "";
      form.querySelector(`button[value=${action}]`).click();
    });
  }

  const only = document.querySelector("[data-only-noted]");
  if (only) {
    only.hidden = false;
    only.addEventListener("click", () => {
      const on = only.getAttribute("aria-pressed") === "false";
      only.setAttribute("aria-pressed", String(on));
      document.querySelectorAll(".draft-main tbody tr").forEach((row) => { row.hidden = on && !row.matches(".noted"); });
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey && event.key === "z" && !field?.value) document.querySelector(".undo-offer form[action$='/undo/'] button")?.click();
    if (event.ctrlKey && event.key === "Enter") document.querySelector(".draft-publish form[action$='/publish/'] button:not([aria-disabled=true])")?.click();
  });
}
