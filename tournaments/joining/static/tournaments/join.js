// A phone that joins: the list follows the letters of the name, and the code leads on by itself.
"use strict";

(() => {
  const field = document.getElementById("join-name");
  const said = document.getElementById("join-said");
  const rows = [...document.querySelectorAll("#join-names > li")];

  function show() {
    const typed = field.value.trim();
    for (const row of rows) row.hidden = !typed || !isCalled(row.dataset.called, typed);
    const none = typed && rows.every((row) => row.hidden);
    said.textContent = none ? said.dataset.none : said.dataset.hint;
  }

  if (field) {
    field.form.querySelector("[data-join-find]").hidden = true;
    field.addEventListener("input", show);
    field.form.addEventListener("submit", (event) => event.preventDefault());
    if (field.value) show();
  }
  // Confirmed: the page itself fetches the link, once, and opens the player's page.
  document.addEventListener("polled", (event) => {
    if (event.target.querySelector("[data-open]")) location.reload();
  });
})();
