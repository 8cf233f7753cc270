"""How names are shown: by surname in lists where people look for themselves, twins told apart.

Two players of one name are told apart by ``marks_of``, made once of all players of an event:
``display_name`` of an entry or its row ends with the mark, ``name`` stays as it is stored.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple, Protocol

from anyascii import anyascii

from rules.people.surnames import split_name

LONGEST_CLUB = 30
"""Characters of a club that stands behind a name; a longer one would hide it."""
APART = str.maketrans({"'": "", "`": "", '"': "", "-": " ", ".": " ", ",": " "})


class Named(Protocol):
    """A player: an entry or its row."""

    @property
    def name(self) -> str:
        """Return the name as it is stored."""

    @property
    def club(self) -> str:
        """Return the club, "" for none."""

    @property
    def mark(self) -> str:
        """Return the mark shown after a name that several players have; "" if it is unique."""

    @property
    def surname(self) -> str:
        """Return the surname that was given; "" where it is guessed."""

    @property
    def number(self) -> int:
        """Return the player's number."""


class WithDisplayName(Named, Protocol):
    """A player with the name as pages show it."""

    @property
    def display_name(self) -> str:
        """Return the name, with its mark if several players of the event have it."""


class Listed(NamedTuple):
    """A name as lists show it, surname first, and the key by which it is sorted."""

    surname: str
    given: str
    key: tuple[str, str]
    mark: str = ""

    @property
    def letters(self) -> str:
        """Return the first letters by which a page of names is found."""
        return self.surname[:3]

    @property
    def rest(self) -> str:
        """Return the given name and the mark, which follow the surname."""
        return with_mark(self.given, self.mark).strip()

    def __str__(self) -> str:
        return f"{self.surname} {self.rest}".strip()


def with_mark(name: str, mark: str) -> str:
    """Return a name with its mark: Marco Rossi (12)."""
    return f"{name} ({mark})" if mark else name


def shortened_name(entry: WithDisplayName, longest: int) -> str:
    """Return a player's name in at most ``longest`` characters; its mark stays."""
    whole = entry.display_name
    if len(whole) <= longest:
        return whole
    mark = entry.mark if len(entry.mark) <= longest // 2 else str(entry.number)
    left = longest - len(with_mark("…", mark))
    return with_mark(f"{entry.name[:left].rstrip()}…", mark)


def twin_key(name: str) -> tuple[str, ...]:
    """Return the key that the names of twins share.

    Case, accents, white space and the order of the words make no difference.
    """
    return tuple(sorted(folded(name).split()))


def marks_of(players: Iterable[Named]) -> dict[int, str]:
    """Return the marks of those of an event's players who share a name, by their number.

    A mark is the club, where no other of that name has it, else the number. No two players are
    shown alike: one whose name was typed like a name with its mark has their number behind it.
    """
    players = list(players)
    named = defaultdict(list)
    for player in players:
        named[twin_key(player.name)].append(player)
    marks = {}
    for same in named.values():
        if len(same) > 1:
            clubs = Counter(folded(player.club) for player in same)
            for player in same:
                differs = clubs[folded(player.club)] == 1 and _can_be_mark(player.club)
                marks[player.number] = player.club if differs else str(player.number)
    while marks and (alike := _shown_alike(players, marks)):
        marks |= {number: str(number) for number in alike}
    return marks


def _shown_alike(players: Iterable[Named], marks: Mapping[int, str]) -> list[int]:
    """Return the numbers of players whose name with its mark is another's, unless it has theirs."""
    shown = defaultdict(list)
    for player in players:
        number = player.number
        shown[folded(with_mark(player.name, marks.get(number, "")))].append(number)
    return [
        number
        for same in shown.values()
        if len(same) > 1
        for number in same
        if marks.get(number) != str(number)
    ]


def _can_be_mark(club: str) -> bool:
    """Return whether a club can be a mark: one of digits would be read as a number."""
    return len(club) <= LONGEST_CLUB and any(sign.isalpha() for sign in club)


def folded(text: str) -> str:
    """Return the key by which people look for words: à as a, Đ as d, ő as o, D’Amico as damico."""
    return " ".join(anyascii(text).casefold().translate(APART).split())


@lru_cache(maxsize=8192)
def _as_listed(name: str, surname: str, mark: str) -> Listed:
    own, given = split_name(name, surname)
    return Listed(own, given, (folded(own), folded(given)), mark)


def as_listed(entry: Named) -> Listed:
    """Return a player's name as lists show it; no query."""
    return _as_listed(entry.name, entry.surname, entry.mark)


def with_initial(entry: WithDisplayName) -> str:
    """Return a name with the initial of the given name: E. Colombo; the whole if it has no two."""
    shown = as_listed(entry)
    if not shown.given:
        return entry.display_name
    return with_mark(f"{shown.given[0]}. {shown.surname}", entry.mark)


def surname_with_initial(entry: Named) -> str:
    """Return a name as lists sort it, shortened: Colombo E.; the surname if there is no other."""
    shown = as_listed(entry)
    short = f"{shown.surname} {shown.given[0]}." if shown.given else shown.surname
    return with_mark(short, shown.mark)


def by_surname(entry: Named) -> tuple[tuple[str, str], int]:
    """Return the key by which players are sorted where they look for themselves."""
    return as_listed(entry).key, entry.number
