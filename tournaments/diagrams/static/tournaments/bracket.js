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

document.addEventListener("polled", place);
place();
