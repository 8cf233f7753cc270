// A bracket opens at the present round, keeps its place when it is refreshed, and follows #player-7.
"use strict";

const left = new Map();
const followed = location.hash.match(/^#player-(\d+)$/);
const asked = new URLSearchParams(location.search).get("p");

if (followed && asked !== followed[1]) location.replace(`?p=${followed[1]}${location.hash}`);

function place() {
  document.querySelectorAll("[data-keep]").forEach((box) => {
    const now = box.querySelector(".now") || box.lastElementChild;
    const start = now.offsetLeft + now.offsetWidth > box.clientWidth ? now.offsetLeft : 0;
    box.scrollLeft = left.get(box.dataset.keep) ?? Math.max(0, start - box.firstElementChild.offsetLeft);
    box.addEventListener("scroll", () => left.set(box.dataset.keep, box.scrollLeft), { passive: true });
  });
}

// The path of the player whose page this browser has shown; "–" in the choice of players leaves it.
async function own() {
  const number = localStorage.getItem(`girone-own-${location.pathname.split("/").at(-3)}`);
  const live = document.getElementById("live");
  if (followed || asked !== null || !live?.querySelector(`.bk-follow option[value="${Number(number)}"]`)) return;
  const url = `${location.pathname}?p=${Number(number)}`;
  if (live.dataset.poll) live.dataset.poll = url;
  const answer = await fetch(url, { headers: { "HX-Request": "true" } });
  if (!answer.ok) return;
  live.innerHTML = await answer.text();
  live.dispatchEvent(new CustomEvent("polled", { bubbles: true }));
}

document.addEventListener("polled", place);
place();
own().catch(() => {}); // no storage or no connection: the bracket stands there without a path
