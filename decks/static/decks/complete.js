// Card names while they are typed, in a text or a field: <textarea data-complete="/cards/<game>/complete/?catalogue=1">.
// The words come in data-complete-label (of the list) and data-complete-found (with %(count)s).
// Works on the name in the line of the caret. Without this file the text area is as good as ever.
"use strict";

// What may stand before a name, and what ends one: a bullet, SB:, a count; a tag or a count behind.
const FRONT = /^\s*(?:[-–—*•·+>]\s+)?(?:[Ss][Bb]:\s*)?(?:\d+(?:[x×*]\s*|X\s+|\s*[;:]\s*|\s+[-–—=x×*]\s+|\s+)|[x×]\s?\d+\s+)?/;
const TAGS = /\s*[([{].*$/;
const COUNT = /(?:\s[xX×*]\s*\d+|\s\d+[x×]|\s*[;\t]\s*\d+)\s*$/;

function startCompleting(area) {
  const words = area.dataset;
  const least = Number(words.completeFrom || 2);
  const list = document.createElement("ul");
  const status = document.createElement("p");
  const mirror = document.createElement("div");
  const id = `${area.id || "text"}-names`;
  let offered = [];
  let active = -1;
  let timer = 0;
  let asked = null;

  list.id = id;
  list.className = "complete-names";
  list.hidden = true;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", words.completeLabel || "");
  status.className = "visually-hidden";
  status.setAttribute("role", "status");
  mirror.className = "complete-mirror";
  mirror.setAttribute("aria-hidden", "true");
  area.parentElement.classList.add("complete");
  area.after(mirror, list, status);
  area.setAttribute("aria-autocomplete", "list");
  area.setAttribute("aria-controls", id);
  area.setAttribute("aria-haspopup", "listbox");

  // The name in the line of the caret, and where it stands; null where there is none to complete.
  function typed() {
    const caret = area.selectionStart;
    if (caret !== area.selectionEnd) return null;
    const text = area.value;
    const start = text.lastIndexOf("\n", caret - 1) + 1;
    const end = (text.indexOf("\n", caret) + 1 || text.length + 1) - 1;
    const line = text.slice(start, end);
    if (/^\s*(#|\/\/)/.test(line)) return null;
    const from = start + line.match(FRONT)[0].length;
    let to = from + text.slice(from, end).replace(TAGS, "").replace(COUNT, "").trimEnd().length;
    if (caret > to && !text.slice(to, caret).trim()) to = caret; // a space between two words
    if (caret < from || caret > to || to - from < least) return null;
    return { from, to, name: text.slice(from, to), query: text.slice(from, caret) };
  }

  function close() {
    clearTimeout(timer);
    asked?.abort();
    asked = null;
    offerNothing();
  }

  function offerNothing() {
    offered = [];
    active = -1;
    list.hidden = true;
    list.replaceChildren();
    status.textContent = "";
    area.removeAttribute("aria-activedescendant");
  }

  async function ask() {
    const place = typed();
    if (!place || place.query.trim().length < least) return close();
    asked?.abort();
    const own = (asked = new AbortController());
    const url = new URL(words.complete, location.href);
    url.searchParams.set("q", place.query);
    try {
      const answer = await fetch(url, { signal: own.signal, headers: { Accept: "application/json" } });
      const found = answer.ok ? (await answer.json()).names : [];
      if (asked === own && document.activeElement === area) show(found, place);
    } catch {
      // Another letter was typed, or there is no connection: nothing is offered.
    }
  }

  function show(found, place) {
    // What was typed since is still asked for.
    if (!found.length || (found.length === 1 && found[0].name === place.name)) return offerNothing();
    offered = found;
    active = -1;
    area.removeAttribute("aria-activedescendant");
    list.replaceChildren(...found.map((card, at) => {
      const item = document.createElement("li");
      item.id = `${id}-${at}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      const name = document.createElement("bdi");
      name.textContent = card.name;
      const more = document.createElement("small");
      more.textContent = [card.other, card.kind].filter(Boolean).join(" · ");
      item.append(name, more);
      return item;
    }));
    status.textContent = (words.completeFound || "").replace("%(count)s", found.length);
    list.hidden = false;
    stand(place.from);
  }

  // The list stands under the line of the caret: a copy of the text up to there tells how far down.
  function stand(from) {
    const look = getComputedStyle(area);
    for (const key of ["font", "letterSpacing", "lineHeight", "padding", "border", "tabSize"]) mirror.style[key] = look[key];
    mirror.style.width = `${area.clientWidth + parseFloat(look.borderLeftWidth) + parseFloat(look.borderRightWidth)}px`;
    const mark = document.createElement("span");
    mark.textContent = "x";
    mirror.replaceChildren(area.value.slice(0, from), mark);
    const below = mark.offsetTop + mark.offsetHeight - area.scrollTop;
    list.style.top = `${area.offsetTop + Math.max(0, Math.min(below, area.offsetHeight))}px`;
    mirror.replaceChildren();
    const hidden = list.getBoundingClientRect().bottom - (window.visualViewport?.height ?? innerHeight);
    if (hidden > 0) scrollBy({ top: hidden + 8 });
  }

  function choose(at) {
    const items = list.children;
    items[active]?.setAttribute("aria-selected", "false");
    active = (at + items.length) % items.length;
    items[active].setAttribute("aria-selected", "true");
    items[active].scrollIntoView({ block: "nearest" });
    area.setAttribute("aria-activedescendant", items[active].id);
  }

  function accept(at) {
    const place = typed();
    const name = offered[at]?.name;
    close();
    if (!place || !name) return;
    area.focus();
    area.setSelectionRange(place.from, place.to);
    // The old command keeps what was typed undoable, and tells everybody about the input.
    if (!document.execCommand("insertText", false, name)) {
      area.setRangeText(name, place.from, place.to, "end");
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }
    close();
  }

  area.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 120);
  });
  area.addEventListener("keydown", (event) => {
    if (list.hidden || event.isComposing) return;
    if (event.key === "ArrowDown") choose(active + 1);
    else if (event.key === "ArrowUp") choose(active < 0 ? -1 : active - 1);
    else if (event.key === "Enter" && active >= 0) accept(active);
    else if (event.key === "Escape") close();
    else {
      if (["Tab", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"].includes(event.key)) close();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  area.addEventListener("blur", close);
  area.addEventListener("scroll", () => { if (!list.hidden) close(); });
  area.addEventListener("click", () => { if (!list.hidden && !typed()) close(); });
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const item = event.target.closest("[role=option]");
    if (item) accept([...list.children].indexOf(item));
  });
}

function completeIn(root) {
  root.querySelectorAll("[data-complete]:not([aria-autocomplete])").forEach(startCompleting);
}
completeIn(document);
document.addEventListener("htmx:load", (event) => completeIn(event.target.parentElement || document));
