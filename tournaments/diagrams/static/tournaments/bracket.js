// A bracket: whoever is looked for is followed without a new page; folds, rounds and ways of drawing
// stay as the reader left them when news arrive; it opens at the present round.
"use strict";

const live = document.getElementById("live");
const REPLACED = "insertReplacementText"; // what a browser calls it that a suggestion is taken
const left = new Map(); // where each part that scrolls was scrolled to
const folds = new Map(); // the folds that the reader has opened or closed, by id
const wide = matchMedia("(min-width: 62rem)");
const phone = matchMedia("(max-width: 40rem)");
const asked = new URLSearchParams(location.search).get("p");
const came = location.hash.match(/^#player-(\d+)$/);

const inView = () => document.body.dataset.bracket || "whole";
const isWhole = () => wide.matches && inView() !== "rounds";

// --- Folds, rounds and ways of drawing -------------------------------------------------------

function foldAll() {
  for (const fold of document.querySelectorAll(".bk-fold")) {
    fold.open = isWhole() || (folds.get(fold.id) ?? (fold.hasAttribute("data-chosen") || inView() === "rounds"));
  }
}

function scrollAll() {
  for (const box of document.querySelectorAll("[data-keep]")) {
    const rounds = [...box.querySelectorAll(".bk-round")];
    const lit = rounds.findLast((each) => each.querySelector(".match-tile.lit"));
    const now = lit || rounds.find((each) => each.classList.contains("now")) || rounds.at(-1);
    if (!now) continue;
    const hint = box.parentElement.querySelector(":scope > .bk-hint");
    if (hint) hint.hidden = box.scrollWidth <= box.clientWidth;
    const start = now.offsetLeft + now.offsetWidth > box.clientWidth ? now.offsetLeft : 0;
    box.scrollLeft = left.get(box.dataset.keep) ?? Math.max(0, start - rounds[0].offsetLeft);
    box.onscroll = () => { left.set(box.dataset.keep, box.scrollLeft); markRound(box); };
    markRound(box);
  }
}

// Says in the tabs which round is in sight; on a phone the part is as high as this round.
function markRound(box) {
  const tabs = box.parentElement.querySelector(":scope > .bk-jump");
  if (!tabs) return;
  const rounds = [...box.querySelectorAll(".bk-round:not(.bk-gap)")];
  const seen = rounds.findLastIndex((each) => each.offsetLeft - rounds[0].offsetLeft <= box.scrollLeft + box.clientWidth / 3);
  [...tabs.querySelectorAll("a")].forEach((tab, at) => {
    if (at === seen) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
    if (at === seen) tabs.scrollLeft = tab.offsetLeft - tabs.offsetLeft - tabs.clientWidth / 3;
  });
  const high = phone.matches ? rounds[seen]?.offsetHeight : 0;
  if (high) box.style.height = `${high + 16}px`;
  else box.removeAttribute("style");
}

function showViews() {
  for (const group of document.querySelectorAll(".bk-views")) {
    group.hidden = false;
    for (const button of group.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.view === inView()));
    }
  }
}

function place() {
  showViews();
  foldAll();
  scrollAll();
}

// Brings the match where somebody is now to the middle, in the drawing and on the page.
function showPath() {
  const lit = [...document.querySelectorAll(".bk-stage .match-tile.lit")].at(-1);
  const follow = document.getElementById("follow");
  if (!follow || !lit?.checkVisibility()) return;
  const box = lit.closest(".bk-tree, .bk");
  const edge = lit.getBoundingClientRect();
  const frame = box.getBoundingClientRect();
  box.scrollLeft += edge.left + edge.width / 2 - frame.left - frame.width / 2;
  const head = follow.offsetHeight;
  if (isWhole() && (edge.top < 2 * head || edge.bottom > innerHeight)) lit.scrollIntoView({ block: "center", inline: "nearest" });
}

// --- Whom the reader follows -----------------------------------------------------------------

// Shows the bracket with whoever ``sought`` means, a number or letters of a name; "" is nobody.
async function follow(sought, { quiet = false } = {}) {
  const path = location.pathname;
  const url = sought === "" && quiet ? path : `${path}?p=${encodeURIComponent(sought)}`;
  const answer = await fetch(url, { headers: { "HX-Request": "true" } });
  if (!answer.ok || answer.redirected) throw new Error(answer.status);
  live.innerHTML = await answer.text();
  left.clear();
  folds.clear();
  const found = live.querySelector("#followed[data-number]");
  const address = found ? `${path}?p=${found.dataset.number}` : url;
  if (live.dataset.poll) live.dataset.poll = address;
  if (!quiet) history.replaceState(null, "", address);
  live.dispatchEvent(new CustomEvent("polled", { bubbles: true }));
  if (found) showPath();
  if (quiet) return;
  // Not the field: news would wait for as long as it has the focus.
  const place = live.querySelector("#followed") || live.querySelector("#follow");
  place.focus({ preventScroll: true });
  if (!isWhole()) live.querySelector("#follow").scrollIntoView({ block: "start" });
}

// Where no answer comes the browser goes there as it would without this script.
const seek = (sought) => follow(sought).catch(() => location.assign(`${location.pathname}?p=${encodeURIComponent(sought)}#followed`));

live?.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-follow-form]")) return;
  event.preventDefault();
  seek(event.target.elements.p.value.trim());
});
live?.addEventListener("input", (event) => {
  if (event.target.id !== "p" || (event.inputType ?? REPLACED) !== REPLACED) return;
  const names = [...document.querySelectorAll("#p-names option")].map((each) => each.value);
  if (names.includes(event.target.value)) seek(event.target.value); // a suggestion was tapped
});
live?.addEventListener("click", (event) => {
  const name = live.querySelector("#follow") && event.target.closest("a[data-follow]");
  if (name && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    seek(new URL(name.href).searchParams.get("p"));
  }
  const view = event.target.closest("[data-view]");
  if (view) {
    document.body.dataset.bracket = view.dataset.view;
    left.clear();
    folds.clear();
    place();
    showPath();
  }
  const summary = event.target.closest(".bk-fold > summary");
  if (summary) {
    folds.set(summary.parentElement.id, !summary.parentElement.open);
    setTimeout(scrollAll);
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !live?.querySelector("#followed")) return;
  event.preventDefault();
  seek("");
});

// The path of the player whose page this browser has shown; "Stop following" leaves it.
async function own() {
  const number = Number(localStorage.getItem(`girone-own-${location.pathname.split("/").at(-3)}`));
  if (!live?.querySelector("#follow") || came || asked !== null || !number || !live.querySelector(`a[data-follow][href$="?p=${number}"]`)) return;
  await follow(String(number), { quiet: true });
}

if (came && live?.querySelector("#follow") && asked !== came[1]) location.replace(`?p=${came[1]}#followed`);
document.addEventListener("polled", place);
for (const width of [wide, phone]) width.addEventListener("change", place);
window.addEventListener("beforeprint", () => document.querySelectorAll(".bk-fold").forEach((fold) => { fold.open = true; }));
window.addEventListener("afterprint", foldAll);
place();
if (asked) showPath();
own().catch(() => {}); // no storage or no connection: the bracket stands there without a path
