// The screen of the hall: one part at a time, its pages turned by themselves. Between names and the
// running round the clock decides, whose state every answer brings.
"use strict";

(() => {
  const PAGE = 10000; // milliseconds a page is shown; never less than eight seconds
  const NAMES_FOR = 180; // seconds of the round in which names are still shown
  const LATE = 25000; // milliseconds without an answer until the screen says so
  const place = document.getElementById("screen");
  const state = document.getElementById("screen-state");
  const asked = new URLSearchParams(location.search).get("view");
  let page = 0;
  let turned = performance.now();
  let paused = false;
  let heard = performance.now();
  let heardAt = new Date();
  let shownPart = "";

  const pages = (part) => [...place.querySelectorAll(`[data-part="${part}"]`)];
  const parts = () => [...new Set([...place.querySelectorAll("[data-part]")].map((each) => each.dataset.part))];

  // Which part is due: what the address or the desk pins, else names until the round has run for
  // three minutes.
  function due() {
    const all = parts();
    const pinned = [asked, place.querySelector("[data-pinned]")?.dataset.pinned].find((each) => all.includes(each));
    if (pinned) return pinned;
    const known = all.filter((each) => each !== "announcement");
    if (!known.includes("names")) return known[0];
    const clock = place.querySelector("[data-clock]");
    if (!clock) return Math.floor(performance.now() / (PAGE * Math.max(1, pages("names").length))) % 2 ? "playing" : "names";
    const face = clock.querySelector(".clock-face").textContent;
    const begun = clock.dataset.state !== "ready";
    const [minutes, seconds] = face.replace("+", "-").split(":").map(Number);
    const left = face.startsWith("+") ? -1 : 60 * minutes + seconds;
    const whole = 60 * Number(clock.dataset.minutes || 0);
    return begun && whole - left >= NAMES_FOR ? (known.includes("bracket") ? "bracket" : "playing") : "names";
  }

  function show() {
    const part = due();
    const all = pages(part);
    if (part !== shownPart) [shownPart, page, turned] = [part, 0, performance.now()];
    if (!paused && all.length > 1 && performance.now() - turned >= PAGE) {
      page += 1;
      turned = performance.now();
    }
    page %= Math.max(1, all.length);
    place.querySelectorAll("[data-part]").forEach((each) => { each.hidden = each !== all[page]; });
    place.dataset.shows = part;
    const marks = place.querySelector(".marks");
    if (marks && marks.dataset.of !== `${part}${all.length}`) {
      marks.dataset.of = `${part}${all.length}`;
      marks.replaceChildren(...(all.length > 1 ? all : []).map((each) => {
        const mark = document.createElement("li");
        mark.textContent = each.dataset.mark || "";
        return mark;
      }));
    }
    marks?.querySelectorAll("li").forEach((mark, at) => mark.classList.toggle("current", at === page));
    marks?.classList.toggle("paused", paused);
    const face = place.querySelector(".clock-face");
    place.querySelectorAll("[data-face]").forEach((big) => {
      if (face) big.textContent = face.textContent;
      big.hidden = Boolean(face?.hidden);
    });
    tell();
  }

  const form = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23", timeZone: place.dataset.zone };
  const time = (moment) => moment.toLocaleTimeString(document.documentElement.lang, form);

  function tell() {
    const late = performance.now() - heard > LATE;
    const words = [late ? place.dataset.stale.replace("TIME", time(heardAt)) : time(heardAt)];
    if (paused) words.push(place.dataset.paused);
    if (!awake) words.push(place.dataset.awake);
    const said = words.join(" · ");
    if (state.textContent !== said) state.textContent = said;
    state.classList.toggle("bad", late);
  }

  // Plain HTTP has no wake lock: then the page says that the device must be told.
  let awake = false;
  async function stayAwake() {
    try {
      await navigator.wakeLock.request("screen");
      awake = true;
    } catch {
      awake = false;
    }
    tell();
  }

  document.addEventListener("answered", () => { heard = performance.now(); heardAt = new Date(); tell(); });
  document.addEventListener("polled", show);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) stayAwake(); });
  document.addEventListener("keydown", (event) => {
    if (event.key === " ") paused = !paused;
    else if (event.key === "ArrowRight") page += 1;
    else if (event.key === "ArrowLeft") page += Math.max(1, pages(shownPart).length) - 1;
    else if (event.key === "f") document.documentElement.requestFullscreen?.();
    else return;
    turned = performance.now();
    event.preventDefault();
    show();
  });
  stayAwake();
  show();
  setInterval(show, 250);
})();
