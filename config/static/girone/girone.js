// Small manners of every page; each works without this file too.
"use strict";

// A form with data-confirm asks before it acts.
document.addEventListener("submit", (event) => {
  const form = event.target;
  const question = form.dataset.confirm;
  if (question && form.dataset.sure !== "yes") {
    const dialog = document.getElementById("confirm");
    const [yes, no] = dialog.querySelectorAll("button");
    event.preventDefault();
    event.stopPropagation();
    dialog.querySelector("p").textContent = question;
    yes.textContent = (event.submitter || form.querySelector("button")).textContent.trim();
    yes.onclick = () => {
      form.dataset.sure = "yes";
      dialog.close();
      form.requestSubmit(event.submitter);
    };
    no.onclick = () => dialog.close();
    dialog.showModal();
  }
}, true);

// A form leaves only when the server answers: without a connection the browser would put its own
// error page in the place of what was typed. A second click while the first is on its way does
// nothing. Whoever sends a form in another way (the desk, htmx) has prevented the default by now.
async function answers() {
  try {
    const live = document.body.dataset.live;
    return (await fetch(live, { cache: "no-store", signal: AbortSignal.timeout(8000) })).ok;
  } catch {
    return false;
  }
}

window.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented || form.dataset.sent === "go") return;
  event.preventDefault();
  if (form.dataset.sent) return;
  form.dataset.sent = "asking";
  form.querySelector(".unsent")?.remove();
  const sendable = await answers();
  if (!sendable) return sayUnsent(form);
  form.dataset.sent = "go";
  form.requestSubmit(event.submitter);
  form.dataset.sent = "gone";
  setTimeout(() => delete form.dataset.sent, 4000);
});

function sayUnsent(form) {
  delete form.dataset.sent;
  delete form.dataset.sure;
  const notice = document.createElement("p");
  notice.className = "notice bad unsent";
  notice.setAttribute("role", "alert");
  notice.textContent = document.body.dataset.unsent;
  form.append(notice);
  notice.scrollIntoView({ block: "nearest" });
}

// News make what was said before them old; what went wrong stays.
document.addEventListener("polled", () => {
  if (performance.now() < 20000) return;
  document.querySelectorAll("#messages .good, #messages .info").forEach((said) => said.remove());
});

// A greyed button keeps the focus and its reason, but does nothing.
document.addEventListener("click", (event) => {
  if (event.target.closest("[aria-disabled=true]")) event.preventDefault();
}, true);

// An error summary takes the focus.
document.querySelector("[data-focus]")?.focus();

// One question of a page that asks every few seconds: with the version it holds; ``take`` gets an
// answer that is new. Returns how many answers in a row were none, this one included, and says it:
// no connection, or that the reader may not see the page any more (signed out, or their personal
// link was replaced).
window.askAgain = async (url, tag, before, take) => {
  let answer;
  let good = false;
  try {
    const headers = { "HX-Request": "true" };
    if (tag) headers["If-None-Match"] = tag;
    const asked = performance.now();
    answer = await fetch(url, { headers, cache: "no-store" });
    document.dispatchEvent(new CustomEvent("answered", { detail: { headers: answer.headers, asked } }));
    if (answer.status === 200 && !answer.redirected) await take(answer);
    good = (answer.ok && !answer.redirected) || answer.status === 304;
  } catch {
    // No connection, or it broke off: told below.
  }
  const failures = good ? 0 : before + 1;
  const refused = answer && (answer.redirected || answer.status === 401 || answer.status === 403);
  const { closed, lost } = document.body.dataset;
  const words = document.getElementById("connection");
  if (words) words.textContent = refused ? closed : failures > 1 ? lost : "";
  return failures;
};

// Polling: <div data-poll="/path" data-every="10">. Asks with the version it holds, swaps only
// what is new, rests while the page is hidden, says when the connection is lost.
function poll(place) {
  const every = Number(place.dataset.every || 10) * 1000;
  let tag = place.dataset.tag || "";
  let timer = 0;
  let failures = 0;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, every * (0.8 + 0.4 * Math.random()) * Math.min(6, 1 + failures));
  };
  async function take(answer) {
    // Nothing is taken from under a finger, a question, or a form on its way: what is new waits.
    const open = document.querySelector("dialog[open], [data-sent]");
    if (open || place.contains(document.activeElement)) return;
    const html = await answer.text();
    tag = answer.headers.get("ETag") || "";
    place.innerHTML = html;
    window.htmx?.process(place);
    place.dispatchEvent(new CustomEvent("polled", { bubbles: true }));
  }
  async function ask() {
    if (!place.isConnected) return;
    if (document.hidden) return later();
    failures = await window.askAgain(place.dataset.poll, tag, failures, take);
    place.classList.toggle("stale", failures > 0);
    later();
  }
  document.addEventListener("visibilitychange", () => { if (!document.hidden) ask(); });
  window.addEventListener("online", ask);
  window.addEventListener("pageshow", (event) => { if (event.persisted) ask(); });
  // Whoever comes back to a page may get it as it was when they left.
  if (performance.getEntriesByType("navigation")[0]?.type === "back_forward") ask();
  else later();
}
document.querySelectorAll("[data-poll]").forEach(poll);

// <input data-filter="table-id"> hides the rows that do not contain what is typed.
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
document.querySelectorAll("[data-filter]").forEach((input) => {
  input.addEventListener("input", () => {
    const wanted = fold(input.value.trim());
    const rows = document.getElementById(input.dataset.filter)?.querySelectorAll("[data-row], tbody tr") || [];
    rows.forEach((row) => { row.hidden = wanted !== "" && !fold(row.textContent).includes(wanted); });
  });
});

// <button data-print> prints the page.
document.querySelectorAll("[data-print]").forEach((button) => button.addEventListener("click", () => window.print()));
