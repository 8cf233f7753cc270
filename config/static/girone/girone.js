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

// The one loop of pages that ask again and again. ``ask`` gets how many answers in a row were none
// and returns that number anew, or null to end; ``wait`` says how many milliseconds to rest after so
// many. Hidden pages don't ask; whoever comes back to one, or gets a connection again, asks at once.
// Returns a function that asks at once.
window.keepAsking = (ask, wait) => {
  let timer = 0;
  let failures = 0;
  async function now() {
    clearTimeout(timer);
    if (failures === null) return;
    if (!document.hidden) failures = await ask(failures);
    clearTimeout(timer); // another one may have asked meanwhile
    if (failures !== null) timer = setTimeout(now, wait(failures));
  }
  document.addEventListener("visibilitychange", () => { if (!document.hidden) now(); });
  window.addEventListener("online", now);
  window.addEventListener("pageshow", (event) => { if (event.persisted) now(); });
  // Whoever comes back to a page may get it as it was when they left.
  if (performance.getEntriesByType("navigation")[0]?.type === "back_forward") now();
  else timer = setTimeout(now, wait(failures));
  return now;
};

// An answer for a page that keeps asking; whoever listens gets its headers and when it was asked for.
window.fetchAgain = async (url, options) => {
  const asked = performance.now();
  const answer = await fetch(url, { cache: "no-store", ...options });
  document.dispatchEvent(new CustomEvent("answered", { detail: { headers: answer.headers, asked } }));
  return answer;
};

// One question for a part of a page: with the version it holds; ``take`` gets an answer that is new.
// Returns how many answers in a row were none, this one included, and says it: no connection, or
// that the reader may not see the page any more (signed out, or their personal link was replaced).
window.askForNews = async (url, tag, before, take) => {
  let answer;
  let good = false;
  try {
    const headers = { "HX-Request": "true" };
    if (tag) headers["If-None-Match"] = tag;
    answer = await window.fetchAgain(url, { headers });
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

// <div data-poll="/path" data-every="10"> asks with the version it holds, and swaps only what is new.
function poll(place) {
  const every = Number(place.dataset.every || 10) * 1000;
  let tag = place.dataset.tag || "";
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
  window.keepAsking(async (before) => {
    if (!place.isConnected) return null;
    const failures = await window.askForNews(place.dataset.poll, tag, before, take);
    place.classList.toggle("stale", failures > 0);
    return failures;
  }, (failures) => every * (0.8 + 0.4 * Math.random()) * Math.min(6, 1 + failures));
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
