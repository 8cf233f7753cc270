// Ticks of results that were typed into another program, kept on this device by round and program.
// A result that changed since is not ticked any more.
"use strict";

{
  const list = document.querySelector("[data-typed]");
  const place = list.dataset.typed;
  const read = () => {
    try {
      const kept = JSON.parse(localStorage.getItem(place) || "{}");
      return kept && typeof kept === "object" ? kept : {};
    } catch {
      return {};
    }
  };
  const typed = read();
  for (const row of list.rows) {
    const box = row.querySelector("input");
    box.checked = !box.disabled && typed[row.dataset.key] === row.dataset.result;
  }
  list.addEventListener("change", (event) => {
    const row = event.target.closest("tr");
    const kept = read();
    if (event.target.checked) kept[row.dataset.key] = row.dataset.result;
    else delete kept[row.dataset.key];
    try {
      localStorage.setItem(place, JSON.stringify(kept));
    } catch {
      // a full or closed store: the ticks last as long as the page
    }
  });
}
