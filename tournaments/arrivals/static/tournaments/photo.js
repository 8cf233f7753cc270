// A photo of a code leaves as soon as it is taken, made small first: the Wi-Fi of a hall is bad.
"use strict";

(() => {
  const LONGEST = 1280; // pixels of the longer side
  const form = document.getElementById("door-photo");
  const field = form?.querySelector("[type=file]");
  if (!field) return;
  form.querySelector(".send").hidden = true;

  async function small(photo) {
    const drawn = await createImageBitmap(photo);
    const scale = Math.min(1, LONGEST / Math.max(drawn.width, drawn.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(drawn.width * scale);
    canvas.height = Math.round(drawn.height * scale);
    canvas.getContext("2d").drawImage(drawn, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => { canvas.toBlob(resolve, "image/jpeg", 0.8); });
    return new File([blob], "code.jpg", { type: "image/jpeg" });
  }

  field.addEventListener("change", async () => {
    if (!field.files.length) return;
    try {
      const files = new DataTransfer();
      files.items.add(await small(field.files[0]));
      field.files = files.files;
    } catch {
      // A picture that the browser can't open: the site says so.
    }
    form.requestSubmit();
  });
})();
