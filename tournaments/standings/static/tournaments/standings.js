// A rank is a button: it opens a row beneath with the reason and, on phones, the columns that have no room.
// #player-7 keeps that player's row in sight. Without this file a link leads to the reasons.
"use strict";

const opened = new Set();

// The reasons of all tables, asked for once until the page is refreshed.
let reasons = null;

async function reasonOf(body, row) {
  if (!body.dataset.why) return "";
  const asking = new URLSearchParams(location.search);
  const kept = new URLSearchParams([...asking].filter(([name]) => ["page", "all"].includes(name)));
  reasons ??= fetch(`${body.dataset.why}?${kept}`, { headers: { "HX-Request": "true" } })
    .then((answer) => (answer.ok ? answer.text() : Promise.reject(answer.status)))
    .then((text) => new DOMParser().parseFromString(text, "text/html"));
  try {
    const number = row.querySelector("a.player")?.href.match(/(\d+)\/$/)?.[1];
    const told = (await reasons).querySelector(`#why-${body.dataset.table} li[data-n="${number}"] > span:last-child`);
    told?.querySelector(".person")?.remove();
    return told?.textContent.trim() || "";
  } catch {
    reasons = null;
    return document.body.dataset.lost;
  }
}

function about(body, row) {
  const heads = body.closest("table").querySelectorAll("thead th");
  const beneath = document.createElement("tr");
  beneath.className = "why-row";
  const cell = beneath.insertCell();
  cell.colSpan = heads.length;
  const words = document.createElement("p");
  words.setAttribute("role", "status");
  reasonOf(body, row).then((said) => { words.textContent = said; });
  const list = document.createElement("dl");
  [...row.cells].forEach((value, index) => {
    if (index < 3 || !value.classList.contains("number")) return;
    const pair = document.createElement("div");
    pair.append(document.createElement("dt"), document.createElement("dd"));
    pair.firstChild.textContent = heads[index].querySelector("abbr")?.title || heads[index].textContent.trim();
    pair.lastChild.textContent = value.textContent.trim();
    list.append(pair);
  });
  const marks = row.querySelector(".lately")?.cloneNode(true);
  if (marks) {
    const shown = document.createElement("p");
    shown.className = "lately-here";
    shown.append(...marks.childNodes);
    cell.append(shown);
  }
  cell.append(words, list);
  return beneath;
}

function toggle(body, row, button) {
  const open = button.getAttribute("aria-expanded") === "true";
  button.setAttribute("aria-expanded", String(!open));
  if (open) row.nextElementSibling.remove();
  else row.after(about(body, row));
  opened[open ? "delete" : "add"](row.id);
}

// A table that has no room even so, as with very large letters, scrolls in its box.
function fit() {
  document.querySelectorAll(".ranks").forEach((box) => {
    box.classList.remove("tight");
    box.classList.toggle("tight", box.querySelector("table").offsetWidth > box.clientWidth + 1);
  });
}

function ready() {
  reasons = null;
  document.querySelectorAll("tbody[data-ranks]").forEach((body) => {
    const box = body.closest(".table-scroll");
    box.classList.add("ranks");
    const rows = [...body.rows].filter((row) => !row.classList.contains("cut-line"));
    rows.forEach((row) => {
      const rank = row.cells[0].querySelector("b");
      const button = document.createElement("button");
      button.type = "button";
      button.title = body.dataset.ranks;
      button.setAttribute("aria-expanded", "false");
      button.append(...rank.childNodes);
      rank.append(button);
      button.addEventListener("click", () => toggle(body, row, button));
      if (row.id && opened.has(row.id)) toggle(body, row, button);
    });
  });
  const followed = location.hash.match(/^#player-\d+$/) && document.getElementById(location.hash.slice(1));
  followed?.classList.add("followed");
  fit();
}

document.addEventListener("polled", ready);
window.addEventListener("resize", fit);
window.addEventListener("hashchange", () => {
  document.querySelectorAll(".followed").forEach((row) => row.classList.remove("followed"));
  document.getElementById(location.hash.slice(1))?.classList.add("followed");
});
ready();
