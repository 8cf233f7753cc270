// The desk: results by keyboard and mouse, kept in an outbox until the server has them, and the
// other desks' results. Every form here works without this file too.
"use strict";

const DESK_EVERY = 1600; // milliseconds until the desk asks what the others have entered
const desk = document.getElementById("desk");
if (desk) startDesk();

function startDesk() {
  const words = desk.dataset;
  const key = `girone-desk-${words.event}-${words.account}`;
  const quick = document.getElementById("quick");
  if (!quick) return;
  const tableField = document.getElementById("quick-table");
  const textField = document.getElementById("quick-text");
  const names = document.getElementById("quick-names");
  const status = document.getElementById("quick-status");
  const list = document.getElementById("outbox");
  const over = document.getElementById("over");
  const held = new Map(); // news of rows that are being edited here, by their id
  const refusals = document.getElementById("refused");
  const rowOf = (match) => document.getElementById(`row-${match}`);
  let busy = false;
  let retry = 0;
  let asked = false; // whether somebody was asked to sign in since a result was typed
  let since = words.since;
  let tag = "";

  // --- The outbox --------------------------------------------------------------------------
  const box = window.outboxAt(key);
  const called = (entry) => {
    const row = rowOf(entry.match);
    return row ? `${row.dataset.table}: ${row.dataset.a} – ${row.dataset.b} · ${entry.text}` : `${words.unknown} · ${entry.text}`;
  };

  function item(entry) {
    const line = document.createElement("li");
    line.textContent = called(entry);
    return line;
  }

  function say(text, tone) {
    status.className = `quick-status ${tone}`;
    status.textContent = text;
  }

  function showOutbox(problem) {
    const waiting = box.waiting.all();
    list.hidden = !(problem && waiting.length);
    list.replaceChildren(...waiting.map(item));
  }

  // What was refused stays until somebody has read it, also through the fifty that come after it.
  function showRefused() {
    const told = box.refused.all().filter((entry) => entry.sentence);
    refusals.hidden = !told.length;
    refusals.replaceChildren(...told.map((entry) => {
      const line = item(entry);
      const button = document.createElement("button");
      Object.assign(button, { type: "button", className: "button plain small", textContent: words.read });
      button.addEventListener("click", () => {
        box.refused.drop(entry);
        mark(entry.match, "");
        showRefused();
        tableField.focus();
      });
      line.append(`: ${entry.sentence} `, button);
      return line;
    }));
  }

  function mark(match, state) {
    const row = rowOf(match);
    if (!row) return;
    row.classList.remove("saving", "unsaved");
    if (state) row.classList.add(state);
  }

  // What older versions kept says nothing of accounts: somebody decides what becomes of it.
  function askOfBefore() {
    const place = `girone-desk-${words.event}`;
    const panel = document.getElementById("before");
    const found = window.outboxAt(place).waiting.all();
    panel.hidden = !found.length;
    panel.querySelector("ul").replaceChildren(...found.map(item));
    panel.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      localStorage.removeItem(place);
      panel.hidden = true;
      if (button.value === "send") found.forEach(save);
      tableField.focus();
    });
  }

  function save(entry) {
    if (box.waiting.has(entry)) return;
    box.refused.dropMatch(entry.match);
    showRefused();
    box.waiting.add(entry);
    asked = false;
    mark(entry.match, "saving");
    say(`${words.saving} ${called(entry)}`, "saving");
    send();
  }

  async function send() {
    clearTimeout(retry);
    const [entry] = box.waiting.all();
    if (busy || !entry) return;
    busy = true;
    const body = new FormData();
    body.set("csrfmiddlewaretoken", quick.querySelector("[name=csrfmiddlewaretoken]").value);
    body.set("version", entry.version);
    body.set("text", entry.text);
    if (entry.chosen) body.set("chosen", "yes");
    let answer;
    try {
      const url = words.save.replace("/0/", `/${entry.match}/`);
      const response = await fetch(url, { method: "POST", body, headers: { Accept: "application/json" }, signal: AbortSignal.timeout(15000) });
      if (response.status >= 500 || response.status === 429) throw new Error("busy");
      if (response.redirected || response.status === 403) {
        wait(entry, words.signin, 20000);
        if (!asked) window.signInAgain?.();
        asked = true;
        return;
      }
      asked = false;
      const json = response.headers.get("Content-Type")?.includes("json");
      answer = json ? await response.json() : { status: "refused", sentence: words.refused };
    } catch {
      return wait(entry, words.waiting, 3000);
    }
    box.waiting.drop(entry);
    showOutbox(false);
    arrived(entry, answer);
    busy = false;
    if (box.waiting.all().length) send();
    else ask();
  }

  function wait(entry, sentence, pause) {
    busy = false;
    box.waiting.all().forEach((kept) => mark(kept.match, "unsaved"));
    say(`${sentence} ${called(entry)}`, "unsaved");
    showOutbox(true);
    retry = setTimeout(send, pause);
  }

  function arrived(entry, answer) {
    mark(entry.match, "");
    if (answer.row) replace(answer.row, true);
    const said = answer.status === "conflict" ? `${words.refused}. ${called(entry)}` : answer.sentence;
    say(said, answer.status === "saved" ? "saved" : "refused");
    if (answer.status === "saved") {
      rowOf(entry.match)?.classList.add("fresh");
      return;
    }
    mark(entry.match, "unsaved");
    if (answer.conflict) {
      box.refused.add(entry);
      document.querySelector(`.conflict[data-match="${entry.match}"]`)?.remove();
      over.insertAdjacentHTML("afterbegin", answer.conflict);
      over.querySelector(".conflict .keep").focus();
      return;
    }
    // What was typed is still there to be mended.
    const row = rowOf(entry.match);
    if (row && entry.keyboard && !tableField.value && !textField.value) {
      tableField.value = row.dataset.table;
      textField.value = entry.text;
      describe();
      textField.focus();
      textField.select();
      return;
    }
    box.refused.add({ ...entry, sentence: answer.sentence });
    showRefused();
  }

  // --- The keyboard's way ------------------------------------------------------------------
  // Returns the table and the result that the two fields hold; "12 2 1" may stand in the first.
  function typed() {
    const [number, ...rest] = tableField.value.trim().split(/[\s.,:/-]+/);
    return { number: number.replace(/^0+/, ""), text: textField.value.trim() || rest.join(" ") };
  }

  const rowAtTable = (number) => number && [...document.querySelectorAll(".desk-row")].find((row) => row.dataset.table === number);

  function describe() {
    const { number, text } = typed();
    const row = rowAtTable(number);
    document.querySelectorAll(".desk-row.aimed, .preset.aimed").forEach((each) => each.classList.remove("aimed"));
    names.className = "quick-names";
    if (!row) {
      names.textContent = number ? words.notable : "";
      return null;
    }
    row.classList.add("aimed");
    const told = window.sentenceOf(quick, row, text);
    row.querySelector(`.preset[value="${told.key}"]`)?.classList.add("aimed");
    names.classList.toggle("strange", told.strange);
    names.textContent = told.words || `${row.dataset.a} – ${row.dataset.b}`;
    if ("final" in row.dataset) names.textContent += `. ${words.final}`;
    return row;
  }

  tableField.addEventListener("input", describe);
  textField.addEventListener("input", describe);
  for (const field of [tableField, textField]) {
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      textField.value = "";
      if (field === tableField) tableField.value = "";
      describe();
      tableField.focus();
      tableField.select();
    });
  }
  quick.addEventListener("submit", (event) => {
    event.preventDefault();
    const row = describe();
    if (!row) {
      tableField.focus();
      tableField.select();
      return;
    }
    // What still stands there was typed for another table: Enter in the table's field never sends it.
    const { text } = typed();
    const beside = /[\s.,:/-]/.test(tableField.value.trim());
    if (!text || (document.activeElement === tableField && !beside)) {
      if (textField.offsetParent) {
        row.scrollIntoView({ block: "nearest" });
        textField.focus();
        textField.select();
      } else {
        tableField.value = `${typed().number} `;
      }
      return;
    }
    tableField.value = textField.value = names.textContent = "";
    row.classList.remove("aimed");
    row.querySelectorAll(".aimed").forEach((each) => each.classList.remove("aimed"));
    tableField.focus();
    if (window.otherKey(row, text)) return;
    save({ match: row.dataset.match, version: row.dataset.version, text, keyboard: true });
  });

  // --- The mouse's way ---------------------------------------------------------------------
  desk.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches(".entry")) return;
    event.preventDefault();
    const data = new FormData(form, event.submitter);
    const text = data.get("text") || `${data.get("score_a")}-${data.get("score_b")}`;
    const match = new URL(form.action).pathname.match(/(\d+)\/$/)[1];
    form.closest(".conflict")?.remove();
    save({ match, version: data.get("version"), text, chosen: data.get("chosen") === "yes" });
  });
  desk.addEventListener("click", (event) => {
    const keep = event.target.closest(".conflict .keep");
    if (!keep) return;
    event.preventDefault();
    const { match } = keep.closest(".conflict").dataset;
    mark(match, "");
    box.refused.dropMatch(match);
    keep.closest(".conflict").remove();
    tableField.focus();
  });

  // --- The other desks ---------------------------------------------------------------------
  // A row that is edited here is not taken from under the hand: its state says what the others did.
  function replace(html, force) {
    const holder = document.createElement("tbody");
    holder.innerHTML = html;
    const fresh = holder.querySelector("tr");
    const old = fresh && document.getElementById(fresh.id);
    if (!old || (!force && old.dataset.mark === fresh.dataset.mark)) return;
    if (box.waiting.all().some((kept) => kept.match === fresh.dataset.match)) return;
    const written = [...old.querySelectorAll("input.points")];
    if (!force && written.some((input) => input.value || input === document.activeElement)) {
      hold(old, fresh);
      return;
    }
    const focused = old.contains(document.activeElement);
    held.delete(fresh.id);
    if (old.classList.contains("aimed")) fresh.classList.add("aimed");
    old.replaceWith(fresh);
    if (focused) nextEntry(fresh)?.focus({ preventScroll: true });
    document.dispatchEvent(new CustomEvent("row", { detail: fresh }));
  }

  function hold(old, fresh) {
    held.set(old.id, fresh.outerHTML);
    const result = fresh.querySelector(".result");
    const note = document.createElement("span");
    note.className = "state changed-by";
    note.textContent = words.changed
      .replace("%(name)s", result?.dataset.by || "?")
      .replace("%(result)s", result?.textContent || fresh.querySelector(".st").textContent.trim());
    const show = document.createElement("button");
    show.type = "button";
    show.className = "button quiet";
    show.textContent = words.show;
    show.addEventListener("click", () => replace(held.get(old.id), true));
    old.querySelector(".st").replaceChildren(note, show);
  }

  desk.addEventListener("focusout", () => setTimeout(() => held.forEach((html) => replace(html, false)), 100));

  // Typing goes on in the next row's points; a click stays where it was, so that a second one or
  // an Enter enters nothing by mistake.
  function nextEntry(row) {
    for (let next = row.nextElementSibling; next; next = next.nextElementSibling) {
      const field = next.querySelector(".entry input.points");
      if (field) return field;
    }
    return row.querySelector("a");
  }

  async function take(answer) {
    // A question that is open belongs to a form that stands there: what is new waits.
    if (document.querySelector("dialog[open]")) return;
    tag = answer.headers.get("ETag") || "";
    swap(await answer.text());
  }
  const ask = window.keepAsking(
    () => window.askForNews(`${words.tables}?since=${since}`, tag, take), DESK_EVERY, 5 * DESK_EVERY,
  );

  function swap(html) {
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("fresh");
    if (!fresh) return;
    if (fresh.dataset.round !== words.round) document.getElementById("changed").hidden = false;
    else rowsOf(fresh);
    for (const id of ["next-step", "desk-clock", "desk-calls", "desk-acts", "desk-announced"]) {
      const place = document.getElementById(id);
      const news = fresh.querySelector(`.fresh-${id}`);
      const busy = place?.contains(document.activeElement) || place?.querySelector("[data-sent]");
      if (place && news && !busy) place.replaceChildren(...news.childNodes);
    }
    document.dispatchEvent(new CustomEvent("polled"));
  }

  // What was taken back has no report after the last one: where a mark differs, all rows are asked for.
  function rowsOf(fresh) {
    fresh.querySelectorAll("tr.desk-row").forEach((row) => replace(row.outerHTML, false));
    const old = fresh.dataset.marks.split(" ").filter((pair) => {
      const [match, mark] = pair.split("=");
      const row = rowOf(match);
      return row && row.dataset.mark !== mark && !held.has(row.id) && !box.waiting.all().some((kept) => kept.match === match);
    });
    since = old.length ? "0" : fresh.dataset.since;
    if (old.length) setTimeout(ask, 0);
  }

  window.addEventListener("online", send);
  document.addEventListener("signed-in", send);
  document.addEventListener("coming-back", (event) => { if (box.waiting.all().length) event.preventDefault(); });
  window.addEventListener("beforeunload", (event) => { if (box.waiting.all().length) event.preventDefault(); });
  // Two results that differed when the page was left: asked of again, so that both are shown.
  for (const entry of box.refused.all().filter((kept) => !kept.sentence)) {
    box.refused.drop(entry);
    box.waiting.add(entry);
  }
  showRefused();
  if (box.waiting.all().length) {
    box.waiting.all().forEach((entry) => mark(entry.match, "unsaved"));
    showOutbox(true);
    send();
  }
  askOfBefore();
}
