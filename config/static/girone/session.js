// A session that ended under an open page: a small window over the page signs in again, and what
// was typed is sent then. Only pages of somebody who is signed in have this file.
"use strict";

(() => {
  const { account, session } = document.body.dataset;
  const template = document.getElementById("sign-in-again");
  if (!account || !template) return;
  let dialog = null;
  let pending = null; // what everybody who waits for the window waits for

  // Returns whose session this browser has: "same" (and every form gets the token of that session),
  // "other" (nobody, or somebody else), or "unknown" without an answer.
  window.sessionNow = async () => {
    try {
      const answer = await fetch(session, { cache: "no-store", signal: AbortSignal.timeout(8000) });
      if (!answer.ok) return "unknown";
      const data = await answer.json();
      document.querySelectorAll("[name=csrfmiddlewaretoken]").forEach((field) => { field.value = data.token; });
      return String(data.account) === account ? "same" : "other";
    } catch {
      return "unknown";
    }
  };

  // Returns whether the page's own account is signed in, after the window if need be.
  window.signInAgain = () => {
    pending ??= again().finally(() => { pending = null; });
    return pending;
  };

  async function again() {
    const now = await window.sessionNow();
    if (now === "same") tell();
    if (now !== "other") return now === "same";
    dialog ??= build();
    if (dialog.open) return false;
    const before = document.activeElement;
    dialog.showModal();
    return new Promise((resolve) => {
      dialog.addEventListener("close", async () => {
        const signedIn = dialog.returnValue === "in";
        dialog.returnValue = "";
        before?.focus();
        if (signedIn) tell();
        resolve(signedIn);
      }, { once: true });
    });
  }

  const tell = () => document.dispatchEvent(new CustomEvent("signed-in"));

  function build() {
    document.body.append(template.content.cloneNode(true));
    const made = document.getElementById("sign-in-window");
    const form = made.querySelector("form");
    const problem = made.querySelector("[role=alert]");
    const button = form.querySelector("[type=submit]");
    const say = (words) => { problem.textContent = words; problem.hidden = !words; };

    async function signIn() {
      const headers = { "X-Requested-With": "XMLHttpRequest", Accept: "application/json" };
      let data = {};
      let status = 0;
      await window.sessionNow(); // the token of the page may have gone with its session
      try {
        const answer = await fetch(form.action, { method: "POST", body: new FormData(form), headers, signal: AbortSignal.timeout(20000) });
        status = answer.status;
        if (answer.headers.get("Content-Type")?.includes("json")) data = await answer.json();
      } catch {
        return say(document.body.dataset.unsent);
      }
      const now = await window.sessionNow();
      if (now === "same") return made.close("in");
      if (status >= 400) return say(problemsOf(data.form) || form.dataset.refused);
      // There is a second factor, or another account: that needs the whole page.
      say(form.dataset.elsewhere);
      made.querySelector("a").focus();
    }

    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      event.stopPropagation();
      if (button.disabled) return;
      button.disabled = true;
      say("");
      await signIn();
      button.disabled = false;
    });
    made.querySelector("[value=later]").addEventListener("click", () => made.close(""));
    // Whoever has signed in in another window comes back to this one.
    document.addEventListener("visibilitychange", async () => {
      if (made.open && !document.hidden && await window.sessionNow() === "same") made.close("in");
    });
    return made;
  }

  // What htmx sends is refused as a whole: the same is sent once more.
  document.addEventListener("htmx:responseError", async (event) => {
    const { xhr, elt } = event.detail;
    if (xhr.status !== 403 || await window.sessionNow() !== "other") return;
    if (await window.signInAgain()) elt.closest("form")?.requestSubmit();
  });

  function problemsOf(data) {
    const fields = Object.values(data?.fields || {}).flatMap((field) => field.errors);
    return [...(data?.errors || []), ...fields].join(" ");
  }
})();
