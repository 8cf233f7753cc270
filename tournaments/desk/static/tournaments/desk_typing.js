// The desk's line: table, Enter, result, Enter. A result is taken for the table alone whose names the
// line shows. An Enter that meets no table to take a result (unknown, finished, no number) stops the
// line: else the result typed next would be read as a table, and the table after it as a result.
// No Enter takes anything then, until Esc; Save pressed by pointer does, for who sees it sees the names.
"use strict";

// ``words`` are the sentences of the page; ``isOnItsWay(match)`` says whether a result of the match
// waits for its answer; ``keep`` sends an entry; ``say`` writes the line's state. Nothing here waits
// for the server, and no answer may change a field or take the focus out of one.
window.startLine = ({ quick, words, keep, say, isOnItsWay }) => {
  const tableField = document.getElementById("quick-table");
  const textField = document.getElementById("quick-text");
  const names = document.getElementById("quick-names");
  const status = document.getElementById("quick-status");
  let told = { typed: "", shown: "" }; // whom the line has shown last, and for what was typed
  let taken = ""; // whom Enter in the table's field has taken: the result is theirs
  let stopped = false;
  let pointed = false; // whether Save is being pressed by mouse or finger, and not by Enter

  // Returns the table and the result that the two fields hold; "12 2 1" may stand in the first.
  function typed() {
    const [number, ...rest] = tableField.value.trim().split(/[\s.,:/-]+/);
    return { number: number.replace(/^0+/, ""), text: textField.value.trim() || rest.join(" ") };
  }

  // Where a match is played after another at the same table, the one that is open.
  const rowAtTable = (number) => {
    const rows = [...document.querySelectorAll(".desk-row")].filter((row) => number && row.dataset.table === number);
    return rows.find((row) => !("final" in row.dataset)) || rows[0];
  };

  // Letters in the table's place are the beginning of a name.
  const named = () => (/^\p{L}/u.test(tableField.value.trim()) ? tableField.value : "");

  // Returns the row that is meant, and where there is none what is said of it.
  function meant(number) {
    if (!named()) return [rowAtTable(number), number ? words.notable : ""];
    const found = window.rowsOfName(named());
    if (found.length === 1) return [found[0], ""];
    return [null, found.length ? words.several.replace("%(count)s", found.length) : words.nobody];
  }

  function resultOf(row) {
    if ("final" in row.dataset) return words.final;
    return isOnItsWay(row.dataset.match) ? words.onitsway : "";
  }

  function unmark() {
    document.querySelectorAll(".desk-row.aimed, .preset.aimed").forEach((each) => each.classList.remove("aimed"));
  }

  // Shows the names of the table that is typed and what would be stored, and returns its row.
  function describe() {
    const { number, text } = named() ? { text: textField.value.trim() } : typed();
    const [row, missing] = meant(number);
    unmark();
    names.className = "quick-names";
    told = { typed: tableField.value, shown: row ? row.dataset.shown : "" };
    if (!row) {
      names.textContent = missing;
      return null;
    }
    row.classList.add("aimed");
    const { words: sentence, key, strange } = window.sentenceOf(quick, row, text);
    row.querySelector(`.preset[value="${CSS.escape(key)}"]`)?.classList.add("aimed");
    names.classList.toggle("strange", strange);
    const { table, a, b } = row.dataset;
    const result = resultOf(row);
    names.textContent = `${named() || stopped ? `${table}: ` : ""}${sentence || `${a} – ${b}`}${result ? `. ${result}` : ""}`;
    return row;
  }

  // Returns why no result is taken, "" where one is. ``before`` is what the line told when Enter was
  // pressed: news may have changed the row since. With ``confirmed`` a table may have a result.
  function refusal(row, before, text, confirmed) {
    if (!row) return names.textContent || words.nonumber;
    const { shown } = row.dataset;
    const was = taken || (before.typed === tableField.value ? before.shown : shown);
    if (was !== shown) return words.moved;
    const storesNothing = /^[og]$/i.test(text) || (!text && !textField.offsetParent);
    return taken || storesNothing || confirmed ? "" : resultOf(row);
  }

  function stop(row, why) {
    stopped = true;
    taken = "";
    textField.value = "";
    describe();
    quick.classList.add("stopped");
    tableField.setAttribute("aria-invalid", "true");
    const said = row && names.textContent.replace(/\.?$/, ".");
    names.textContent = [said, (!row || why === words.moved) && why, words.stopped].filter(Boolean).join(" ");
    tableField.focus();
    tableField.select();
  }

  function goOn() {
    stopped = false;
    taken = "";
    quick.classList.remove("stopped");
    tableField.removeAttribute("aria-invalid");
  }

  function choose(row) {
    if (textField.offsetParent) {
      taken = row.dataset.shown;
      row.scrollIntoView({ block: "nearest" });
      textField.focus();
      textField.select();
    } else { // a phone has one field: the table's sheet asks for the result
      tableField.value = names.textContent = "";
      unmark();
      row.hidden = false;
      row.querySelector(".no a").click();
    }
  }

  function enter() {
    const before = told;
    const row = describe();
    const { text } = typed();
    const confirmed = stopped && pointed;
    const why = refusal(row, before, text, confirmed);
    if (why || (stopped && !confirmed)) return stop(row, why);
    goOn();
    if (named()) {
      tableField.value = row.dataset.table;
      row.hidden = false;
    }
    // What still stands there was typed for another table: Enter in the table's field never sends it.
    const beside = /[\s.,:/-]/.test(tableField.value.trim());
    if (!text || (document.activeElement === tableField && !beside)) return choose(row);
    tableField.value = textField.value = names.textContent = "";
    unmark();
    tableField.focus();
    if (window.otherKey(row, text)) return;
    const { match, version, shown } = row.dataset;
    keep({ match, version, text, shown });
  }

  for (const field of [tableField, textField]) {
    field.addEventListener("input", () => {
      if (status.classList.contains("refused")) say("", "");
      if (field === tableField) taken = "";
      describe();
    });
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.repeat) event.preventDefault(); // held down, it is one
      const row = event.key === "ArrowDown" && describe();
      if (row) {
        event.preventDefault();
        row.querySelector("a, button").focus();
      }
      if (event.key !== "Escape") return;
      if (status.classList.contains("refused")) say("", "");
      textField.value = "";
      if (field === tableField || stopped) tableField.value = "";
      goOn();
      describe();
      tableField.focus();
      tableField.select();
    });
  }
  document.addEventListener("heard", () => { if (typed().text && !stopped) describe(); });
  quick.noValidate = true; // a number that is missing stops the line like a wrong one
  quick.querySelector("[type=submit]").addEventListener("click", (event) => { pointed = event.detail > 0; });
  quick.addEventListener("submit", (event) => {
    event.preventDefault();
    enter();
    pointed = false;
  });
};
