"""The part of a name under which people look for it in a list.

A name is one text, as a person writes it. Its surname is what they gave, else a guess: words in
capitals, what stands before a comma, what begins with a particle (De Luca Anna), else the last
word with the particles before it. ``ListCorrections`` are what organisers change while they look a
list over, before anybody is entered.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rules.errors import BadInput
from rules.people.person_names import Person, clean_name, clean_surname, fold_words

PARTICLES = frozenset(
    {
        *("di", "de", "de’", "del", "della", "dello", "dell’", "dei", "degli", "delle", "da"),
        *("dal", "dalla", "dalle", "dagli", "lo", "la", "li", "le", "d’", "san", "du", "des"),
        *("von", "vom", "zu", "zum", "zur", "van", "der", "den", "ten", "ter", "te", "’t", "op"),
        *("dos", "das", "do", "los", "las", "y", "bin", "ibn", "al", "el", "abu", "ben"),
        *("af", "av", "st", "st.", "mac", "mc", "o’"),
    }
)
"""Words before a surname that belong to it: De Luca, van der Berg."""
IN_FRONT = PARTICLES - {
    *("de’", "dell’", "d’", "te", "’t", "op", "do", "y", "bin", "ibn", "al", "el", "abu", "ben"),
    *("af", "av", "st", "st.", "mac", "mc", "o’", "li", "san", "den", "ten", "ter", "das"),
}
"""Particles with which no given name begins: a name that begins so has its surname first."""
INSIDE = frozenset({"di", "de", "lo", "dalla", "degli"})
"""Particles that, in capitals, begin a surname of several words: Di Maio Ferrante."""
SUFFIXES = frozenset({"jr", "jr.", "sr", "sr.", "ii", "iii", "iv"})
"""Words after a surname that belong to it."""


def guess_surname(name: str) -> str:
    """Return the most likely surname in a name.

    It may be marked by a comma, capitals or a particle; else it is the last word with its
    particles. The whole name if that has no letters, as in "Player 7".
    """
    if "," in name.strip(", "):
        return name.partition(",")[0].strip()
    words = name.split() or [""]
    if (shouted := _in_capitals(words)) is not None:
        return " ".join(shouted)
    if _begins_with_surname(words):
        return guess_leading_surname(name)
    end = len(words)
    while end > 2 and fold_words(words[end - 1]) in SUFFIXES:
        end -= 1
    begin = end - 1
    if not any(sign.isalpha() for sign in words[begin]):
        return name  # "Player 7"
    while begin > 1 and fold_words(words[begin - 1]) in PARTICLES:
        begin -= 1
    inside = (at for at in range(1, begin) if _begins_surname_at(words, at))
    return " ".join(words[next(inside, begin) :])


def guess_leading_surname(name: str) -> str:
    """Return the surname of a name that begins with it, as in "De Luca Anna"."""
    words = name.split()
    end = 1
    while end < len(words) - 1 and fold_words(words[end - 1]) in PARTICLES:
        end += 1
    return " ".join(words[:end])


def assign_leading_surnames(people: Iterable[Person]) -> list[Person]:
    """Return people with their surnames set, for a list with the surname first.

    Surnames that are given, or marked by a comma or capitals, stay.
    """
    return [
        person._replace(surname=person.surname or _surname_of_reversed(person.name))
        for person in people
    ]


def _surname_of_reversed(name: str) -> str:
    tells = "," in name.strip(", ") or _in_capitals(name.split()) is not None
    return guess_surname(name) if tells else guess_leading_surname(name)


def split_name(name: str, surname: str = "") -> tuple[str, str]:
    """Return (surname, rest of the name).

    The surname is guessed if ``surname`` is empty or not in the name.
    """
    for part in (surname, guess_surname(name)):
        if part and (rest := _name_without(name, part)) is not None:
            return part, rest
    return name, ""


def surname_words(name: str, surname: str) -> list[tuple[str, bool]]:
    """Return (word, whether it belongs to the surname) for each word of a name."""
    words, own = name.split(), range(*_place_of(name, surname))
    return [(word, at in own) for at, word in enumerate(words)]


def move_surname_border(name: str, surname: str, word: int) -> str:
    """Return the surname after the user moved a word of a name into or out of it.

    ``word`` is its index, from 0; the words between it and the border move along. If no surname, or
    no given name, would be left, the surname is guessed at the other end of the name.
    """
    words = name.split()
    if len(words) < 2:
        return name
    begin, end = _place_of(name, surname)
    if end == len(words):
        begin = word + 1 if begin <= word else word
        moved = words[begin:] if 0 < begin < end else guess_leading_surname(name).split()
    else:
        end = word if word < end else word + 1
        moved = words[:end] if 0 < end < len(words) else words[-1:]
    return " ".join(moved).strip(",")


def _place_of(name: str, surname: str) -> tuple[int, int]:
    """Return where a surname begins and ends among the words of a name."""
    count, length = len(surname.split()), len(name.split())
    return (length - count, length) if name.endswith(surname) else (0, count)


def stored_surname(name: str, surname: str) -> str:
    """Return the surname to store with a name.

    "" if it is the one that would be guessed, or no part of the name.
    """
    own, _rest = split_name(name, surname)
    return own if surname and own != guess_surname(name) else ""


def has_surname(name: str, surname: str) -> bool:
    """Return whether a name begins or ends with a surname."""
    try:
        clean_surname(surname, " ".join(name.split()))
    except BadInput:
        return False
    return True


def full_name(name: str, surname: str) -> str:
    """Return the full name from a name field and a surname field.

    The name may contain the surname already. Raises BadInput ``bad_name``.
    """
    name = clean_name(name)
    return name if has_surname(name, surname) else clean_name(f"{name} {surname}")


def _begins_surname_at(words: list[str], at: int) -> bool:
    particle, after = words[at], words[at + 1]
    is_inside = particle[0].isupper() and fold_words(particle) in INSIDE
    return is_inside and fold_words(after) not in PARTICLES


def _begins_with_surname(words: list[str]) -> bool:
    """Return whether the name begins with a particle and a surname, and does not end so."""
    if len(words) < 3 or fold_words(words[0]) not in IN_FRONT:
        return False
    end = len(guess_leading_surname(" ".join(words)).split())
    begins = fold_words(words[end - 1]) not in PARTICLES
    return begins and (len(words) == end + 1 or fold_words(words[-2]) not in PARTICLES)


def _in_capitals(words: list[str]) -> list[str] | None:
    """Return the words in capitals at one end of a name of which the rest is not."""
    loud = [sum(map(str.isalpha, word)) > 1 and word.isupper() for word in words]
    if not any(loud) or all(loud):
        return None
    if loud[-1]:
        return words[len(words) - (loud[::-1].index(False)) :]
    return words[: loud.index(False)] if loud[0] else None


def _name_without(name: str, part: str) -> str | None:
    """Return a name without the words that begin or end it; None if they do neither."""
    if name == part:
        return ""
    if name.endswith(f" {part}"):
        return name[: -len(part)].strip()
    if name.startswith((f"{part} ", f"{part},")):
        return name[len(part) :].strip(", ")
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListCorrections:
    """The user's corrections to a pasted list, kept when lines are added or removed.

    ``turned``: names begin with the surname. ``surnames`` maps names to surnames, ``contacts``
    invalid addresses or numbers to their replacement.
    """

    turned: bool = False
    surnames: Mapping[str, str] = field(default_factory=dict)
    contacts: Mapping[str, str] = field(default_factory=dict)

    def applied_to(self, people: Sequence[Person]) -> list[Person]:
        """Return people with the changes."""
        if self.turned:
            people = assign_leading_surnames(people)
        return [self._changed(person) for person in people]

    def _changed(self, person: Person) -> Person:
        contact = ((name, self._mended(text)) for name, text in person.contact)
        return person._replace(
            surname=self.surnames.get(person.name, person.surname),
            contact=tuple((name, text) for name, text in contact if text),
        )

    def _mended(self, text: str) -> str:
        for _change in self.contacts:
            text = self.contacts.get(text, text)
        return text

    def with_border(self, people: Sequence[Person], name: str, word: int) -> "ListCorrections":
        """Return the changes after a word of a name, from 0, was said to be on the other side.

        Of a name that is not in the list nothing changes.
        """
        person = next((one for one in people if one.name == name), None)
        if person is None or word not in range(len(name.split())):
            return self
        surname, _rest = split_name(name, person.surname)
        return replace(
            self, surnames={**self.surnames, name: move_surname_border(name, surname, word)}
        )
