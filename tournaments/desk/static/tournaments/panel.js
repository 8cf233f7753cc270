// The panel of a match: what its tiles would store, said before it is saved; over the desk in a
// window of its own. Without this file it is a page with a form.
"use strict";

{
  const dialog = document.getElementById("panel");

  function begin(root) {
    const form = root.querySelector("#result-form");
    if (!form) return;
    const outcome = form.querySelector("[data-outcome]");
    const worth = form.querySelector("[data-worth-said]");
    const save = form.querySelector(".panel-foot .save");
    const leaves = form.querySelector("[data-leaves]");
    const fields = form.querySelector("[data-fields]");
    const played = form.querySelector("[data-played]");
    const radios = [...form.querySelectorAll("input[name=pick]")];
    let leaving = "";

    function show() {
      if ("typed" in form.dataset) return; // no tiles: a result of a table is typed
      const pick = radios.find((radio) => radio.checked);
      const typed = played && [...played.querySelectorAll("input[type=number]")].some((input) => input.value);
      const other = pick?.value === "other";
      if (radios.length) {
        fields.querySelectorAll("input:not([name=pick]), select").forEach((field) => { field.disabled = !other; });
        played?.querySelectorAll("input").forEach((field) => { field.disabled = Boolean(pick) && !other; });
      }
      outcome.textContent = pick?.dataset.says || (pick || typed ? "" : outcome.dataset.ask);
      worth.textContent = pick?.dataset.worth || "";
      if (save) save.disabled = !pick && !typed;
      if (leaves) {
        const absent = { absent_a: "a", absent_b: "b", absent_both: "ab" }[pick?.value] || "";
        leaves.classList.toggle("shown", absent !== "");
        const box = leaves.querySelector("input");
        if (absent !== leaving) box.checked = absent !== "" && [...absent].every((side) => leaves.dataset.missed.includes(side));
        box.disabled = !absent;
        leaving = absent;
      }
    }

    // A tile that is chosen gives its place to the points again by a second click.
    form.addEventListener("click", (event) => {
      const radio = event.target.closest("input[name=pick]");
      if (!radio) return;
      if (radio.dataset.was === "yes" && played) radio.checked = false;
      radios.forEach((each) => { each.dataset.was = each.checked ? "yes" : ""; });
      show();
    });
    form.addEventListener("input", show);
    if (form.dataset.battle) addUp(form);
    show();
    // Two versions are read before one is taken: the focus is in front of them, on neither.
    const wanted = root.querySelector("[data-focus]") || root.querySelector("#claims") || radios.find((radio) => radio.checked) || form.querySelector("input[type=number]") || radios[0] || form.querySelector(".tile, input:not([type=hidden])");
    wanted?.focus();
    if (wanted?.select) wanted.select();
  }

  // Battle cards: the server adds them up while the fields are filled in.
  function addUp(form) {
    const place = form.querySelector("#battle-words");
    form.addEventListener("input", async () => {
      const data = new FormData(form);
      if (!data.get("score_a") || !data.get("score_b") || !(data.get("battle_a") || data.get("battle_b"))) {
        place.textContent = "";
        return;
      }
      const wanted = new URLSearchParams();
      ["score_a", "score_b", "battle_a", "battle_b", "ended_by"].forEach((name) => {
        if (data.get(name)) wanted.set(name, data.get(name));
      });
      try {
        const answer = await fetch(`${form.dataset.battle}?${wanted}`);
        place.textContent = answer.ok ? await answer.text() : "";
      } catch {
        place.textContent = "";
      }
    });
  }

  window.openPanel = async (url) => {
    let answer = null;
    if (dialog) answer = await fetch(url, { headers: { "HX-Request": "true" } }).catch(() => null);
    const html = answer?.ok && !answer.redirected ? await answer.text() : "";
    if (!html) {
      window.location.assign(url);
      return;
    }
    const from = document.activeElement;
    dialog.innerHTML = html;
    dialog.onclose = () => { dialog.replaceChildren(); if (!window.toLine?.() && from?.isConnected) from.focus(); };
    dialog.showModal();
    const pick = new URL(url, window.location.href).searchParams.get("pick");
    begin(dialog);
    if (pick === "absent") dialog.querySelector("input[value=absent_a]")?.focus();
    if (pick === "drop") dialog.querySelector("#leave button")?.focus();
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-panel]");
    if (link && dialog && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      window.openPanel(link.href);
    }
    if (dialog?.open && (event.target === dialog || event.target.closest("#panel .close"))) {
      event.preventDefault();
      dialog.close();
    }
  });
  dialog?.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("[data-quiet], [data-kept]")) return;
    event.preventDefault();
    const values = new FormData(form, event.submitter);
    values.delete("csrfmiddlewaretoken");
    if (form.dataset.kept) window.keepAct(form.action, [...values], `${form.dataset.kept} · ${event.submitter.textContent.trim()}`, form.dataset.match);
    else window.sendQuietly(form.action, Object.fromEntries(values));
    dialog.close();
  });
  begin(document.getElementById("content"));
}
