// The form of an event: what depends on the formula, the preview, the values on the settings, what
// was typed before a game is chosen, and the names of time zones that this browser knows.
"use strict";
(() => {
  const form = document.querySelector("[data-event-form]");
  if (!form) return;
  const place = document.getElementById("advice-line");
  const fine = window.matchMedia("(pointer: fine)").matches;

  // What is asked next: the game, then its format, then the name.
  const another = document.querySelector("[data-another]");
  if (another && fine && document.activeElement === document.body) {
    const format = document.querySelector(".format-chips [aria-current]");
    const asked = new URLSearchParams(location.search);
    const next = format && asked.has("game") && !asked.has("ready") ? format : form.elements.name;
    const chosen = ["game", "ready", "format"].some((name) => asked.has(name));
    (chosen ? next : another.elements.game).focus({ preventScroll: true });
  }

  const field = (name) => {
    const found = form.elements.namedItem(name);
    return found instanceof RadioNodeList ? [...found] : found ? [found] : [];
  };
  const plain = /^(about|csrfmiddlewaretoken)$/;
  const ofOrder = /^(table_)?criterion_|^preset$/;

  async function part(name, left) {
    const asked = new URLSearchParams({ part: name });
    new FormData(form).forEach((value, key) => {
      if (!plain.test(key) && !left?.test(key)) asked.append(key, value);
    });
    const answer = await fetch(`?${asked}`, { headers: { "HX-Request": "true" } }).catch(() => null);
    return answer?.ok ? answer.text() : null;
  }

  let last = 0;
  async function advise() {
    const mine = ++last;
    const text = await part("advice");
    if (text === null || mine !== last) return;
    const found = document.createElement("div");
    found.innerHTML = text;
    found.querySelectorAll("data").forEach((one) => {
      const shown = document.querySelectorAll(`[data-value="${one.value}"]`);
      shown.forEach((element) => { element.textContent = one.textContent; });
    });
    if (place) place.replaceChildren(...found.childNodes);
  }

  async function replace(name, left) {
    const places = form.querySelectorAll(`[data-part=${name}]`);
    const text = places.length ? await part(name, left) : null;
    if (text !== null) places.forEach((one) => { one.innerHTML = text; });
  }

  const reordered = () => document.dispatchEvent(new Event("girone:criteria"));
  async function choose() {
    await Promise.all(["numbers", "more_options", "lists", "points", "criteria"].map((name) => replace(name)));
    reordered();
    advise();
  }

  let timer = 0;
  form.addEventListener("input", (event) => {
    if (event.target.name === "formula") return;
    clearTimeout(timer);
    timer = setTimeout(advise, 300);
  });
  form.addEventListener("change", async (event) => {
    const { name, tagName, value } = event.target;
    if (event.target.closest(".segments") && value) { // a value of the list, or one beside it
      field(name).forEach((one) => {
        if (one === event.target) return;
        if (one.type === "radio") one.checked = one.checked && tagName !== "SELECT";
        else one.value = "";
      });
    }
    if (name === "formula") choose();
    if (name === "table_worth") replace("criteria", ofOrder).then(reordered);
    if (/_(sizes|ending)$/.test(name)) await replace("numbers");
  });

  function set(name, value) {
    const some = field(name);
    const radio = some.find((one) => one.type === "radio" && one.value === value);
    const one = radio || some.find((other) => other.type !== "radio");
    if (!one) return;
    if (radio) radio.checked = true;
    else if (one.type === "checkbox") one.checked = value === "on";
    else one.value = value;
    one.dispatchEvent(new Event("input", { bubbles: true }));
    if (name !== "formula") one.dispatchEvent(new Event("change", { bubbles: true }));
  }

  // Another way: a formula's options are there once it is chosen.
  form.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-sets]");
    if (!button) return;
    const { formula, ...others } = JSON.parse(button.dataset.sets);
    if (formula) {
      set("formula", formula);
      await choose();
    }
    Object.entries(others).forEach(([name, value]) => set(name, value));
  });

  // What was typed comes along to another game.
  function carried(to) {
    ["name", "starts_at", "venue", "expected", "capacity"].forEach((name) => {
      const [typed] = field(name);
      const was = new URLSearchParams(location.search).has(name);
      if (typed?.value && (typed.value !== typed.defaultValue || was)) to.searchParams.set(name, typed.value);
    });
    return to;
  }
  document.querySelectorAll("[data-carries]").forEach((link) => link.addEventListener("click", () => {
    link.href = carried(new URL(link.href));
  }));
  if (another) {
    const box = another.elements.game;
    const go = () => {
      const to = new URL(`?${new URLSearchParams(new FormData(another))}`, location.href);
      to.searchParams.set("game", box.value.trim());
      location.assign(carried(to));
    };
    const unused = () => box.value.trim() && box.value !== box.defaultValue;
    another.addEventListener("submit", (event) => { event.preventDefault(); go(); });
    box.addEventListener("change", () => { if (unused()) go(); });
    form.addEventListener("submit", (event) => {
      if (!unused()) return;
      event.preventDefault();
      go();
    });
  }

  // Names of zones come from the browser when they are wanted, not with the page.
  const zones = document.getElementById("time-zones");
  form.elements.namedItem("time_zone")?.addEventListener("focus", () => {
    if (zones.children.length || !Intl.supportedValuesOf) return;
    zones.append(...Intl.supportedValuesOf("timeZone").map((name) => new Option("", name)));
  });
})();
