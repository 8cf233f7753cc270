// What is changed is shown at once: the list is sent, and what it is now takes its place.
"use strict";
{
  const again = (values = {}) => {
    const form = document.getElementById("pasted");
    htmx.ajax("POST", form.action, { source: form, target: form, select: "#pasted", swap: "outerHTML", values });
  };
  document.addEventListener("change", ({ target }) => {
    if (target.closest("#pasted") && target.matches("select, [type=radio], [type=checkbox], .mend input")) again();
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
    again({ [button.name]: button.value });
  });
  // What can't be read is answered by the page of all players: it is asked for as without scripts.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target.id !== "pasted" || detail.xhr.responseText.includes('id="pasted"')) return;
    detail.shouldSwap = false;
    detail.target.submit();
  });
}
