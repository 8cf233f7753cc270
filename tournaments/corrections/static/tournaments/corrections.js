// The button that deletes results waits for the event's name; without a script the server asks.
for (const field of document.querySelectorAll("input[data-asked]")) {
  const button = field.form.querySelector("button[name=confirm]");
  const plain = (text) => text.trim().split(/\s+/).join(" ").toLocaleLowerCase();
  const check = () => { button.disabled = plain(field.value) !== plain(field.dataset.asked); };
  field.addEventListener("input", check);
  check();
}

// On a phone the costs in words are folded; the numbers never are.
if (matchMedia("(max-width: 40rem)").matches) {
  for (const fold of document.querySelectorAll(".costs-fold")) fold.open = false;
}

// A tick counts the group again at once.
const seatForm = document.getElementById("seat-form");
seatForm?.addEventListener("change", async (event) => {
  if (event.target.name !== "again") return;
  const sent = new FormData(seatForm);
  sent.append("recount", "yes");
  const answer = await fetch(location.href, { method: "POST", body: sent }).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const now = page.getElementById("afterwards");
  if (now) document.getElementById("afterwards").replaceWith(now);
});
if (seatForm) document.querySelector(".recount").hidden = true;
