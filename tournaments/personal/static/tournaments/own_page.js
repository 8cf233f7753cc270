// A player's page. Without connection it promises nothing that comes by itself: what it says
// instead stands in data-offline, on a copy of the page and on one that nobody answers any more.
// Sharing asks the phone with whom.
"use strict";

(() => {
  const { stand } = document.body.dataset;
  const page = document.querySelector(".me-now");

  function promise() {
    const offline = stand || page.classList.contains("stale");
    for (const line of page.querySelectorAll("[data-offline]")) {
      line.dataset.online ??= line.textContent;
      line.textContent = offline ? line.dataset.offline : line.dataset.online;
    }
  }

  promise();
  page.addEventListener("polled", promise);
  new MutationObserver(promise).observe(page, { attributeFilter: ["class"] });

  // Where the browser shares nothing the link leads to the page that would be shared.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-share-page]");
    if (!link || !navigator.share) return;
    event.preventDefault();
    navigator.share({ title: link.dataset.sharePage, url: link.href }).catch(() => {}); // they thought better of it
  });
})();
