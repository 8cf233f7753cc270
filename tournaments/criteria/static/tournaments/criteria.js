// One tap fills the order of the criteria. Without this file a list chooses the ready-made order.
"use strict";
const dress = () => document.querySelectorAll("[data-criteria]").forEach((place) => {
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
    const prefix = place.dataset.criteria;
    place.querySelectorAll(`[name^=${prefix}]`).forEach((input) => {
      const at = order.indexOf(input.name.slice(prefix.length));
      input.value = at < 0 ? "" : at + 1;
      if (at < 0) unused.append(input.closest(".field"));
    });
    order.forEach((key) => used.append(place.querySelector(`[name=${prefix}${key}]`).closest(".field")));
    buttons.querySelector("[role=status]").textContent = `${place.dataset.filled} ${button.textContent}`;
  });
});
// The form of an event brings others for tables of three and more.
document.addEventListener("girone:criteria", dress);
dress();
