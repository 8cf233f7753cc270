// What is changed is shown at once: the list is sent, and what it is now takes its place.
"use strict";
{
  let last = Promise.resolve(), opened = [];
  const send = (values) => {
    const form = document.getElementById("pasted");
    return htmx.ajax("POST", form.action, { source: form, target: form, select: "#pasted", swap: "outerHTML", values });
  };
  // One after the other: an answer on its way does not take back what is changed meanwhile.
  const again = (name, value) => { last = last.then(() => send({ [name]: value })).catch(() => {}); };
  document.addEventListener("change", ({ target }) => {
    if (!target.closest("#pasted") || !target.matches("select, [type=radio], [type=checkbox], .mend input")) return;
    const without = target.parentElement.querySelector("[type=hidden]")?.value ?? "";
    again(target.name, target.type === "checkbox" && !target.checked ? without : target.value);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.matches(".mend input")) return;
    event.preventDefault();
    event.target.blur();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("#pasted button[name]");
    if (!button || button.name === "sure") return;
    event.preventDefault();
    again(button.name, button.value);
  });
  // What is being written while an answer comes stays open, as it is.
  const writing = (details) => details.querySelector("input, textarea");
  document.addEventListener("htmx:beforeSwap", () => {
    const open = [...document.querySelectorAll("#pasted details[open]")];
    opened = open.map((each) => [each.id, writing(each).value, each.contains(document.activeElement)]);
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const [id, value, hadFocus] of opened) {
      const details = document.getElementById(id);
      if (!details) continue;
      details.open = true;
      if (details.matches(".mend")) writing(details).value = value;
      if (hadFocus) writing(details).focus();
    }
  });
  // What can't be read is answered by the page of all players: it is asked for as without scripts.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target.id !== "pasted" || detail.xhr.responseText.includes('id="pasted"')) return;
    detail.shouldSwap = false;
    detail.target.submit();
  });
}
