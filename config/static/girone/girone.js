// Small manners of every page; each works without this file too.
"use strict";

// A form with data-confirm asks before it acts.
document.addEventListener("submit", (event) => {
  const form = event.target;
  const question = form.dataset.confirm;
  if (question && form.dataset.sure !== "yes") {
    const dialog = document.getElementById("confirm-dialog");
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

// A form leaves only when the server answers, and knows whose form it is: without a connection the browser would put its own
// error page in the place of what was typed. A second click while the first is on its way does
// nothing. Whoever sends a form in another way (the desk, htmx) has prevented the default by now.
async function answers(form) {
  if (!window.sessionNow || form.matches("[action*='/logout/']")) return window.serverAnswers();
  const session = await window.sessionNow();
  return session === "other" ? window.signInAgain() : session === "same";
}

window.serverAnswers = async (patience = 8000) => {
  try {
    const live = document.body.dataset.live;
    return (await fetch(live, { cache: "no-store", signal: AbortSignal.timeout(patience) })).ok;
  } catch {
    return false;
  }
};

window.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.method !== "post" || event.defaultPrevented || form.dataset.sent === "go") return;
  event.preventDefault();
  if (form.dataset.sent) return;
  form.dataset.sent = "asking";
  form.querySelector(".unsent")?.remove();
  const sendable = await answers(form);
  if (!sendable) return sayUnsent(form, event.submitter);
  form.dataset.sent = "go";
  form.requestSubmit(event.submitter);
  form.dataset.sent = "gone";
  setTimeout(() => delete form.dataset.sent, 4000);
});

function sayUnsent(form, submitter) {
  delete form.dataset.sent;
  delete form.dataset.sure;
  // A page that keeps the form (report.js) says so itself.
  if (!form.dispatchEvent(new CustomEvent("unsent", { bubbles: true, cancelable: true, detail: submitter }))) return;
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

// What a form was refused stands until it is taken.
document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig, xhr } }) => {
  if (!xhr.status || xhr.status >= 400 || !requestConfig.elt.matches("form")) return;
  document.querySelectorAll("#messages .bad").forEach((said) => said.remove());
});

// A greyed button keeps the focus and its reason, but does nothing.
document.addEventListener("click", (event) => {
  if (event.target.closest("[aria-disabled=true]")) event.preventDefault();
}, true);

// Ctrl and Enter press what a page names as its next step, unless something is being typed elsewhere.
document.addEventListener("keydown", (event) => {
  if (!event.ctrlKey || event.key !== "Enter" || event.defaultPrevented) return;
  const step = [...document.querySelectorAll("[data-step]")].find((each) => each.checkVisibility());
  const typing = event.target.closest("textarea, select, input:not([type=checkbox], [type=radio], [type=search])");
  if (!step || document.querySelector("dialog[open]") || (typing?.value && !typing.form?.contains(step))) return;
  event.preventDefault();
  step.click();
});

// An error summary takes the focus.
document.querySelector("[data-focus]")?.focus();

// Names are found by first letters: every word that is typed begins a word of the name, and D'Angelo
// is found by "d", "angelo" and "dangelo". `name_matches` in tournaments/core/names.py says the same.
const LETTERS = { đ: "d", ø: "o", ł: "l" };
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[đøł]/g, (letter) => LETTERS[letter]);
const whole = (text) => text.replace(/['’]/g, "");
const wordsOf = (text) => fold(text).split(/[^\p{L}\p{N}]+/u).filter(Boolean);
const isCalled = (name, typed) => {
  const words = wordsOf(`${name} ${whole(name)}`);
  return wordsOf(whole(typed)).every((begun) => words.some((word) => word.startsWith(begun)));
};

// What is written in a row, its parts apart from each other; data-called where only that counts.
function calledIn(row) {
  if (row.dataset.called !== undefined) return row.dataset.called;
  const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  let words = "";
  while (texts.nextNode()) words += ` ${texts.currentNode.data}`;
  return words;
}

// <input data-filter="id"> leaves the rows of that element in which every word that is typed begins one.
function filterRows(input) {
  const rows = document.getElementById(input.dataset.filter)?.querySelectorAll("[data-row], tbody:not([data-row]) > tr") || [];
  const typed = input.value.trim();
  rows.forEach((row) => { row.hidden = typed !== "" && !isCalled(calledIn(row), typed); });
}
document.addEventListener("input", ({ target }) => { if (target.matches("[data-filter]")) filterRows(target); });
document.addEventListener("polled", () => document.querySelectorAll("[data-filter]").forEach(filterRows));

// In a form it finds what stands on other pages of the list too: the server looks for it.
document.querySelectorAll("form.finder [data-filter]").forEach((input) => {
  const place = document.getElementById(input.dataset.filter);
  let looked = input.value.trim();
  let timer = 0;
  async function look() {
    const wanted = input.value.trim();
    if (wanted === looked) return;
    looked = wanted;
    const sent = [...new FormData(input.form)].filter(([, value]) => value);
    const url = input.form.getAttribute("action") + (sent.length ? `?${new URLSearchParams(sent)}` : "");
    if (place.dataset.poll) place.dataset.poll = url;
    const answer = await fetch(url, { headers: { "HX-Request": "true" } }).catch(() => null);
    if (!answer?.ok || input.value.trim() !== wanted) return;
    place.innerHTML = await answer.text();
    place.dispatchEvent(new CustomEvent("polled", { bubbles: true }));
  }
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(look, 400); });
});

// "/" leads to the field in which the page's list is looked through, from anywhere but what is being written.
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
  const find = [...document.querySelectorAll("input[type=search]")].find((each) => each.checkVisibility());
  if (!find || document.querySelector("dialog[open]") || event.target.closest("input, textarea, select")) return;
  event.preventDefault();
  find.focus();
  find.select();
});

// A player's own page tells the bracket, which everybody gets alike, whose path to light in this
// browser. Signing out forgets it.
const OWN = "girone-own-";
try {
  const { event, number } = document.querySelector("[data-event][data-number]")?.dataset ?? {};
  if (event) localStorage.setItem(OWN + event, number);
} catch {
  // Without storage the path is lit by the link of the player's page alone.
}
window.addEventListener("submit", (event) => {
  if (!event.target.matches("[action*='/logout/']")) return;
  Object.keys(localStorage).filter((key) => key.startsWith(OWN)).forEach((key) => localStorage.removeItem(key));
}, true);

// <button data-print> prints the page.
document.addEventListener("click", (event) => { if (event.target.closest("[data-print]")) window.print(); });

// <details data-folded open> is open where scripts do not run.
document.querySelectorAll("details[data-folded]").forEach((part) => { part.open = false; });

// <details data-menu> closes by Escape, and by a click elsewhere.
document.addEventListener("click", (event) => {
  document.querySelectorAll("details[data-menu][open]").forEach((menu) => { if (!menu.contains(event.target)) menu.open = false; });
});
document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && document.querySelector("details[data-menu][open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// A refusal is in view and has the focus: beside the form that was sent, where that lies further down.
const PRESSED = "girone-pressed";
window.addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.target.method !== "post") return;
  sessionStorage.setItem(PRESSED, event.submitter?.formAction || event.target.action);
});
const pressed = sessionStorage.getItem(PRESSED);
sessionStorage.removeItem(PRESSED);
const refusal = document.querySelector("#messages .bad");
if (refusal && !document.querySelector("[data-focus]")) {
  const sent = pressed && [...document.forms].find((form) => form.action === pressed && form.offsetParent && !form.closest("tr"));
  if (sent && sent.getBoundingClientRect().bottom > window.innerHeight) sent.before(refusal);
  refusal.tabIndex = -1;
  refusal.focus({ preventScroll: true });
  refusal.scrollIntoView({ block: "center" });
}

// The zone of a moment is named to readers who have another; the head of an event tells their own hour too.
function nameZones() {
  document.querySelectorAll("time + .zone:not(.other)").forEach((zone) => {
    const { dateTime } = zone.previousElementSibling;
    const at = new Date(dateTime);
    const [, hour, minute] = dateTime.match(/T(\d\d):(\d\d)/);
    if (at.getHours() === Number(hour) && at.getMinutes() === Number(minute)) return;
    zone.classList.add("other");
    const yours = zone.closest("[data-yours]")?.dataset.yours;
    const form = { weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    if (yours) zone.append(` (${yours} ${at.toLocaleTimeString(document.documentElement.lang, form)})`);
  });
}
nameZones();
document.addEventListener("polled", nameZones);
