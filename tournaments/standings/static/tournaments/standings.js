// Rows that were opened and "all rounds" stay so when the page is refreshed; a tap anywhere on a row opens it.
// #player-7 keeps that player's row in sight, and so does one's own in a crowd.
"use strict";

const CROWD = 100;
const opened = new Set();
let every = false;

document.addEventListener("toggle", (event) => {
  const body = event.target.closest?.("tbody[data-row]");
  if (body) opened[event.target.open ? "add" : "delete"](body.dataset.called);
}, true);
document.addEventListener("click", (event) => {
  const row = event.target.closest("tbody[data-row] > tr:first-child");
  if (!row || event.target.closest("a")) return;
  const details = row.parentElement.querySelector("details");
  details.open = !details.open;
});
document.addEventListener("change", (event) => { if (event.target.matches("[data-kept]")) every = event.target.checked; });

function ready() {
  document.querySelectorAll("tbody[data-row]").forEach((body) => {
    if (opened.has(body.dataset.called)) body.querySelector("details").open = true;
  });
  document.querySelectorAll("[data-kept]").forEach((box) => { box.checked = every; });
  follow();
}
function follow() {
  document.querySelectorAll(".followed").forEach((row) => row.classList.remove("followed"));
  if (/^#player-\d+$/.test(location.hash)) document.getElementById(location.hash.slice(1))?.classList.add("followed");
}

document.addEventListener("polled", ready);
window.addEventListener("hashchange", follow);
ready();
const own = document.querySelector("tbody.mine");
if (own && !location.hash && own.parentElement.tBodies.length >= CROWD) own.scrollIntoView({ block: "center" });
