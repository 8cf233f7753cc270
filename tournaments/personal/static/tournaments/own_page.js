// A player's page. A copy of it, shown without connection, promises nothing that comes by itself:
// what it says instead stands in data-offline. Sharing asks the phone with whom.
"use strict";

if (document.body.dataset.stand) {
  for (const line of document.querySelectorAll("[data-offline]")) line.textContent = line.dataset.offline;
}

// Where the browser shares nothing the link leads to the page that would be shared.
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-share-page]");
  if (!link || !navigator.share) return;
  event.preventDefault();
  navigator.share({ title: link.dataset.sharePage, url: link.href }).catch(() => {}); // they thought better of it
});
