"""Where texts name a person, and other words put in the place of the name.

A name is found whole, in whatever case and with the last word first too ("Rossi Marco"); a name of
one word only as it is written, since it may be a word of the language. Nothing is found inside a
longer word, or inside the longer name of somebody else.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

SHORTEST = 3
"""Letters that a single word needs to be looked for inside a text."""
PARTS = re.compile(r"( – |, |^\d+/\d+: )")
"""What stands between the names in what a line of the log is about."""


@dataclass(frozen=True)
class Mentions:
    """The names of one person, and what stands in their place.

    ``others`` are the names of the other people: a longer name that holds one of ``names`` is left.
    ``shared`` says what takes the place of a name that others have too, by its :func:`folded`
    form. ``exact`` are further texts to replace wherever they occur, as addresses.
    """

    names: frozenset[str]
    label: str
    others: frozenset[str] = frozenset()
    shared: Mapping[str, str] | None = None
    exact: Mapping[str, str] | None = None

    def text(self, text: str, *, parts: bool = False) -> str:
        """Return a text without the names; with ``parts`` also without single words of them."""
        if not text or (not self.names and not self.exact):
            return text
        pieces = PARTS.split(text)
        if any(folded(piece) in self._known for piece in pieces):
            text = "".join(self._known.get(folded(piece), piece) for piece in pieces)
        for found, pattern in self._patterns:
            if found in text.casefold():
                text = pattern.sub(self._in_place, text)
        if parts and self._words is not None:
            text = self._words.sub(self.label, text)
        return text

    def data(self, value: Any) -> Any:
        """Return plain data in which no string holds the names; the keys of objects included."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.data(item) for item in value]
        if isinstance(value, dict):
            return {self.text(str(key)): self.data(item) for key, item in value.items()}
        return value

    def holds(self, text: str) -> bool:
        """Say whether a text names the person."""
        return self.text(text) != text

    @cached_property
    def _known(self) -> Mapping[str, str]:
        """Return what takes the place of a text that is nothing but a name."""
        shared = self.shared or {}
        whole = {folded(name): shared.get(folded(name), self.label) for name in self.names}
        return whole | {folded(text): new for text, new in (self.exact or {}).items()}

    @cached_property
    def _patterns(self) -> list[tuple[str, re.Pattern[str]]]:
        """Return for each name a word that a text must hold, and how the name is found."""
        made = []
        for text in sorted(self.exact or {}, key=len, reverse=True):
            pattern = re.compile(_bounded(re.escape(text)), re.IGNORECASE)
            made.append((text.casefold(), pattern))
        for name in sorted(self.names, key=len, reverse=True):
            words = name.split()
            if not words or (len(words) == 1 and len(name) < SHORTEST):
                continue
            ways = [_spelt(words)]
            if len(words) > 1:
                ways.append(_spelt([words[-1], *words[:-1]]))
            longer = [_spelt(other.split()) for other in self._longer(name)]
            flags = re.IGNORECASE if len(words) > 1 else re.NOFLAG
            pattern = re.compile("|".join(map(_bounded, [*longer, *ways])), flags)
            made.append((words[0].casefold(), pattern))
        return made

    def _longer(self, name: str) -> list[str]:
        """Return the names of others, and of the person, that hold a name as a part."""
        own = folded(name)
        return sorted(
            (other for other in self.others if own in folded(other) and own != folded(other)),
            key=len,
            reverse=True,
        )

    def _in_place(self, found: re.Match[str]) -> str:
        key = folded(found.group())
        if key in self._known:
            return self._known[key]
        if any(key == folded(other) for other in self.others):
            return found.group()
        return self.label  # the words of a name in another order

    @cached_property
    def _words(self) -> re.Pattern[str] | None:
        """Return how a single word of the names is found that no other person's name has."""
        taken = {word.casefold() for other in self.others for word in other.split()}
        own = {word for name in self.names for word in name.split() if len(word) >= SHORTEST}
        words = sorted((w for w in own if w.casefold() not in taken), key=len, reverse=True)
        return re.compile("|".join(_bounded(re.escape(word)) for word in words)) if words else None


def folded(name: str) -> str:
    """Return what two spellings of a person's name have in common: blanks and case are not."""
    return " ".join(name.split()).casefold()


def _spelt(words: Iterable[str]) -> str:
    return r",?\s+".join(re.escape(word) for word in words)


def _bounded(pattern: str) -> str:
    return rf"(?<!\w)(?:{pattern})(?!\w)"
