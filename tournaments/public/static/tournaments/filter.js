// Links copy and share themselves, strips show where the reader is, a name is told its table.
"use strict";
// Where the reader is stands in view in a strip that scrolls sideways; the page itself stays where it is.
document.querySelectorAll(".tabs [aria-current], .path [aria-current]").forEach((here) => {
  const strip = here.closest(".tabs, .path-scroll");
  if (!strip) return;
  const [own, all] = [here.getBoundingClientRect(), strip.getBoundingClientRect()];
  strip.scrollLeft += own.left + own.width / 2 - all.left - all.width / 2;
});
// Without https there is no clipboard: then a field that is selected copies itself.
async function copied(text, field) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const place = field || Object.assign(document.createElement("textarea"), { value: text });
    if (!field) document.body.append(place);
    place.select();
    const done = document.execCommand("copy");
    if (!field) place.remove();
    return done;
  }
  return true;
}
document.querySelectorAll("[data-copy]").forEach((button) => {
  const field = document.getElementById(button.dataset.copy);
  button.hidden = !field;
  button.addEventListener("click", async () => {
    field.select();
    await copied(field.value, field);
    button.querySelector("span").textContent = button.dataset.done;
  });
});
// data-share is the title of what is shared, the page or with data-field the text of a field;
// where the browser does not share, the button copies.
document.querySelectorAll("[data-share]").forEach((button) => {
  const field = document.getElementById(button.dataset.field);
  button.addEventListener("click", async () => {
    const title = button.dataset.share;
    const url = document.querySelector("link[rel=canonical]")?.href || location.href;
    const told = field ? { title, text: field.value } : { title, url };
    if (navigator.canShare?.(told)) return navigator.share(told).catch(() => {}); // the reader closed it
    await copied(field ? field.value : url, field);
    button.querySelector("span").textContent = button.dataset.done;
  });
});
// What a link with data-copy-text leads to is copied, of several messages the next one at each tap;
// it is asked for while the finger comes down, as some browsers copy only at once.
const texts = new WeakMap();
const textLink = (event) => event.target.closest?.("[data-copy-text]");
function messagesOf(link) {
  const told = { at: 0, parts: fetch(link.href).then(async (answer) => (answer.ok ? (await answer.text()).split("\n\f\n") : Promise.reject())) };
  told.parts.catch(() => texts.delete(link));
  texts.set(link, told);
  return told;
}
document.addEventListener("pointerdown", (event) => {
  const link = textLink(event);
  if (link && !texts.get(link)?.at) messagesOf(link);
});
document.addEventListener("click", async (event) => {
  const link = textLink(event);
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const told = texts.get(link) || messagesOf(link);
  const next = told.parts.then((parts) => parts[told.at]);
  try {
    const type = "text/plain";
    await navigator.clipboard.write([new ClipboardItem({ [type]: next.then((text) => new Blob([text], { type })) })]);
  } catch {
    const text = await next.catch(() => null);
    if (text === null || !(await copied(text))) return location.assign(link.href);
  }
  const parts = await told.parts;
  told.at += 1;
  const more = told.at < parts.length;
  const words = more ? link.dataset.part.replace("%(number)s", told.at).replace("%(all)s", parts.length) : link.dataset.done;
  link.querySelector("span").textContent = words;
  link.dataset.copied = "";
  if (!more) texts.delete(link);
});

// What stands above the part that is asked for anew comes along in a template that names its place.
document.addEventListener("polled", () => {
  document.querySelectorAll("template[data-for]").forEach((fresh) => {
    const place = document.getElementById(fresh.dataset.for);
    if (!place?.querySelector("details[open]")) place?.replaceWith(fresh.content);
  });
});

// A name in "find your table" is looked for in the page of the pairings, which everybody gets alike.
let soughtTable = "";
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-find-table]")) return;
  event.preventDefault();
  const said = form.parentElement.querySelector("[role=status]");
  const typed = form.elements.find.value;
  const answer = await fetch(form.action).catch(() => null);
  const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!page || page.querySelector("form.finder")) return form.submit();
  const found = [...page.querySelectorAll("#by-table tbody tr")].filter((row) => isCalled(calledIn(row), typed));
  const lines = found.slice(0, 5).map((row) => {
    const table = row.cells[0].textContent;
    const names = [...row.querySelectorAll(".sides .player")].map((name) => name.textContent).join(" – ");
    const line = Object.assign(document.createElement("a"), { href: row.querySelector("td:last-child a")?.href || form.action });
    const where = table === "–" ? form.dataset.rests : `${form.dataset.at} ${table}`;
    line.className = "found-table";
    line.append(Object.assign(document.createElement("b"), { textContent: where }), ` ${names}`);
    return line;
  });
  said.replaceChildren(...(lines.length ? lines : [form.dataset.nobody]));
  form.dataset.found = soughtTable = typed;
});
document.addEventListener("polled", () => {
  const form = document.querySelector("[data-find-table]");
  if (soughtTable && form?.elements.find.value === soughtTable && !form.dataset.found) form.requestSubmit();
});
