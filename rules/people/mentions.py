"""Find and replace mentions of a person in texts.

Full names are matched in any case, also with the last word first ("Rossi Marco"); names of a
single word only as written, since they may be words of the language. Parts of longer words and of
other people's longer names are not matched.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rules.names import name_key

SHORTEST = 3
"""Minimum letters of a single word to be searched for inside a text."""
TELLING = 4
"""Minimum letters of a single word of a name for a text that holds it to be looked at."""
PARTS = re.compile(r"( – |, |^\d+/\d+: )")
"""Separator of names in the subject of a log line."""


@dataclass(frozen=True)
class NameRedactor:
    """Finds and replaces the names of one person in texts and JSON.

    ``label`` replaces the ``names``. ``others`` are the names of other people: longer ones that
    contain one of ``names`` are left alone. ``shared`` maps names that others have too, in
    :func:`fold_name` form, to replacements. ``exact`` maps further texts, such as addresses, to
    replacements wherever they occur.
    """

    names: frozenset[str]
    label: str
    others: frozenset[str] = frozenset()
    shared: Mapping[str, str] | None = None
    exact: Mapping[str, str] | None = None

    def text(self, text: str, *, parts: bool = False) -> str:
        """Return a text without the names; with ``parts`` also without their single words."""
        if not text or (not self.names and not self.exact):
            return text
        pieces = PARTS.split(text)
        if any(fold_name(piece) in self._replacements for piece in pieces):
            text = "".join(self._replacements.get(fold_name(piece), piece) for piece in pieces)
        for found, pattern in self._patterns:
            if found in text.casefold():
                text = pattern.sub(self._in_place, text)
        if parts and self._words is not None:
            text = self._words.sub(self.label, text)
        return text

    def data(self, value: Any) -> Any:
        """Return JSON data in which no string, keys included, contains the names."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.data(item) for item in value]
        if isinstance(value, dict):
            return {self.text(str(key)): self.data(item) for key, item in value.items()}
        return value

    def holds(self, text: str) -> bool:
        """Return whether a text mentions the person."""
        return self.text(text) != text

    def may_remain(self, text: str) -> bool:
        """Return whether a text holds a word of the names, in any case and with any accents.

        Words of fewer than four letters, full names of others and the replacement do not count.
        """
        if not self._distinctive_words:
            return False
        words = re.findall(r"\w+", name_key(self._ignored_pattern.sub(" ", text)))
        return not self._distinctive_words.isdisjoint(words)

    @cached_property
    def _distinctive_words(self) -> frozenset[str]:
        """Return the words of the names that are long enough, without case and accents."""
        words = {word for name in self.names for word in re.findall(r"\w+", name_key(name))}
        return frozenset(word for word in words if len(word) >= TELLING)

    @cached_property
    def _ignored_pattern(self) -> re.Pattern[str]:
        """Return the pattern of the full names of others, and of the replacement."""
        own = {fold_name(name) for name in self.names}
        others = [name for name in (*self.others, self.label) if fold_name(name) not in own]
        spelt = sorted(
            (_pattern_of_words(name.split()) for name in others if name.split()), key=len
        )
        return re.compile(
            "|".join(map(_whole_words_pattern, spelt[::-1])) or r"(?!)", re.IGNORECASE
        )

    @cached_property
    def _replacements(self) -> Mapping[str, str]:
        shared = self.shared or {}
        whole = {fold_name(name): shared.get(fold_name(name), self.label) for name in self.names}
        return whole | {fold_name(text): new for text, new in (self.exact or {}).items()}

    @cached_property
    def _patterns(self) -> list[tuple[str, re.Pattern[str]]]:
        """Return, for each name, a word that a text must contain and the pattern of the name."""
        made = []
        for text in sorted(self.exact or {}, key=len, reverse=True):
            pattern = re.compile(_whole_words_pattern(re.escape(text)), re.IGNORECASE)
            made.append((text.casefold(), pattern))
        for name in sorted(self.names, key=len, reverse=True):
            words = name.split()
            if not words or (len(words) == 1 and len(name) < SHORTEST):
                continue
            ways = [_pattern_of_words(words)]
            if len(words) > 1:
                ways.append(_pattern_of_words([words[-1], *words[:-1]]))
            longer = [_pattern_of_words(other.split()) for other in self._longer_names(name)]
            flags = re.IGNORECASE if len(words) > 1 else re.NOFLAG
            pattern = re.compile("|".join(map(_whole_words_pattern, [*longer, *ways])), flags)
            made.append((words[0].casefold(), pattern))
        return made

    def _longer_names(self, name: str) -> list[str]:
        own = fold_name(name)
        return sorted(
            (other for other in self.others if own in fold_name(other) and own != fold_name(other)),
            key=len,
            reverse=True,
        )

    def _in_place(self, found: re.Match[str]) -> str:
        key = fold_name(found.group())
        if key in self._replacements:
            return self._replacements[key]
        if any(key == fold_name(other) for other in self.others):
            return found.group()
        return self.label  # the words of a name in a different order

    @cached_property
    def _words(self) -> re.Pattern[str] | None:
        """Return the pattern of single words that occur in no other person's name, or None."""
        taken = {word.casefold() for other in self.others for word in other.split()}
        own = {word for name in self.names for word in name.split() if len(word) >= SHORTEST}
        words = sorted((w for w in own if w.casefold() not in taken), key=len, reverse=True)
        return (
            re.compile("|".join(_whole_words_pattern(re.escape(word)) for word in words))
            if words
            else None
        )


def fold_name(name: str) -> str:
    """Return the key shared by all spellings of a person's name: no case, single spaces."""
    return " ".join(name.split()).casefold()


def _pattern_of_words(words: Iterable[str]) -> str:
    return r",?\s+".join(re.escape(word) for word in words)


def _whole_words_pattern(pattern: str) -> str:
    return rf"(?<!\w)(?:{pattern})(?!\w)"
