// What is wrong in the rules stands at its field while they are typed: the answer names the fields
// (#rules-wrong). Without this file it stands there once the form is sent.
"use strict";
document.querySelectorAll(".own-rules").forEach((form) => {
  function mark() {
    form.querySelectorAll(".field.wrong-now").forEach((field) => {
      field.classList.remove("wrong", "wrong-now");
      field.querySelector(".errors").remove();
    });
    document.querySelectorAll("#rules-wrong a[href^='#']").forEach((link) => {
      const field = document.getElementById(link.hash.slice(1))?.closest(".field");
      if (!field || field.querySelector(".errors")) return;
      const words = document.createElement("div");
      words.className = "errors";
      words.textContent = link.nextSibling.textContent.replace(/^:\s*/, "");
      field.classList.add("wrong", "wrong-now");
      field.append(words);
      const folded = field.closest("details");
      if (folded) folded.open = true;
    });
  }
  document.addEventListener("htmx:afterSwap", mark);
});
