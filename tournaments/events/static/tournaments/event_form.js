// Shows the options of the chosen formula only. Without this file all are there, with headings.
"use strict";
document.querySelectorAll("[data-formulas]").forEach((place) => {
  const choice = document.getElementById(place.dataset.formulas);
  const show = () => place.querySelectorAll("[data-formula]").forEach((options) => {
    options.hidden = options.dataset.formula !== choice.value;
  });
  choice.addEventListener("change", show);
  show();
});
