// The desk: results by keyboard and mouse, kept in an outbox (outbox.js) until the server has them,
// and the other desks' results. Every form here works without this file too.
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
  const status = document.getElementById("quick-status");
  const list = document.getElementById("outbox");
  const over = document.getElementById("over");
  const held = new Map(); // news of rows that are being edited here, by their id
  const own = new Set(); // rows that were saved here and come with the news, by their id
  const refusals = document.getElementById("refused");
  const rowOf = (match) => document.getElementById(`row-${match}`);
  let since = words.since;
  let tag = "";
  let answers = 0; // how much of this desk was answered

  // --- The outbox --------------------------------------------------------------------------
  function called(entry) {
    if (entry.act) return entry.told;
    const row = rowOf(entry.match);
    return row ? `${row.dataset.table}: ${row.dataset.players.replaceAll("|", " – ")} · ${entry.text}` : `${words.unknown} · ${entry.text}`;
  }

  function mark(entry, state) {
    const row = rowOf(entry.match);
    if (!row) return;
    row.classList.remove("saving", "unsaved");
    if (state) row.classList.add(state);
  }

  const read = () => tableField.focus();
  const { box, item, keep, say, showRefused } = window.startOutbox({
    key, words, status, list, refusals, called, mark, arrived, read, idle: () => ask(),
  });
  const isOnItsWay = (match) => box.waiting.all().some((kept) => !kept.act && kept.match === match);
  window.startLine({ quick, words, keep, say, isOnItsWay });
  window.keepAct = (act, values, told, match) => keep(window.actEntry(act, values, told, { match }));

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
      if (button.value === "send") found.forEach(keep);
      tableField.focus();
    });
  }

  function arrived(entry, answer) {
    answers += 1;
    if (answer.row) showRow(entry.match, answer);
    if (answer.undo !== undefined) offerUndo(answer.undo);
    const said = answer.status === "conflict" ? called(entry) : answer.sentence;
    say(said, answer.status === "saved" ? "saved" : "refused");
    if (answer.status === "saved") {
      if (!entry.act) rowOf(entry.match)?.classList.add("fresh");
      return;
    }
    if (!entry.act) mark(entry, "unsaved");
    if (answer.conflict) {
      box.refused.add(entry);
      document.querySelector(`.conflict[data-match="${entry.match}"]`)?.remove();
      over.insertAdjacentHTML("afterbegin", answer.conflict);
      // The choice waits below the line: it takes no key from whatever is being done.
      if (document.activeElement === document.body) tableField.focus();
      return;
    }
    box.refused.add({ ...entry, sentence: answer.sentence });
    showRefused();
  }

  // The row and what the next step waits for are of one moment. Where another row has changed too,
  // all of them come with the news, together.
  function showRow(match, answer) {
    const differ = differing(answer.marks || "").filter(([other, row]) => other !== String(match) && !held.has(row.id));
    if (differ.length) {
      own.add(`row-${match}`);
      ask();
      return;
    }
    replace(answer.row, true);
    if (!answer.next || answer.round !== words.round) return;
    const news = document.createElement("div");
    news.innerHTML = answer.next;
    put("next-step", news);
  }

  // Rows whose mark is another than the server has told, by the key of their match.
  function differing(marks) {
    return marks.split(" ").map((pair) => pair.split("=")).map(([match, mark]) => [match, rowOf(match), mark])
      .filter(([, row, mark]) => row && row.dataset.mark !== mark);
  }

  // --- The mouse's way ---------------------------------------------------------------------
  desk.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches(".entry")) return;
    event.preventDefault();
    const data = new FormData(form, event.submitter);
    const text = data.get("text") || [...form.querySelectorAll("input.points")].map(({ value }) => value).join("-");
    const match = new URL(form.action).pathname.match(/(\d+)\/$/)[1];
    const chosen = form.closest(".conflict");
    chosen?.remove();
    if (chosen) tableField.focus();
    keep({ match, version: data.get("version"), text, chosen: data.get("chosen") === "yes" });
    // Points are typed on at once: an answer that comes later moves nobody between two digits.
    if (form.querySelector("input.points")) nextEntry(form.closest("tr"))?.focus({ preventScroll: true });
  });
  desk.addEventListener("click", (event) => {
    const keep = event.target.closest(".conflict .keep");
    if (!keep) return;
    event.preventDefault();
    const { match } = keep.closest(".conflict").dataset;
    mark({ match }, "");
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
    if (isOnItsWay(fresh.dataset.match)) return;
    force = own.delete(fresh.id) || force;
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

  // The way back from what was done here comes with its answer: news asked for before know an older one.
  function offerUndo(html) {
    const place = document.querySelector(".last-acts");
    if (!place || place.querySelector("[data-sent]")) return;
    place.innerHTML = html;
    document.dispatchEvent(new CustomEvent("undo-offer"));
  }

  document.addEventListener("undo-given", (event) => { answers += 1; offerUndo(event.detail); });

  async function take(answer, before) {
    // A question that is open belongs to a form that stands there: what is new waits.
    if (document.querySelector("dialog[open]")) return;
    // News asked for before an answer came know less than it: they are asked for again.
    if (answers !== before) {
      setTimeout(ask, 0);
      return;
    }
    const text = await answer.text();
    if (answers !== before) return;
    tag = answer.headers.get("ETag") || "";
    swap(text);
  }
  const ask = window.keepPolling(() => {
    const before = answers;
    return window.askForNews(`${words.tables}?since=${since}`, tag, (answer) => take(answer, before));
  }, DESK_EVERY, 5 * DESK_EVERY);

  function swap(html) {
    const fresh = new DOMParser().parseFromString(html, "text/html").getElementById("fresh");
    if (!fresh) return;
    if (fresh.dataset.round !== words.round) document.getElementById("changed").hidden = false;
    else rowsOf(fresh);
    // A row that waits for its answer gets what the next step waits for with it.
    const waits = differing(fresh.dataset.marks).some(([match]) => isOnItsWay(match));
    for (const id of ["next-step", "desk-clock", "desk-returns", "desk-calls", "desk-acts", "desk-announced"]) {
      if (id !== "next-step" || !waits) put(id, fresh.querySelector(`.fresh-${id}`));
    }
    document.dispatchEvent(new CustomEvent("polled"));
  }

  function put(id, news) {
    const place = document.getElementById(id);
    if (!place || !news || isTypedIn(place) || place.querySelector("[data-sent]")) return;
    const focused = place.contains(document.activeElement);
    exchange(place, news);
    // What had the focus is gone: Tab goes on from here.
    if (focused && !place.contains(document.activeElement)) place.closest("[tabindex]")?.focus({ preventScroll: true });
  }

  // What was taken back has no report after the last one: where a mark differs, all rows are asked for.
  function rowsOf(fresh) {
    fresh.querySelectorAll("tr.desk-row").forEach((row) => replace(row.outerHTML, false));
    const old = differing(fresh.dataset.marks).filter(([match, row]) => !held.has(row.id) && !isOnItsWay(match));
    since = old.length ? "0" : fresh.dataset.since;
    if (old.length) setTimeout(ask, 0);
  }

  askOfBefore();
}
