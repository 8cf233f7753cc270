// The form of an event: the options of the formula chosen, the line of advice, how many choices
// differ from the template, and the names of time zones that this browser knows.
"use strict";
(() => {
  const form = document.querySelector("[data-event-form]");
  if (!form) return;
  const place = document.getElementById("advice-line");
  // Whoever has chosen a template writes the name next; of another game, which game it is.
  const chosen = /[?&](template|copy)=/.test(window.location.search) && window.matchMedia("(pointer: fine)").matches;
  const asked = form.elements.game?.value === "" ? form.elements.game : form.elements.name;
  if (chosen && document.activeElement === document.body) asked?.focus({ preventScroll: true });
  const options = form.querySelector("[data-part=options]");
  const asks = /^(capacity|minutes|breaks|ends_by|starts_at|time_zone|formula|format|score|option_|table_worth$)/;
  let last = 0;

  function typed() {
    const found = new URLSearchParams();
    new FormData(form).forEach((value, name) => { if (asks.test(name)) found.append(name, value); });
    return found;
  }

  async function part(name) {
    const asked = typed();
    asked.set("part", name);
    const answer = await fetch(`?${asked}`, { headers: { "HX-Request": "true" } }).catch(() => null);
    return answer?.ok ? answer.text() : null;
  }

  async function advise() {
    if (!place) return;
    const mine = ++last;
    const text = await part("advice");
    if (text !== null && mine === last) place.innerHTML = text;
  }

  async function replace(name) {
    const text = await part(name);
    if (text !== null) form.querySelector(`[data-part=${name}]`).innerHTML = text;
  }

  // At tables of three and more other points and criteria count.
  const atTables = () => options.querySelector("[data-at-tables]") !== null;

  async function choose() {
    const before = atTables();
    await replace("options");
    if (atTables() !== before) {
      await Promise.all(["points", "criteria"].map(replace));
      document.dispatchEvent(new Event("girone:criteria"));
    }
    count();
    advise();
  }

  async function reorder() {
    await replace("criteria");
    document.dispatchEvent(new Event("girone:criteria"));
    count();
  }

  // What differs from the template is counted, so that a folded line says it.
  const badge = form.querySelector("[data-count]");
  const usual = JSON.parse(form.dataset.usual || "{}");
  const now = (field) => (field.type === "checkbox" ? (field.checked ? "on" : "") : field.value);
  const plain = (text) => text.replace(/\r\n/g, "\n").trim();
  function count() {
    if (!badge) return;
    const differing = Object.keys(usual).filter((name) => {
      const field = form.elements.namedItem(name);
      return field && field.type !== undefined && plain(now(field)) !== plain(usual[name]);
    });
    badge.textContent = differing.length ? form.dataset.changed.replace("%n", differing.length) : form.dataset.same;
  }

  let timer = 0;
  form.addEventListener("input", (event) => {
    count();
    if (!asks.test(event.target.name || "") || event.target.name === "formula") return;
    clearTimeout(timer);
    timer = setTimeout(advise, 300);
  });
  form.addEventListener("change", (event) => {
    if (event.target.name === "formula") choose();
    if (event.target.name === "table_worth") reorder();
  });

  // A formula's options are there once it is chosen.
  form.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-sets]");
    if (!button) return;
    const { formula, ...others } = JSON.parse(button.dataset.sets);
    if (formula) {
      form.elements.namedItem("formula").value = formula;
      await choose();
    }
    Object.entries(others).forEach(([name, value]) => {
      const field = form.elements.namedItem(name);
      if (!field) return;
      if (field.type === "checkbox") field.checked = value === "on";
      else field.value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.dispatchEvent(new Event("change", { bubbles: true }));
    });
  });

  // Another template keeps what was typed.
  const carried = new URLSearchParams(location.search);
  document.querySelectorAll("[data-carries]").forEach((link) => link.addEventListener("click", () => {
    const to = new URL(link.href);
    ["name", "starts_at", "venue", "capacity", "game", "format_name"].forEach((name) => {
      const field = form.elements.namedItem(name);
      const own = field && (field.value !== field.defaultValue || carried.has(name));
      if (own && field.value) to.searchParams.set(name, field.value);
    });
    link.href = to;
  }));

  // Ready-made rules of the game that is typed come first; so many are seen as stood open before.
  const cards = [...form.querySelectorAll(".ready li")];
  const [seen, more] = form.querySelectorAll(".ready ul");
  const open = seen?.children.length;
  const folded = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();
  form.elements.namedItem("game")?.addEventListener("input", (event) => {
    const wanted = folded(event.target.value);
    const other = (card) => wanted === "" || !folded(card.textContent).startsWith(wanted);
    const order = [...cards].sort((one, next) => other(one) - other(next));
    seen.append(...order.slice(0, open));
    more.append(...order.slice(open));
  });

  // Names of zones come from the browser when they are wanted, not with the page.
  const zones = document.getElementById("time-zones");
  form.elements.namedItem("time_zone")?.addEventListener("focus", () => {
    if (zones.children.length || !Intl.supportedValuesOf) return;
    zones.append(...Intl.supportedValuesOf("timeZone").map((name) => new Option("", name)));
  });
  count();
})();
