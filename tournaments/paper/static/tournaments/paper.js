// The pictures are of the round and the paper that are chosen.
"use strict";
document.querySelector(".paper-choice")?.addEventListener("change", (event) => {
  location.search = new URLSearchParams(new FormData(event.currentTarget));
});
