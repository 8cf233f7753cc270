// What a desk has typed and the server has not stored: match, version and text only, of one
// account. It outlives reload, restart and sign-out; the storage of a browser is there on plain
// HTTP too. Every look reads it anew, since another window of the same desk may have sent something.
"use strict";

window.outboxAt = (key) => {
  // Private windows may have no storage: then the page itself holds the entries.
  const inMemory = {};
  let stores = true;

  function load(place) {
    if (!stores) return inMemory[place] || [];
    try {
      const kept = JSON.parse(localStorage.getItem(place) || "[]");
      return Array.isArray(kept) ? kept : [];
    } catch {
      return inMemory[place] || [];
    }
  }

  function save(place, entries) {
    inMemory[place] = entries;
    try {
      if (entries.length) localStorage.setItem(place, JSON.stringify(entries));
      else localStorage.removeItem(place);
    } catch {
      stores = false;
    }
  }

  const same = (one, other) => one.match === other.match && one.text === other.text && Boolean(one.chosen) === Boolean(other.chosen);
  const listAt = (place) => ({
    all: () => load(place),
    has: (entry) => load(place).some((kept) => same(kept, entry)),
    add: (entry) => save(place, [...load(place).filter((kept) => !same(kept, entry)), entry]),
    drop: (entry) => save(place, load(place).filter((kept) => !same(kept, entry))),
    dropMatch: (match) => save(place, load(place).filter((kept) => kept.match !== match)),
  });

  // ``waiting``: still to be sent, in this order. ``refused``: answered with a no that nobody has
  // dealt with yet; an entry without a sentence met another result, and is asked of again.
  return { waiting: listAt(key), refused: listAt(`${key}-refused`) };
};
