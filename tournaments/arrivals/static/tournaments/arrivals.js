// The door: what is typed finds players; Enter marks the only one who is left. A scanned code is
// typed by the scanner like a name, and ends with Enter too.
"use strict";

(() => {
  const find = document.getElementById("door-find");
  const list = document.getElementById("arrivals");
  const said = document.getElementById("door-said");
  if (!find || !list) return;
  let part = "";
  let chosen = -1; // the place of the row that the arrows have chosen, -1 before they were used

  const isHere = (row) => row.classList.contains("here");
  const inPart = (row) => part === "" || (part === "to-come" ? !isHere(row) : row.classList.contains(part));
  const found = () => [...list.children].filter((row) => isCalled(row.dataset.name, find.value));

  function show() {
    const rows = found();
    const typed = find.value.trim();
    [...list.children].forEach((row) => {
      row.hidden = !(rows.includes(row) && (typed ? true : inPart(row)));
      row.classList.remove("chosen");
    });
    const left = rows.filter((row) => !isHere(row));
    chosen = Math.min(chosen, left.length - 1);
    const row = left[left.length === 1 ? 0 : chosen];
    if (!typed) said.textContent = "";
    else if (!rows.length) said.textContent = said.dataset.none;
    else if (!left.length) said.textContent = `${said.dataset.here} ${rows[0].dataset.name}`;
    else if (row) {
      row.classList.add("chosen");
      const fee = row.classList.contains("unpaid") && said.dataset.fee;
      said.textContent = `${said.dataset.one} ${row.dataset.name}${fee ? ` · ${fee}` : ""}`;
    } else said.textContent = `${said.dataset.many} (${left.length})`;
    return typed && row;
  }

  // The one whose fee is meant: the chosen row, else the only one that is left to pay.
  function payer() {
    const rows = found().filter((row) => row.classList.contains("unpaid"));
    return rows.find((row) => row.classList.contains("chosen")) || (rows.length === 1 ? rows[0] : null);
  }

  // The code's own page is asked for by its address: here only its end counts.
  function scanned(text) {
    const [before] = find.dataset.code.split("CODE");
    const at = text.indexOf(before);
    return at < 0 ? "" : text.slice(at);
  }

  find.form.addEventListener("submit", (event) => {
    event.preventDefault();
    const address = scanned(find.value.trim());
    if (address) {
      location.assign(address);
      return;
    }
    const row = show();
    if (row) row.querySelector("form").requestSubmit();
    // Whoever is here already, or called otherwise: the next letters replace these.
    if (row || !found().some((each) => !isHere(each))) find.select();
  });
  const takeFee = () => payer()?.querySelector("form.fee").requestSubmit();
  // Phones tell what was written, not which key: there the sign is taken out of the text again.
  find.addEventListener("input", () => {
    const fee = find.value.includes("€");
    find.value = find.value.replaceAll("€", "");
    chosen = -1;
    show();
    if (fee && find.value.trim()) takeFee();
  });
  find.addEventListener("keydown", (event) => {
    if (event.key === "€" && find.value.trim()) takeFee();
    else if (event.key === "Escape") find.value = "";
    else if (event.key === "ArrowDown") chosen += 1;
    else if (event.key === "ArrowUp") chosen = Math.max(-1, chosen - 1);
    else return;
    event.preventDefault();
    show();
  });
  document.querySelectorAll(".door-parts [data-part]").forEach((chip) => chip.addEventListener("click", () => {
    part = chip.dataset.part;
    document.querySelectorAll(".door-parts [data-part]").forEach((each) => each.setAttribute("aria-pressed", String(each === chip)));
    show();
  }));
  // A marked row stays where it is until the reader looks for somebody else; the search keeps focus.
  document.body.addEventListener("htmx:afterSwap", () => {
    if (document.activeElement === document.body) find.focus();
    said.textContent = "";
  });
})();
