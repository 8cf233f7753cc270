"""Validation of names and texts written by people."""

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from rules.errors import BadInput
from rules.stages.byes import MOST_BYES

LONGEST = 80
MOST_AT_ONCE = 1000
MOST_MARKS = 4
LIST_NUMBER = re.compile(r"^(?:\d{1,4}[.)]\s+)+")
WITH_BYES = re.compile(r"([^;]*);([^;]*);([^;]*)")
"""What follows a name: club, surname, number of byes."""
BEFORE_CONTACT = 3
BETWEEN = " – "  # the names of those who meet at a table
HIDDEN = {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}
BIDI = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")


def joined(names: Iterable[object]) -> str:
    """Return the names of those who are at a table, in the order of their seats, as one text."""
    return BETWEEN.join(map(str, names))


def clean_name(text: str, longest: int = LONGEST) -> str:
    """Return a name in NFC with white space collapsed; raises BadInput ``bad_name``.

    Rejected: empty or invisible names, more than ``longest`` characters, control characters,
    bidirectional controls, more than four accents on one letter.
    """
    # Normalisation is quadratic in the number of marks: limit the length first.
    name = unicodedata.normalize("NFC", " ".join(text.split())[: 10 * longest])
    if len(name) > longest:
        raise BadInput(
            "bad_name",
            "A name has at most %(longest)s characters. Nothing was stored: shorten it.",
            longest=longest,
        )
    if any(unicodedata.category(sign) in HIDDEN or sign in BIDI for sign in name):
        raise BadInput(
            "bad_name", "The name holds invisible characters. Nothing was stored: type it again."
        )
    if not any(unicodedata.category(sign)[0] in "LNS" for sign in name):
        raise BadInput("bad_name", "A name needs at least one letter or digit. Nothing was stored.")
    if _most_marks(name) > MOST_MARKS:
        raise BadInput(
            "bad_name", "One letter of the name has too many accents. Nothing was stored."
        )
    return name


def clean_club(text: str, longest: int = LONGEST) -> str:
    """Return a club's name in NFC with white space collapsed, truncated; "" for none.

    Raises BadInput ``bad_club`` for characters that a person's name must not contain.
    """
    club = unicodedata.normalize("NFC", " ".join(text.split())[:longest])[:longest]
    if any(unicodedata.category(sign) in HIDDEN or sign in BIDI for sign in club):
        raise BadInput(
            "bad_club",
            "The club's name holds invisible characters. Nothing was stored: type it again.",
        )
    if _most_marks(club) > MOST_MARKS:
        raise BadInput(
            "bad_club", "One letter of the club's name has too many accents. Nothing was stored."
        )
    return club


def check_words(text: str) -> None:
    """Raise BadInput ``hidden_signs`` for a text for others with invisible characters.

    Line ends, tabs, all letters and pictures are allowed, also ones newer than this program.
    """
    plain = text.replace("\r", "").replace("\n", "").replace("\t", "")
    if any(unicodedata.category(sign) in ("Cc", "Cs") or sign in BIDI for sign in plain):
        raise BadInput(
            "hidden_signs",
            "The words hold invisible characters. Nothing was stored: type them again.",
        )


class Person(NamedTuple):
    """Somebody of a list: a name, a club, the surname if it was given apart, awarded byes.

    ``contact`` are pairs of a name and what was written behind it, as ``contacts`` reads them.
    """

    name: str
    club: str = ""
    surname: str = ""
    byes: int = 0
    contact: tuple[tuple[str, str], ...] = ()


def read_people(text: str) -> list[Person]:
    """Return the person of each non-blank line; raises BadInput ``bad_lines``.

    A leading number ("3. Ugo") is list numbering and is removed.
    """
    return people_in(enumerate(text.splitlines(), start=1))


def people_in(lines: Iterable[tuple[int, str]]) -> list[Person]:
    """Return the person of each non-blank line: "name", "name; club", "name; club; surname".

    After the surname, which may be empty, the number of awarded byes may stand, and after it
    contacts such as "e-mail: ada@example.org; konami: 0123". Errors name the given line number.
    """
    people, faults = [], []
    for number, line in lines:
        if not line.strip():
            continue
        name, _sep, rest = line.strip().replace("\t", ";").partition(";")
        try:
            rest, contact = _contact(rest)
            person = _person(clean_name(LIST_NUMBER.sub("", name)), rest)
            people.append(person._replace(contact=contact))
        except BadInput:
            faults.append(str(number))
    if faults:
        raise BadInput(
            "bad_lines",
            "These lines can't be a player's name and club: %(lines)s. Nobody was added: "
            "correct them.",
            lines=tuple(faults),
        )
    if not people or len(people) > MOST_AT_ONCE:
        raise BadInput(
            "bad_lines",
            "Give from 1 to %(most)s names, one a line. Nobody was added.",
            most=MOST_AT_ONCE,
        )
    return people


def _contact(rest: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return what stands before the contacts of a line, and these; all of it if there are none."""
    parts = rest.split(";")
    found = [part.partition(":") for part in parts[BEFORE_CONTACT:]]
    pairs = tuple((name.strip(), written.strip()) for name, _colon, written in found)
    if not pairs or not all(name and written for name, written in pairs):
        return rest, ()
    return ";".join(parts[:BEFORE_CONTACT]), pairs


def _person(name: str, rest: str) -> Person:
    """Return a person; what follows the club is a surname if it is a part of the name.

    After both stands the number of byes, or nothing. Raises BadInput ``bad_club``, ``bad_byes``.
    """
    if given := WITH_BYES.fullmatch(rest):
        club, surname, byes = given.groups()
        allowed = map(str, range(MOST_BYES + 1))
        if byes.strip() not in ("", *allowed):
            raise BadInput("bad_byes", "Byes are a number from 0 to %(most)s.", most=MOST_BYES)
        whole = f"{club};{surname}" if surname.strip() else club
        return _person(name, whole)._replace(byes=int(byes.strip() or 0))
    club, sep, surname = rest.rpartition(";")
    words = " ".join(surname.split())
    if words and sep and (name.endswith(f" {words}") or name.startswith(f"{words} ")):
        return Person(name, clean_club(club), words)
    return Person(name, clean_club(rest))


def _most_marks(name: str) -> int:
    most = run = 0
    for sign in unicodedata.normalize("NFD", name):
        run = run + 1 if unicodedata.combining(sign) else 0
        most = max(most, run)
    return most
