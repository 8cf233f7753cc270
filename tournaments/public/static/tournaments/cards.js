// The clocks of rounds in the list of events: what is left until the end that the page names, by the
// server's time, which the page asks for once. Of a page that was kept, its copy knows that time.
"use strict";

(() => {
  const HALF = 500; // milliseconds: a server's date is in whole seconds
  const clocks = () => document.querySelectorAll("[data-until]");
  const { stand, heard, ahead: told, live } = document.body.dataset;
  let ahead = stand ? Number(told ?? Date.parse(stand) + HALF - Number(heard)) : null;

  function timeOf(moment, timeZone) {
    return new Date(moment).toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone });
  }

  function draw() {
    if (ahead === null) return;
    clocks().forEach((place) => {
      const { until, over, zone, due, copy } = place.dataset;
      const left = Math.ceil((Date.parse(until) - Date.now() - ahead) / 1000);
      const face = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
      const end = stand ? due.replace("TIME", timeOf(Date.parse(until), zone)) : over;
      const told = [left > 0 ? face : end, stand && copy.replace("TIME", timeOf(Date.parse(stand), zone))];
      place.textContent = told.filter(Boolean).join(", ");
      place.classList.toggle("copy", Boolean(stand));
    });
  }

  async function ask() {
    const asked = Date.now();
    const date = await fetch(live, { method: "HEAD", cache: "no-store" }).then((answer) => Date.parse(answer.headers.get("Date")), () => NaN);
    if (Number.isNaN(date)) return;
    ahead = date + HALF - (asked + Date.now()) / 2;
    window.keepNews?.({ ahead });
    draw();
  }

  let begun = false;
  function begin() {
    if (begun || !clocks().length) return;
    begun = true;
    if (stand) draw();
    else ask();
    setInterval(draw, 1000);
  }

  document.addEventListener("polled", () => { begin(); draw(); });
  begin();
})();
