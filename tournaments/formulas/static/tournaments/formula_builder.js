// The builder without reloading: each change and each button sends the form, and the answer takes
// its place. Without this file every button does the same by loading the page.
"use strict";

(() => {
  const find = () => document.getElementById("builder");
  let asked = 0;
  let busy = false;

  const say = (text) => {
    const place = document.getElementById("builder-said");
    if (place) place.textContent = text;
    const words = document.getElementById("connection");
    if (words) words.textContent = text;
  };

  // What is open, where the view is and where the focus is stay, or go where the step says.
  function swap(html, act) {
    const old = find();
    const open = [...old.querySelectorAll("details[open]")].map((part) => part.id);
    const held = document.activeElement;
    const id = held && old.contains(held) ? held.id : "";
    const range = held && typeof held.selectionStart === "number" ? [held.selectionStart, held.selectionEnd] : null;
    const scrolled = old.querySelector(".plays")?.scrollTop || 0;
    const holder = document.createElement("template");
    holder.innerHTML = html;
    const fresh = holder.content.getElementById("builder");
    if (!fresh) return false;
    old.replaceWith(fresh);
    open.forEach((key) => { const part = key && document.getElementById(key); if (part) part.open = true; });
    const plays = fresh.querySelector(".plays");
    if (plays) plays.scrollTop = scrolled;
    const wanted = act === "look" ? id : fresh.dataset.focusAt || id;
    const target = wanted && document.getElementById(wanted);
    if (target) {
      target.focus({ preventScroll: act === "look" });
      if (act === "look" && range && target.setSelectionRange && target.type === "text") target.setSelectionRange(...range);
      if (act !== "look") target.scrollIntoView({ block: "nearest" });
    }
    say("");
    return true;
  }

  async function send(act) {
    const form = find();
    const mine = ++asked;
    const data = new FormData(form);
    data.set("act", act);
    form.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form.action || location.href, {
        method: "POST", body: new URLSearchParams(data), headers: { "HX-Request": "true" }, redirect: "manual",
      });
      if (mine !== asked) return; // something newer is on its way
      if (answer.type === "opaqueredirect" || answer.status === 403) return say(form.dataset.signedOut);
      if (!answer.ok) throw new Error(String(answer.status));
      // What was typed while the answer was on its way is not taken back.
      const now = new FormData(form);
      now.set("act", act);
      if (act === "look" && new URLSearchParams(now).toString() !== new URLSearchParams(data).toString()) return send(act);
      const html = await answer.text();
      if (mine === asked && !swap(html, act)) throw new Error("no form");
    } catch {
      say(form.dataset.offline);
    } finally {
      find()?.removeAttribute("aria-busy");
    }
  }

  // Saving loads a page; every other button answers in place.
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    const act = event.submitter?.value || "look";
    if (form.id !== "builder" || event.defaultPrevented || ["save", "overwrite"].includes(act)) return;
    event.preventDefault();
    if (busy) return;
    busy = true;
    await send(act);
    busy = false;
  });

  let timer = 0;
  document.addEventListener("input", (event) => {
    if (!event.target.closest?.("#builder") || !["text", "number"].includes(event.target.type)) return;
    clearTimeout(timer);
    timer = setTimeout(() => { if (!busy) send("look"); }, 700);
  });
  document.addEventListener("change", (event) => {
    if (!event.target.closest?.("#builder")) return;
    clearTimeout(timer);
    timer = setTimeout(() => { if (!busy) send("look"); }, 30);
  });

  const first = find();
  const target = first?.dataset.focusAt && document.getElementById(first.dataset.focusAt);
  if (target && !first.querySelector("[data-focus]")) target.focus();
})();
