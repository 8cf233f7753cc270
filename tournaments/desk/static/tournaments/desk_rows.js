// The list of the desk: filters, one click for who leaves, and the sheet of a row on a phone.
"use strict";

{
  const table = document.getElementById("tables");
  const filters = table?.querySelector(".filters");
  const narrow = window.matchMedia("(max-width: 47.99rem)");
  const place = `girone-filter-${document.getElementById("desk")?.dataset.event}`;
  const needsStaff = (row) => row.matches(".disputed, .reported, .called:not(.final)");
  const fits = { all: () => true, open: (row) => !("final" in row.dataset), staff: needsStaff };
  let chosen = "all";

  // A row that is filled in stays, greyed, until a filter is chosen again: nothing moves by itself.
  function choose(name) {
    chosen = name;
    filters.querySelectorAll("button").forEach((button) => button.setAttribute("aria-pressed", button.value === name));
    table.querySelectorAll("tbody tr").forEach((row) => {
      row.hidden = !fits[name](row);
      row.classList.remove("gone-from");
    });
    count();
  }

  function count() {
    const rows = [...table.querySelectorAll("tbody tr")];
    filters.querySelectorAll("button").forEach((button) => { button.querySelector("b").textContent = rows.filter(fits[button.value]).length; });
  }

  if (filters) {
    filters.hidden = false;
    filters.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      sessionStorage.setItem(place, button.value); // what the width chose is chosen anew by another width
      choose(button.value);
    });
    document.addEventListener("row", (event) => {
      const row = event.detail;
      row.classList.toggle("gone-from", chosen !== "all" && !fits[chosen](row));
      count();
    });
    const rows = table.querySelectorAll("tbody tr");
    const kept = sessionStorage.getItem(place);
    const usual = (narrow.matches || rows.length > 64) && [...rows].some(fits.open) ? "open" : "all";
    choose(kept in fits ? kept : usual);
    if (![...rows].some((row) => !row.hidden)) choose("all");
  }

  // Whoever comes by a link to a row sees it.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a.chip");
    const row = link && document.getElementById(link.hash.slice(1));
    if (!row) return;
    event.preventDefault();
    if (row.hidden) choose("all");
    row.scrollIntoView({ block: "center" });
    row.querySelector("input.points, .mid button, .mid a, .no a")?.focus({ preventScroll: true });
  });

  // Who leaves, once the question is answered: undone beside.
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "drop" || !event.submitter) return;
    event.preventDefault();
    delete event.target.dataset.sure;
    const { formAction, name, value } = event.submitter;
    window.sendQuietly(formAction, { [name]: value, action: "withdraw", back: "desk" });
  });

  // Points by place: seats are tapped in the order of their places, and whoever is left is last. A
  // seat that has its place gives it back, with those after it.
  document.addEventListener("click", (event) => {
    const tapped = event.target.closest(".in-order a.seat");
    if (!tapped || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const form = tapped.closest("form");
    const places = form.dataset.places.split(" ");
    const seats = [...form.querySelectorAll("a.seat:not(.away)")];
    const before = (form.dataset.order || "").split(" ").filter(Boolean);
    const at = before.indexOf(tapped.dataset.seat);
    const order = at < 0 ? [...before, tapped.dataset.seat] : before.slice(0, at);
    if (order.length === seats.length - 1) order.push(seats.find((seat) => !order.includes(seat.dataset.seat)).dataset.seat);
    form.dataset.order = order.join(" ");
    seats.forEach((seat) => {
      const place = order.indexOf(seat.dataset.seat);
      seat.querySelector("small").textContent = place < 0 ? "" : places[place];
      seat.classList.toggle("won", place === 0);
    });
    if (order.length < seats.length) return;
    form.elements.text.value = order.join("");
    form.dataset.order = "";
    form.requestSubmit();
  });

  // --- The sheet of a row ------------------------------------------------------------------
  const sheet = document.getElementById("sheet");

  function tile(row, key, words) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button tile";
    button.textContent = words;
    button.addEventListener("click", () => {
      sheet.close();
      row.querySelector(`.preset[value="${key}"]`).click();
    });
    return button;
  }

  function box(row, name, presets, turned) {
    const part = document.createElement("div");
    part.className = "who-won";
    const heading = document.createElement("h3");
    heading.textContent = name;
    part.append(heading, ...presets.map((key) => {
      const [x, y] = key.split("-");
      return tile(row, key, turned ? `${y}–${x}` : `${x}–${y}`);
    }));
    return part;
  }

  function points(row) {
    const form = sheet.querySelector(".sheet-points");
    form.hidden = false;
    const [first, second] = form.querySelectorAll("input");
    const [one, other] = form.querySelectorAll("label span");
    one.textContent = row.dataset.a;
    other.textContent = row.dataset.b;
    form.onsubmit = (event) => {
      event.preventDefault();
      const [a, b] = row.querySelectorAll("input.points");
      [a.value, b.value] = [first.value, second.value];
      [first.value, second.value] = ["", ""];
      sheet.close();
      row.querySelector(".entry").requestSubmit();
    };
  }

  // A table that has its result: who leaves now, the correction, and its page.
  function leavers(row) {
    return [...row.querySelectorAll(".drop")].map((drop) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button plain tile";
      button.textContent = drop.title;
      button.addEventListener("click", () => {
        sheet.close();
        drop.click();
      });
      return button;
    });
  }

  function open(row) {
    const done = "final" in row.dataset;
    const keys = [...row.querySelectorAll(".preset")].map((button) => button.value);
    const lead = (key) => { const [x, y] = key.split("-").map(Number); return x - y; };
    sheet.querySelector("h2").textContent = `${sheet.dataset.table} ${row.dataset.table}`;
    sheet.querySelector(".sheet-state").replaceChildren(...[...row.querySelector(".st").childNodes].map((node) => node.cloneNode(true)));
    sheet.querySelector(".boxes").replaceChildren(
      ...(keys.length ? [
        box(row, row.dataset.a, keys.filter((key) => lead(key) > 0), false),
        box(row, row.dataset.b, keys.filter((key) => lead(key) < 0).reverse(), true),
        ...keys.filter((key) => lead(key) === 0).map((key) => tile(row, key, /^0-0-[3-9]$/.test(key) ? sheet.dataset.agreed : sheet.dataset.draw.replace("%(score)s", key.replace("-", "–")))),
      ] : []),
      ...leavers(row),
    );
    sheet.querySelector(".help").hidden = done;
    sheet.querySelector(".sheet-points").hidden = true;
    if (row.querySelector("input.points")) points(row);
    sheet.querySelector(".sheet-links").replaceChildren(...[...row.querySelectorAll(".fix, .tail a")].map((link) => {
      const copy = link.cloneNode(true);
      const words = document.createElement("span");
      words.textContent = link.getAttribute("aria-label");
      if (words.textContent) copy.append(words);
      copy.addEventListener("click", () => sheet.close());
      return copy;
    }));
    sheet.showModal();
  }

  table?.addEventListener("click", (event) => {
    const row = event.target.closest("tr.desk-row");
    const number = event.target.closest(".no a");
    if (!sheet || !narrow.matches || !row || row.dataset.said || (event.target.closest("a, button, input, label") && !number)) return;
    event.preventDefault();
    if (row.matches(".disputed")) row.querySelector(".decide")?.click();
    else open(row);
  });
  sheet?.addEventListener("click", (event) => {
    if (event.target === sheet || event.target.closest(".close")) sheet.close();
  });
}
