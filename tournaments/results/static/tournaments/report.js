// A player's report that could not be sent: kept on the phone through reload and restart, of this
// player and match alone, and sent once there is a connection. Where the page shows that a report
// has arrived, or that a result counts, nothing is sent any more.
"use strict";

(() => {
  const AGAIN = 4000; // milliseconds between two looks whether the server answers
  const LONGEST = 2 * 24 * 3600 * 1000; // milliseconds for which a report is kept
  const words = document.getElementById("kept-report");
  const place = () => document.querySelector("[data-report]");
  if (!words) return;
  const keyOf = (section) => `girone-report-${section.dataset.report}`;
  let timer = 0;

  function load(section) {
    try {
      return JSON.parse(localStorage.getItem(keyOf(section)) || "null");
    } catch {
      return null;
    }
  }

  // Of rounds that are long over nobody wants to know.
  function forgetOld() {
    for (const key of Object.keys(localStorage).filter((name) => name.startsWith("girone-report-"))) {
      if (!(JSON.parse(localStorage.getItem(key))?.at > Date.now() - LONGEST)) localStorage.removeItem(key);
    }
  }

  function keep(section, report) {
    try {
      localStorage.setItem(keyOf(section), JSON.stringify(report));
    } catch {
      // Without storage the open page still holds what was typed.
    }
  }

  function drop(section) {
    localStorage.removeItem(keyOf(section));
    notice()?.remove();
  }

  function whatIsTyped(form, submitter) {
    const fields = [...new FormData(form, submitter)].filter(([name]) => name !== "csrfmiddlewaretoken");
    const shown = document.querySelector(".sentence")?.textContent || submitter?.textContent || "";
    const points = ["own", "other"].map((name) => form.elements[name]?.value).filter(Boolean).join(" – ");
    const told = form.elements.sure ? shown : points || shown;
    return { action: form.action, fields, sure: submitter?.name === "sure", told: told.trim(), at: Date.now() };
  }

  const notice = () => document.getElementById("kept-notice");

  function show(section, report, sentence, buttons) {
    notice()?.remove();
    const made = words.content.firstElementChild.cloneNode(true);
    made.querySelector(".kept-words").textContent = words.dataset[sentence];
    made.querySelector(".kept-told").textContent = report.told;
    made.querySelectorAll("button").forEach((button) => { button.hidden = !buttons.includes(button.value); });
    made.addEventListener("click", (event) => {
      const { value } = event.target.closest("button") || {};
      if (value === "forget") drop(section);
      if (value === "send") send(report);
    });
    section.before(made);
  }

  async function send(report) {
    if (!await window.serverAnswers()) return;
    const token = document.querySelector("[name=csrfmiddlewaretoken]");
    if (!token) return;
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: report.action, hidden: true });
    for (const [name, value] of [...report.fields, [token.name, token.value]]) {
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name, value });
      form.append(field);
    }
    clearInterval(timer);
    document.body.append(form);
    form.submit();
  }

  function look() {
    clearInterval(timer);
    const section = place();
    const report = section && load(section);
    if (!report) return;
    const { state } = section.dataset;
    if (state === "told" || state === "error" || (state === "sure" && !report.sure)) drop(section);
    else if (state === "open" || state === "sure") {
      show(section, report, "kept", ["forget"]);
      timer = setInterval(() => send(report), AGAIN);
    } else show(section, report, state, state === "over" ? ["forget"] : ["send", "forget"]);
  }

  // The button repeats what is typed, so that nobody sends the two numbers the wrong way round.
  function repeat(form) {
    const button = form?.querySelector(".send[data-won]");
    if (!button) return;
    button.dataset.plain ??= button.textContent.trim();
    const [own, other] = [form.elements.own.value, form.elements.other.value];
    const kind = Number(own) > Number(other) ? "won" : Number(own) < Number(other) ? "lost" : "level";
    const told = own && other ? button.dataset[kind].replace("OWN", own).replace("OTHER", other) : button.dataset.plain;
    button.querySelector("span").textContent = told;
  }

  document.addEventListener("input", (event) => repeat(event.target.form));
  document.addEventListener("polled", () => repeat(document.querySelector("form.report")));
  repeat(document.querySelector("form.report"));

  // Before the second step leaves it is kept: the answer may be lost on its way.
  window.addEventListener("submit", (event) => {
    const section = event.target.closest("[data-report]");
    if (section && event.submitter?.name === "sure") keep(section, whatIsTyped(event.target, event.submitter));
  }, true);
  document.addEventListener("unsent", (event) => {
    const section = event.target.closest("[data-report]");
    const submitter = event.detail;
    if (!section || submitter?.name === "change" || submitter?.name === "another") return;
    event.preventDefault();
    keep(section, whatIsTyped(event.target, submitter));
    look();
    notice()?.scrollIntoView({ block: "nearest" });
  });
  document.addEventListener("polled", look);
  window.addEventListener("online", () => { const section = place(); if (section && timer) send(load(section)); });
  try {
    forgetOld();
  } catch {
    // No storage, or somebody else's words in it.
  }
  look();
})();
