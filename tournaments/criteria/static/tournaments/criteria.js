// One tap fills the order of the criteria. Without this file a list chooses the ready-made order.
"use strict";
document.querySelectorAll("[data-criteria]").forEach((place) => {
  const buttons = place.querySelector(".criteria-buttons");
  const choice = place.querySelector("[name=preset]");
  const used = place.querySelector("[data-used]");
  const unused = place.querySelector("[data-unused]");
  if (!buttons || !choice || choice.disabled) return;
  buttons.hidden = false;
  choice.value = "";
  place.querySelector(".criteria-preset").hidden = true;
  buttons.addEventListener("click", (event) => {
    const button = event.target.closest("[data-order]");
    if (!button) return;
    const order = button.dataset.order.split(",");
    place.querySelectorAll("[name^=criterion_]").forEach((input) => {
      const at = order.indexOf(input.name.slice("criterion_".length));
      input.value = at < 0 ? "" : at + 1;
      if (at < 0) unused.append(input.closest(".field"));
    });
    order.forEach((key) => used.append(place.querySelector(`[name=criterion_${key}]`).closest(".field")));
    buttons.querySelector("[role=status]").textContent = `${place.dataset.filled} ${button.textContent}`;
  });
});
