// After a player was added the next name can be typed at once.
"use strict";
document.querySelector("[data-quick] input[name=name]")?.focus();
