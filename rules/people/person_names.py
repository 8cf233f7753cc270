"""Names and texts written by people: validation, and lines of a pasted list."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeVar

from rules.errors import BadInput
from rules.numbers import parse_whole_number
from rules.people.line_marks import (
    BULLETS,
    strip_chat_stamp,
    strip_list_marks,
    unlikely_name_message,
)
from rules.stages.base import MOST_BYES
from rules.wording import Sentence, gettext_noop

OVERRIDE = "\u202e"
"""Turns what follows around: the name would be read backwards."""
BIDI = set("\u202a\u202b\u202c\u202d\u2066\u2067\u2068\u2069\u200e\u200f\u061c") | {OVERRIDE}
TAKEN_OFF = str.maketrans(dict.fromkeys((BIDI - {OVERRIDE}) | set("\u200b\u2060\ufeff\u00ad")))
"""Direction marks and other signs without width, which come along where text is copied."""
HIDDEN = {"Cc", "Cs", "Co", "Zl", "Zp"}
BLANK = {
    *map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2065, 0x2800, 0x3164, 0xFFA0)),
    *map(chr, (*range(0x2061, 0x2065), *range(0x206A, 0x2070), *range(0xFFF0, 0xFFFC))),
    *map(chr, (0x180E, 0x16FE4, 0x1D159, 0xE0001, *range(0x1BCA0, 0x1BCA4))),
    *map(chr, range(0x1D173, 0x1D17B)),
}
"""Letters, marks and signs that are drawn as nothing (Unicode: Default_Ignorable_Code_Point).

Of those, what joins or varies signs is kept: joiners, variation selectors, tags of flags.
"""
ADDRESS = re.compile(r"[^\s@,;<>()\"\\]+@(?:[^\s@,;<>()\"\\.]+\.)+[^\s@,;<>()\"\\.]{2,}")
"""An email address."""
_LONG_NUMBER = re.compile(r"(?<!\w)\+?\d(?:[ ./-]?\d){6,}(?!\w)")
LONGEST_ERROR = 40
_BETWEEN_WORDS = re.compile(r"[\s,;<>()\"\\]+")
_SPREADSHEET_ERROR = re.compile(
    r"#(?:n/[ad]|nv|ref!|rif!|bezug!|value!|valore!|wert!|div/0!|name\?|nome\?|num!|zahl!"
    r"|null!|nullo!|spill!|espansione!|calc!|calcolo!|field!|blocked!|connect!|unknown!|busy!"
    r"|getting_data|error!|#+)|err:\d{3}",
    re.IGNORECASE,
)
_SHORTENED = re.compile(r"\d(?:[.,]\d+)?E[+-]\d{2,3}", re.IGNORECASE)


def strip_zero_width(text: str) -> str:
    """Return a text without zero-width characters, which copied names may have."""
    return text.translate(TAKEN_OFF)


def has_hidden_signs(text: str) -> bool:
    """Return whether a text has invisible characters or ones that reverse the direction.

    Unassigned characters are allowed, as new emoji come each year.
    """
    return any(
        sign == OVERRIDE
        or sign in BLANK
        or unicodedata.category(sign) in HIDDEN
        or (ord(sign) & 0xFFFE == 0xFFFE or "\ufdd0" <= sign <= "\ufdef")
        for sign in text
    )


def has_email_address(text: str) -> bool:
    """Return whether a text contains an email address; in linear time."""
    if "@" not in text:
        return False
    words = (word.strip(".:!?'") for word in _BETWEEN_WORDS.split(text))
    return any(ADDRESS.fullmatch(word) for word in words)


def has_long_number(text: str) -> bool:
    """Return whether a text contains a number of seven or more digits, such as a phone number."""
    return _LONG_NUMBER.search(text) is not None


def is_spreadsheet_error(text: str) -> bool:
    """Return whether a cell holds an error (#N/A) or a number that lost digits (3.1E+08)."""
    text = text.strip()
    found = _SPREADSHEET_ERROR.fullmatch(text) or _SHORTENED.fullmatch(text)
    return len(text) <= LONGEST_ERROR and found is not None


T = TypeVar("T")

LONGEST = 80
MOST_AT_ONCE = 1000
MOST_MARKS = 4
_NUMBERING = re.compile(r"[#(]?(\d{1,4})(?:[.):°．）]\s*|\s*[-–]\s+|\s+)(?=\D|$)")
_PARTICLES = r"(?:(?:d[aei]|de[il]|dell[ao]|degli|dal(?:la)?|l[aio]|van|von|de[rn]|san|ma?c)\s+)*"
_SURNAME_FIRST = re.compile(rf"({_PARTICLES}[^\s,]+), *([^\s,]+(?: [^\s,]+)?)", re.IGNORECASE)
BEHIND_NAME = 3
"""The parts of a line before its contacts: club, surname, byes."""
EMAIL = "e-mail"
LOST = "\ufffd"  # what programs write for letters that they can't read
BETWEEN = " – "  # the names of those who meet at a table


def join_names(names: Iterable[object]) -> str:
    """Return the names of a match's players as one text: "Anna – Bruno"."""
    return BETWEEN.join(map(str, names))


def clean_name(text: str, longest: int = LONGEST, *, letters: bool = True) -> str:
    """Return a person's name in NFC with white space collapsed; raises BadInput ``bad_name``.

    Zero-width characters are removed. Rejected: names without a letter or digit, more than
    ``longest`` characters, invisible characters, more than four accents on one letter. Without
    ``letters`` emoji are enough, as in earlier archives.
    """
    name = _tidied(text, longest)
    if len(name) > longest:
        raise BadInput(
            "bad_name",
            "Write at most %(most)s characters.",
            longest=longest,
            most=longest,
        )
    if has_hidden_signs(name):
        raise BadInput("bad_name", "This text contains invisible characters. Type it again.")
    if not name or (letters and not any(sign.isalnum() for sign in name)):
        raise BadInput("bad_name", "A name needs at least one letter or digit.")
    if _most_marks(name) > MOST_MARKS:
        raise BadInput("bad_name", "One letter has too many accents.")
    return name


def clean_club(text: str, longest: int = LONGEST, *, addresses: bool = False) -> str:
    """Return a club's name in NFC with white space collapsed; "" for none.

    Raises BadInput ``bad_club`` for what a person's name must not contain either, and for an e-mail
    address or a phone number, as clubs are public; ``addresses`` allows them, for stored clubs.
    """
    club = _tidied(text, longest)
    if len(club) > longest:
        raise BadInput(
            "bad_club",
            "Write at most %(most)s characters.",
            longest=longest,
            most=longest,
        )
    if has_hidden_signs(club):
        raise BadInput("bad_club", "This text contains invisible characters. Type it again.")
    if _most_marks(club) > MOST_MARKS:
        raise BadInput("bad_club", "One letter has too many accents.")
    if has_email_address(club) and not addresses:
        raise BadInput("bad_club", "Leave out email addresses, phone numbers and links.")
    if has_long_number(club) and not addresses:
        raise BadInput(
            "bad_club",
            "Leave out email addresses, phone numbers and links.",
        )
    return club


def _tidied(text: str, longest: int) -> str:
    # Normalisation is quadratic in the number of marks: limit the length first.
    plain = " ".join(strip_zero_width(text).split())[: 10 * longest]
    return unicodedata.normalize("NFC", plain)


def clean_surname(surname: str, name: str) -> str:
    """Return the surname as spelled in the name, "" for none.

    Raises BadInput ``bad_surname`` if the name neither begins nor ends with it.
    """
    wanted = " ".join(strip_zero_width(surname).split())
    if not wanted:
        return ""
    words, count = name.split(), len(wanted.split())
    before_comma = [name[: len(wanted)]] if name[len(wanted) : len(wanted) + 1] == "," else []
    for part in (words[-count:], words[:count], before_comma):
        if fold_words(" ".join(part)).strip(",") == fold_words(wanted).strip(","):
            return " ".join(part).strip(",")
    raise BadInput(
        "bad_surname",
        "The name must begin or end with “%(surname)s”.",
        surname=wanted[:LONGEST],
    )


def fold_words(words: str) -> str:
    """Return words folded for comparison: lower case, one sort of apostrophe."""
    return words.casefold().replace("'", "’")


def check_hidden_signs(text: str) -> None:
    """Raise BadInput ``hidden_signs`` if a text has invisible control characters.

    Line ends, tabs, all letters and emoji are allowed, also unassigned ones.
    """
    plain = text.replace("\r", "").replace("\n", "").replace("\t", "")
    if any(unicodedata.category(sign) in ("Cc", "Cs") or sign in BIDI for sign in plain):
        raise BadInput(
            "hidden_signs",
            "This text contains invisible characters. Type it again.",
        )


class Person(NamedTuple):
    """A person of a list to enter into an event.

    ``surname`` is "" unless given separately, ``byes`` the number of awarded byes. ``contact`` are
    (name, text) pairs such as ("konami", "0123"). ``remark`` is text beside the name; ``doubt``
    says why it may be no player.
    """

    name: str
    club: str = ""
    surname: str = ""
    byes: int = 0
    contact: tuple[tuple[str, str], ...] = ()
    remark: str = ""
    doubt: Sentence | None = None


class LineFault(NamedTuple):
    """The reason why a line or row (``number``, from 1) can't be read as a player."""

    number: int
    reason: Sentence


class BadLines(BadInput):
    """Some lines of a list can't be read as players, so nobody is entered.

    ``faults`` has at least one.
    """

    def __init__(self, faults: Sequence[LineFault]) -> None:
        self.faults = tuple(faults)
        first = self.faults[0]
        if len(self.faults) == 1:
            super().__init__(
                "bad_lines",
                gettext_noop("Row %(row)s: %(sentence)s"),
                row=first.number,
                sentence=first.reason,
            )
            return
        super().__init__(
            "bad_lines",
            gettext_noop("Row %(row)s: %(sentence)s Unreadable rows: %(rows)s."),
            row=first.number,
            sentence=first.reason,
            rows=tuple(fault.number for fault in self.faults),
        )


def read_people(text: str) -> list[Person]:
    """Return the people of a pasted list; see ``read_lines`` for its syntax.

    Raises BadLines; BadInput ``bad_lines`` for none or too many.
    """
    people, faults = read_lines(text)
    if faults:
        raise BadLines(faults)
    return people


def read_lines(text: str) -> tuple[list[Person], list[LineFault]]:
    """Return (people of a pasted list, faults of the other lines).

    A line is "name", "name; club", "name; club; surname" or "name; club; surname; byes", parts may
    be empty; or "surname, name". An email address may be in any part after the name, other
    contacts at the end ("konami: 0123"). Chat stamps, list marks and remarks (``line_marks``) are
    removed, also line numbers. Tabs divide cells, which are not divided again. Raises BadInput
    ``bad_lines`` for none or too many lines.
    """
    written = ((at, strip_chat_stamp(line.strip())) for at, line in enumerate(text.splitlines(), 1))
    lines = [(at, line) for at, line in written if line]
    plain = strip_numbering([line for _at, line in lines])
    marked = [
        counted != line or strip_list_marks(line).marked
        for (_, line), counted in zip(lines, plain, strict=True)
    ]
    rest = strip_numbering(plain[1:])
    most = 2 * sum(marked[1:]) > len(rest)
    titled = len(lines) > 2 and not marked[0] and (rest != plain[1:] or most)
    if titled:
        plain = [plain[0], *rest]
    named = any(any(map(str.isalpha, line)) for line in plain)

    def person(numbered: tuple[int, str]) -> Person:
        place, line = numbered
        if named and not any(map(str.isalpha, line)) and any(map(str.isdigit, line)):
            raise BadInput("bad_line", "This is not a name. Leave the line out.")
        found = _person_of_line(line)
        first = place == 0 and len(lines) > 1
        told = strip_list_marks(line.partition(";")[0])
        doubt = unlikely_name_message(told, first=first, titled=titled and first)
        return found._replace(doubt=doubt)

    return read_numbered_lines(
        (
            (at, (place, line))
            for place, ((at, _), line) in enumerate(zip(lines, plain, strict=True))
        ),
        person,
    )


def strip_numbering(lines: Sequence[str]) -> list[str]:
    """Return lines without their numbers or list marks, if all have them.

    The numbers must count up, the marks be equal; else the lines are unchanged.
    """
    signs = {line[:1] for line in lines}
    if len(lines) > 1 and len(signs) == 1 and signs <= BULLETS:
        return [line[1:].strip() for line in lines]
    found = [_NUMBERING.match(line) for line in lines]
    numbers = [int(one[1]) for one in found if one is not None]
    counted = list(range(numbers[0], numbers[0] + len(lines))) if len(numbers) > 1 else []
    if numbers != counted or not counted:
        return list(lines)
    return [line[one.end() :] for line, one in zip(lines, found, strict=True) if one is not None]


def read_numbered_lines(
    numbered: Iterable[tuple[int, T]], person_of: Callable[[T], Person]
) -> tuple[list[Person], list[LineFault]]:
    """Return (people, faults) of numbered lines or rows.

    ``person_of`` reads one; a BadInput that it raises becomes a fault. Raises BadInput
    ``bad_lines`` for none or too many.
    """
    people, faults = [], []
    for number, one in numbered:
        try:
            people.append(person_of(one))
        except BadInput as fault:
            faults.append(LineFault(number, fault.sentence))
        if len(people) + len(faults) > MOST_AT_ONCE:
            break
    if not 1 <= len(people) + len(faults) <= MOST_AT_ONCE:
        raise BadInput("bad_lines", "Enter 1 to %(most)s names, one per line.", most=MOST_AT_ONCE)
    return people, faults


def clean_person(
    name: str,
    club: str = "",
    surname: str = "",
    byes: str = "",
    contact: tuple[tuple[str, str], ...] = (),
) -> Person:
    """Return a person with validated fields from a line or row.

    Raises BadInput ``bad_name``, ``bad_club``, ``bad_surname``, ``bad_byes``, ``spreadsheet_error``
    for cells that a spreadsheet has damaged.
    """
    for text in (name, club, surname, byes):
        if is_spreadsheet_error(text):
            raise BadInput(
                "spreadsheet_error",
                "“%(text)s” means that text was lost. Type it again.",
                text=text,
            )
        if LOST in text:
            raise BadInput(
                "bad_name", "“%(text)s” means that text was lost. Type it again.", text=LOST
            )
    if not strip_zero_width(name).strip():
        raise BadInput("bad_name", "A name needs at least one letter or digit.")
    if has_email_address(name):
        raise BadInput("bad_name", "Leave out email addresses, phone numbers and links.")
    if has_long_number(name):
        raise BadInput("bad_name", "Leave out email addresses, phone numbers and links.")
    if "://" in name or "://" in club:
        raise BadInput("bad_name", "Leave out email addresses, phone numbers and links.")
    whole = clean_name(name)
    number = parse_whole_number(byes) if byes.strip() else 0
    if number is None or number > MOST_BYES:
        raise BadInput(
            "bad_byes",
            "Enter a whole number from %(least)s to %(most)s.",
            least=0,
            most=MOST_BYES,
        )
    return Person(whole, clean_club(club), clean_surname(surname, whole), number, contact)


def _person_of_line(line: str) -> Person:
    """Return the person of a line; raises BadInput as ``clean_person``, ``bad_line``."""
    if line.endswith(":"):
        raise BadInput("bad_line", "This is not a name. Leave the line out.")
    name, *rest = (part.strip() for part in line.split("\t" if "\t" in line else ";"))
    contact = [(EMAIL, part) for part in rest if ADDRESS.fullmatch(part)]
    rest = [part for part in rest if not ADDRESS.fullmatch(part)]
    for part in filter(None, rest[BEHIND_NAME:]):
        key, _colon, text = (piece.strip() for piece in part.partition(":"))
        if not key or not text:
            raise BadInput(
                "bad_line",
                "Remove “%(part)s”. Write each line as: name; club; surname; byes.",
                part=part[:LONGEST],
            )
        contact.append((key, text))
    club, surname, byes = (*rest[:BEHIND_NAME], "", "", "")[:BEHIND_NAME]
    name, remark, *_how = strip_list_marks(name)
    if not surname and (turned := _SURNAME_FIRST.fullmatch(name)):
        surname, name = turned[1], f"{turned[2]} {turned[1]}"
    found = clean_person(name, club, surname, byes, tuple(contact))
    return found._replace(remark=remark[:LONGEST])


def _most_marks(name: str) -> int:
    most = run = 0
    for sign in unicodedata.normalize("NFD", name):
        run = run + 1 if unicodedata.combining(sign) else 0
        most = max(most, run)
    return most


class CommaMeaning(StrEnum):
    """What a comma separates in a pasted list: "name, club" or "surname, name"."""

    CLUB = "club"
    SURNAME = "surname"


def possible_comma_meanings(text: str) -> tuple[CommaMeaning, ...]:
    """Return the possible meanings of the commas in a list of names.

    () unless most lines have one. A line without one is a player without club. Never with
    semicolons or tabs, or for a single line.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or any(";" in line or "\t" in line for line in lines):
        return ()
    parts = [[part.strip() for part in line.split(",")] for line in lines]
    divided = [each for each in parts if len(each) > 1]
    repeats = len(divided) > 1 and 2 * len(divided) > len(lines)
    return tuple(CommaMeaning) if repeats and all(len(e) == 2 and all(e) for e in divided) else ()


def split_at_comma(text: str) -> list[tuple[int, tuple[str, str]]]:
    """Return the lines of a list as (line number from 1, (before comma, after comma)).

    A line without a comma has an empty second cell. Numbering of the lines is removed.
    """
    lines = [(at, line.strip()) for at, line in enumerate(text.splitlines(), 1) if line.strip()]
    plain = strip_numbering([line for _at, line in lines])
    parts = (line.partition(",") for line in plain)
    return [
        (at, (one.strip(), two.strip()))
        for (at, _l), (one, _c, two) in zip(lines, parts, strict=True)
    ]
