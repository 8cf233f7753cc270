// The clocks of rounds in the list of events: what is left until the end that the page names.
"use strict";

(() => {
  const clocks = [...document.querySelectorAll("[data-until]")];

  function draw() {
    clocks.forEach((place) => {
      const left = Math.ceil((Date.parse(place.dataset.until) - Date.now()) / 1000);
      const face = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
      place.textContent = left > 0 ? face : place.dataset.over;
    });
  }

  if (!clocks.length) return;
  draw();
  setInterval(draw, 1000);
})();
