"""Names and words as they are stored: readable, short, and nothing hidden in them."""

import re
import unicodedata
from collections.abc import Iterable

from rules.errors import BadInput
from rules.wording import gettext_noop as _

LONGEST = 80
MOST_AT_ONCE = 1000
MOST_MARKS = 4
LIST_NUMBER = re.compile(r"^(?:\d{1,4}[.)]\s+)+")
HIDDEN = {"Cc", "Cs", "Co", "Cn", "Zl", "Zp"}
BIDI = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")


def clean_name(text: str, longest: int = LONGEST) -> str:
    """Return a name in NFC with blanks collapsed; raises BadInput ``bad_name``.

    Refused: empty or invisible, longer than ``longest`` characters, control characters and marks
    that change the direction of writing, more than four accents on one letter.
    """
    # Putting marks in order takes the square of their number: no more than could be a name.
    name = unicodedata.normalize("NFC", " ".join(text.split())[: 10 * longest])
    if len(name) > longest:
        raise BadInput(
            "bad_name",
            _("A name has at most %(longest)s characters. Nothing was stored: shorten it."),
            longest=longest,
        )
    if any(unicodedata.category(sign) in HIDDEN or sign in BIDI for sign in name):
        raise BadInput(
            "bad_name",
            _("The name holds invisible characters. Nothing was stored: type it again."),
        )
    if not any(unicodedata.category(sign)[0] in "LNS" for sign in name):
        raise BadInput(
            "bad_name", _("A name needs at least one letter or digit. Nothing was stored.")
        )
    if _most_marks(name) > MOST_MARKS:
        raise BadInput(
            "bad_name", _("One letter of the name has too many accents. Nothing was stored.")
        )
    return name


def clean_club(text: str, longest: int = LONGEST) -> str:
    """Return a club's name in NFC with blanks collapsed, cut where it is too long; "" for none.

    Raises BadInput ``bad_club`` where it holds what a person's name must not hold.
    """
    club = unicodedata.normalize("NFC", " ".join(text.split())[:longest])[:longest]
    if any(unicodedata.category(sign) in HIDDEN or sign in BIDI for sign in club):
        raise BadInput(
            "bad_club",
            _("The club's name holds invisible characters. Nothing was stored: type it again."),
        )
    if _most_marks(club) > MOST_MARKS:
        raise BadInput(
            "bad_club",
            _("One letter of the club's name has too many accents. Nothing was stored."),
        )
    return club


def check_words(text: str) -> None:
    """Refuse words for others with signs that can't be seen: BadInput ``hidden_signs``.

    Line ends, tabs and every letter and picture are fine, also those that are new to this program.
    """
    plain = text.replace("\r", "").replace("\n", "").replace("\t", "")
    if any(unicodedata.category(sign) in ("Cc", "Cs") or sign in BIDI for sign in plain):
        raise BadInput(
            "hidden_signs",
            _("The words hold invisible characters. Nothing was stored: type them again."),
        )


def read_people(text: str) -> list[tuple[str, str]]:
    """Return (name, club) of each line that is not blank; raises BadInput ``bad_lines``.

    A number before the name ("3. Ugo") belongs to the list that was pasted, not to the name.
    """
    return people_in(enumerate(text.splitlines(), start=1))


def people_in(lines: Iterable[tuple[int, str]]) -> list[tuple[str, str]]:
    """Return (name, club) of each line that is not blank, by the number that a fault names it."""
    people, faults = [], []
    for number, line in lines:
        if not line.strip():
            continue
        name, _sep, club = line.strip().replace("\t", ";").partition(";")
        try:
            people.append((clean_name(LIST_NUMBER.sub("", name)), clean_club(club)))
        except BadInput:
            faults.append(str(number))
    if faults:
        raise BadInput(
            "bad_lines",
            _(
                "These lines can't be a player's name and club: %(lines)s. Nobody was added: "
                "correct them."
            ),
            lines=tuple(faults),
        )
    if not people or len(people) > MOST_AT_ONCE:
        raise BadInput(
            "bad_lines",
            _("Give from 1 to %(most)s names, one a line. Nobody was added."),
            most=MOST_AT_ONCE,
        )
    return people


def _most_marks(name: str) -> int:
    most = run = 0
    for sign in unicodedata.normalize("NFD", name):
        run = run + 1 if unicodedata.combining(sign) else 0
        most = max(most, run)
    return most
