// What the desk's line says before Enter, and its keys besides results.
"use strict";

// Returns the number of a page's sentences, such as "%(winner)s wins: %(score)s", filled in.
const filled = (sentence, values) => sentence.replace(/%\((\w+)\)s/g, (_all, name) => values[name] ?? "");

// What the server said of results typed for tables of three and more, by address: { words, strange }.
const heard = new Map();
const heardOf = (url) => {
  if (!heard.has(url)) {
    heard.set(url, { words: "", strange: false });
    fetch(url).then(async (answer) => {
      heard.set(url, { words: await answer.text(), strange: !answer.ok });
      document.dispatchEvent(new CustomEvent("heard"));
    }).catch(() => heard.delete(url));
  }
  return heard.get(url);
};

// Returns what would be stored for a row: { words, key, strange }. ``key`` is that of a preset. The
// server reads the line by the rules; here it is only said in words.
window.sentenceOf = (quick, row, text) => {
  const { a, b, table } = row.dataset;
  const say = (sentence, winner, loser, more = {}) => ({ words: filled(quick.dataset[sentence], { winner, loser, table, ...more }), key: more.key || "", strange: false });
  const line = text.trim().toLowerCase();
  if (!line) return { words: "", key: "", strange: false };
  const mark = !row.dataset.said && { a1: ["absent", b, a], a2: ["absent", a, b], r1: ["concedes", b, a], r2: ["concedes", a, b], a12: ["both", a, b] }[line];
  if (mark) return say(...mark);
  const minutes = line.match(/^\+(\d{1,2})$/);
  if (minutes) return say("minutes", a, b, { minutes: minutes[1] });
  if (row.dataset.said) return { key: line, ...(/^[og]$/.test(line) ? { words: "" } : heardOf(`${row.dataset.said}?text=${encodeURIComponent(line)}&v=${row.dataset.version}`)) };
  const keys = [...row.querySelectorAll(".preset")].map((button) => button.value);
  const points = row.querySelector("input.points");
  if (line === "p" && !points) {
    const key = keys.find((each) => { const [x, y] = each.split("-"); return x === y; }) || "";
    return say("draw", a, b, { score: key.replace("-", "–"), key });
  }
  const numbers = (points || /[\s.,:/–-]/.test(line) ? line.split(/[\s.,:/–-]+/) : [...line]).filter(Boolean);
  const figures = numbers.map(Number);
  if (figures.length < 2 || figures.slice(0, 3).some((each) => !Number.isInteger(each))) return { words: "", key: "", strange: false };
  const [x, y, drawn] = figures;
  const key = figures.join("-");
  const tail = drawn ? `–${drawn}` : "";
  const described = x === y ? say(!x && drawn > 2 ? "agreed" : "draw", a, b, { score: `${x}–${y}${tail}`, key })
    : x > y ? say("wins", a, b, { score: `${x}–${y}${tail}`, key }) : say("wins", b, a, { score: `${y}–${x}${tail}`, key });
  if (points || !keys.length || keys.includes(key) || drawn || (keys.includes("1-0") && x + y === 1)) return described;
  const [most] = keys[0].split("-").map(Number);
  if (x > most || y > most || (x === most && y === most)) return { ...described, words: filled(quick.dataset.strange, { winner: a, loser: b }), strange: true };
  return described;
};

// Keys of the line that are no results: minutes for the table, its panel, its part for judges.
window.otherKey = (row, text) => {
  const line = text.trim().toLowerCase();
  const minutes = line.match(/^\+(\d{1,2})$/);
  const panel = [...row.querySelectorAll(".tail [data-panel]")].at(-1);
  if (minutes) window.giveMinutes(row, minutes[1]);
  else if (line === "o" && panel) window.openPanel(panel.href);
  else if (line === "o") window.location.assign(row.querySelector(".no a").href);
  else if (line === "g") window.location.assign(`${row.querySelector(".no a").href}#judging`);
  else return false;
  return true;
};

// Sends a form of the desk without leaving it; the row and what was said come with the answer.
window.sendQuietly = async (url, values) => {
  const quick = document.getElementById("quick");
  const status = document.getElementById("quick-status");
  const body = new FormData();
  body.set("csrfmiddlewaretoken", quick.querySelector("[name=csrfmiddlewaretoken]").value);
  Object.entries(values).forEach(([name, value]) => body.set(name, value));
  let answer;
  try {
    const response = await fetch(url, { method: "POST", body, headers: { Accept: "application/json" }, signal: AbortSignal.timeout(15000) });
    answer = await response.json();
  } catch {
    answer = { status: "refused", sentence: document.body.dataset.unsent };
  }
  const saved = answer.status === "saved";
  status.className = `quick-status ${saved ? "saved" : "refused"}`;
  status.textContent = saved ? answer.sentence : `${document.getElementById("desk").dataset.refused}. ${answer.sentence}`;
  if (answer.undo !== undefined) document.dispatchEvent(new CustomEvent("undo-given", { detail: answer.undo }));
  window.dispatchEvent(new Event("online")); // the desk asks for news at once
};

window.giveMinutes = (row, minutes) => {
  const { extend, atdesk } = document.getElementById("desk").dataset;
  const { match, table, players } = row.dataset;
  const values = Object.entries({ minutes, reason: atdesk });
  window.keepAct(extend.replace("/0/", `/${match}/`), values, `${table}: ${players.replaceAll("|", " – ")} · +${minutes}`, match);
};

// Returns the rows in which every word that was typed begins a word of a player's name.
window.rowsOfName = (typed) => [...document.querySelectorAll(".desk-row")].filter((row) => row.dataset.players.split("|").some((name) => isCalled(name, typed)));

// What was done on the page before is said in the line: above it, the list would move down, and up again.
{
  const message = document.querySelector("#messages .notice.good:only-child");
  const status = document.getElementById("quick-status");
  if (message && status) {
    message.classList.add("visually-hidden");
    status.className = "quick-status saved";
    status.textContent = message.textContent.trim();
  }
}

// Keys that work anywhere on the desk but in what is being written.
document.addEventListener("keydown", (event) => {
  const desk = document.getElementById("desk");
  if (!desk || document.querySelector("dialog[open]") || event.altKey || event.metaKey) return;
  const field = event.target.closest("input, textarea, select");
  const empty = !field || (field.closest("#quick") && !field.value);
  let press = null;
  if (event.ctrlKey && event.key === "z" && empty) press = desk.querySelector(".undo-offer form[action$='/undo/'] button");
  else if (event.ctrlKey && event.key === "Enter") press = desk.querySelector(".next .button:not([aria-disabled=true], :disabled)");
  else if (event.key === "?" && empty) press = desk.querySelector("#keys summary");
  else if ((event.key === "/" && (empty || field.id === "quick-table")) || (event.key === "Escape" && event.target.closest(".desk-row"))) {
    const line = document.getElementById("quick-table");
    if (!line) return;
    event.preventDefault();
    line.focus();
    line.select();
  }
  if (!press) return;
  event.preventDefault();
  if (event.key !== "?") press.focus();
  press.click();
  if (event.key === "?") window.toLine();
});

// Puts the focus into the line, where there is a keyboard to type on: a phone has no second field.
window.toLine = () => {
  if (!document.getElementById("quick-text")?.offsetParent) return false;
  document.getElementById("quick-table").focus();
  return true;
};

// Where a panel that had the focus is closed, typing goes on in the line.
document.addEventListener("toggle", ({ target }) => {
  const at = document.activeElement;
  if (target.matches("details:not([open])") && target.isConnected && (at === document.body || target.contains(at))) window.toLine();
}, true);
document.addEventListener("keydown", (event) => {
  const open = event.key === "Escape" && event.target.closest("#desk details[open]");
  if (open) open.open = false;
});

// On a phone the way back stands beside the button that saves.
{
  const back = document.getElementById("quick-undo");
  const undo = () => document.querySelector(".undo-offer form[action$='/undo/'] button");
  const show = () => { if (back) back.hidden = !undo(); };
  back?.addEventListener("click", () => undo()?.click());
  document.addEventListener("polled", show);
  document.addEventListener("undo-offer", show);
  show();
}
