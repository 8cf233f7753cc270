// Types at the desk's line as somebody does who looks at the paper: real fields and scripts of the
// page, a server that answers when it is let. ``mistyped`` is the share of tables that are not open
// in the round: unknown, finished or on their way, no number at all, letters. After one the typist
// goes on blindly for some entries, then looks up and presses Esc. ``answered`` are chances that an
// answer arrives before the next key, one for each round in turn. Returns what was stored though
// nobody meant it, and what was typed with care and not stored.
async ({ seed, typings, mistyped, answered }) => {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (most) => Math.floor(random() * most);
  const one = (list) => list[below(list.length)];

  const body = document.querySelector("#tables tbody");
  document.querySelector(".desk-columns").hidden = true; // nobody looks: half of the time is drawing
  const original = body.innerHTML;
  const tableOf = Object.fromEntries([...body.rows].map((row) => [row.dataset.match, row.dataset.table]));
  const RESULTS = ["20", "21", "12", "02", "2 0", "2 1", "1 2", "0 2"];

  // --- The server ----------------------------------------------------------------------------
  let stored = {}; // the result of each match of this round
  let meant = new Set(); // "table/result" that somebody wanted
  let careful = new Map(); // the result of each table that was typed without a mistake before it
  const told = { typings: 0, mistakes: 0, blind: 0, stored: 0, conflicts: 0, refused: 0, wrong: [], lost: [] };
  const pending = [];
  let rounds = 0;

  function answerTo(match, values) {
    const text = values.get("text");
    const table = tableOf[match];
    if (!RESULTS.includes(text)) {
      told.refused += 1;
      return [400, { status: "refused", sentence: "Unreadable." }];
    }
    if (stored[match] && stored[match] !== text) {
      told.conflicts += 1;
      const conflict = `<div class="conflict" data-match="${match}"><a class="keep" href="#">Keep</a></div>`;
      return [409, { status: "conflict", sentence: "Another.", conflict }];
    }
    if (!values.get("shown").startsWith(`${table}:`)) told.wrong.push(`table ${table}: names of ${values.get("shown")}`);
    if (!stored[match]) {
      told.stored += 1;
      if (!meant.has(`${table}/${text}`)) told.wrong.push(`table ${table}: ${text}`);
    }
    stored[match] = text;
    const row = document.getElementById(`row-${match}`).cloneNode(true);
    row.dataset.version = Number(row.dataset.version) + 1;
    row.dataset.final = "";
    row.dataset.mark = `${row.dataset.mark}f`;
    return [200, { status: "saved", sentence: `Table ${table} saved`, row: row.outerHTML, undo: "" }];
  }

  window.fetch = (url, { method, body: values } = {}) => {
    if (method !== "POST") return Promise.resolve(new Response(null, { status: 304 }));
    const match = url.match(/(\d+)\/$/)[1];
    const early = random() < 0.5 ? answerTo(match, values) : null; // stored, and the answer is slow
    return new Promise((resolve) => {
      pending.push(() => {
        const [status, json] = early || answerTo(match, values);
        resolve({ status, redirected: false, headers: new Headers({ "Content-Type": "application/json" }), json: async () => json });
      });
    });
  };

  // --- The keyboard --------------------------------------------------------------------------
  const channel = new MessageChannel();
  const turn = () => new Promise((done) => {
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
  });

  async function press(key) {
    if (pending.length && random() < answered[rounds % answered.length]) {
      pending.shift()();
      await turn();
    }
    const at = document.activeElement;
    const sent = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    if (!at.dispatchEvent(sent)) return;
    if (key === "Enter" && at.matches("a, button")) at.click();
    else if (key === "Enter") at.form?.querySelector("[type=submit]").click();
    else if (key.length === 1 && at.matches("input")) {
      at.setRangeText(key, at.selectionStart, at.selectionEnd, "end");
      at.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }

  async function type(text) {
    for (const key of text) await press(key);
    await press("Enter");
  }

  // --- The typist ----------------------------------------------------------------------------
  function tablesLeft() {
    const onTheirWay = Object.keys(localStorage).filter((key) => /^girone-desk-\d+-\d+$/.test(key))
      .flatMap((key) => JSON.parse(localStorage[key]).map((entry) => entry.match));
    return Object.keys(tableOf).filter((match) => !stored[match] && !onTheirWay.includes(match)).map((match) => tableOf[match]);
  }

  function wrongNumber(open) {
    const done = Object.values(tableOf).filter((table) => !open.includes(table));
    const number = one([
      () => String(24 + below(76)), () => String(100 + below(400)), () => "", () => "q", () => one(open) + one("0123456789"),
      () => one(done) || "", () => one(done) || "", () => one(done) || "",
    ])();
    return open.includes(number) ? "" : number;
  }

  async function enter(table, result) {
    told.typings += 1;
    if (table && random() < 0.1) return type(`${table} ${result}`);
    await type(table);
    await type(result);
  }

  // Everything is answered; the tables are empty again for another round.
  async function nextRound() {
    for (let calm = 0; calm < 3; calm += 1) {
      await turn();
      if (pending.length) calm = 0;
      while (pending.length) pending.shift()();
    }
    const byTable = Object.fromEntries(Object.entries(stored).map(([match, text]) => [tableOf[match], text]));
    for (const [table, text] of careful) if (byTable[table] !== text) told.lost.push(`table ${table}: ${text}`);
    for (const found of document.querySelectorAll(".conflict")) found.remove();
    localStorage.clear();
    rounds += 1;
    body.innerHTML = original;
    [stored, meant, careful] = [{}, new Set(), new Map()];
    document.getElementById("quick-table").focus();
    await press("Escape");
  }

  let blindly = -1; // how many entries are typed before somebody looks up; -1 while all is well
  while (told.typings < typings) {
    if (blindly === 0) {
      if (document.activeElement.closest("#quick") === null) document.getElementById("quick-table").focus();
      await press("Escape");
    }
    if (blindly >= 0) blindly -= 1;
    if (!tablesLeft().length) {
      await nextRound();
      blindly = -1;
    }
    const open = tablesLeft();
    const result = random() < 0.03 ? "99" : one(RESULTS);
    if (random() < mistyped) {
      told.mistakes += 1;
      await enter(wrongNumber(open), result);
      if (blindly < 0) blindly = below(5);
      continue;
    }
    const table = one(open);
    const match = Object.keys(tableOf).find((each) => tableOf[each] === table);
    if (random() < 0.03) stored[match] = one(RESULTS); // at another desk
    else if (result !== "99" && blindly < 0) careful.set(table, result);
    if (blindly >= 0) told.blind += 1;
    meant.add(`${table}/${result}`);
    await enter(table, result);
  }
  await nextRound();
  return told;
}
