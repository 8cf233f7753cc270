"""How organisers reach a player: an email address, and numbers of memberships by their names.

What an event asks for at registration, and how long it is kept: ``ContactTerms``.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from rules.errors import BadInput
from rules.json_reader import ANY_TEXT, JsonObjectReader, WholeNumber, boolean, list_of
from rules.people.person_names import (
    ADDRESS,
    EMAIL,
    clean_name,
    has_hidden_signs,
    is_spreadsheet_error,
    strip_zero_width,
)

LONGEST_ADDRESS = 254  # RFC 5321, 4.5.3.1.3
LONGEST_MEMBERSHIP = 30
LONGEST_NUMBER = 40
MOST_MEMBERSHIPS = 10
LONGEST_REASON = 200
USUAL_DAYS, LEAST_DAYS, MOST_DAYS = 90, 7, 365
UNNAMED = "player-id"
"""The membership of a number of which nobody says whose it is."""

EMAIL_KEYS = frozenset(
    {EMAIL, "email", "mail", "e-mail-address", "email-address", "indirizzo-e-mail"}
    | {"indirizzo-email", "posta-elettronica", "e-mail-adresse", "adresse-e-mail", "courriel"}
    | {"correo", "correo-electronico", "correo-electrónico"}
)
PLAYER_ID = frozenset(
    {"player-id", "player-number", "membership", "membership-number", "membership-id", "member-id"}
    | {"id-giocatore", "numero-giocatore", "tessera", "numero-tessera", "numero-di-tessera"}
)
"""Columns with the number of a player where their name does not say whose it is."""
NUMBERS = {
    "play-id": "Play! ID",
    "play-player-id": "Play! Player ID",
    "konami": "Konami",
    "konami-id": "Konami ID",
    "card-game-id": "Card Game ID",
    "cossy-id": "COSSY ID",
    "dci": "DCI",
    "dci-number": "DCI number",
    "wizards-id": "Wizards ID",
    "bandai": "Bandai",
    "bandai-id": "Bandai ID",
    "bandai-tcg-id": "Bandai TCG ID",
    "bandai-tcg-number": "Bandai TCG number",
}
"""Memberships by key, as they are called: columns of these names have their numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactTerms:
    """The contact data an event asks for, why, and how many days it is kept afterwards.

    It is required if there is a reason (``why``), else optional. ``memberships`` are names such as
    "Play! ID".
    """

    email: bool = False
    memberships: tuple[str, ...] = ()
    why: str = ""
    days: int = USUAL_DAYS

    def as_json(self) -> dict[str, object]:
        """Return the terms as JSON data, as they are stored in the event."""
        return asdict(self) | {"memberships": list(self.memberships)}

    def end(self, event_ended: datetime) -> datetime:
        """Return the moment from which nothing of it is kept, for an event that ended then."""
        return event_ended + timedelta(days=self.days)


def read_terms(stored: object) -> ContactTerms:
    """Return the contact terms of an event from stored JSON, normalised.

    Raises BadInput ``bad_memberships``, ``bad_days``, ``bad_name`` (also for a reason above
    ``LONGEST_REASON`` characters); WrongValue for JSON of another shape.
    """
    given = JsonObjectReader(stored, ContactTerms.__slots__)
    written = given.read("memberships", list_of(ANY_TEXT), ())
    names = tuple(filter(None, (" ".join(one.split()) for one in written)))
    _check_membership_names(names)
    days = given.read("days", WholeNumber(), USUAL_DAYS)
    if not LEAST_DAYS <= days <= MOST_DAYS:
        raise BadInput(
            "bad_days",
            "Enter a whole number from %(least)s to %(most)s.",
            least=LEAST_DAYS,
            most=MOST_DAYS,
        )
    why = " ".join(given.read("why", ANY_TEXT, "").split())
    return ContactTerms(
        email=given.read("email", boolean, False),
        memberships=tuple(clean_name(name) for name in names),
        why=clean_name(why, LONGEST_REASON) if why else "",
        days=days,
    )


def _check_membership_names(names: tuple[str, ...]) -> None:
    """Raise BadInput ``bad_memberships`` unless an event can ask for memberships of these names."""
    keys = [membership_key(name) for name in names]
    if len(names) > MOST_MEMBERSHIPS:
        raise _too_many_memberships()
    if any(len(name) > LONGEST_MEMBERSHIP for name in names):
        raise BadInput(
            "bad_memberships", "Write at most %(most)s characters.", most=LONGEST_MEMBERSHIP
        )
    if not all(keys):
        raise BadInput("bad_memberships", "A name needs at least one letter or digit.")
    if len(set(keys)) < len(keys):
        raise BadInput("bad_memberships", "Use each value only once.")


def _too_many_memberships() -> BadInput:
    return BadInput("bad_memberships", "At most %(most)s are allowed.", most=MOST_MEMBERSHIPS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedContact:
    """The contact data of a person in a list; ``wrong`` are texts that are not valid.

    ``memberships`` maps keys such as "play-id" to numbers.
    """

    email: str = ""
    memberships: Mapping[str, str]
    wrong: tuple[str, ...] = ()


def parse_contact(pairs: Iterable[tuple[str, str]]) -> ParsedContact:
    """Return the contact data in (name, text) pairs such as ("konami", "0123").

    Invalid texts are in ``wrong``. Raises BadInput ``bad_memberships`` for more than
    ``MOST_MEMBERSHIPS``.
    """
    email, wrong, numbers = "", [], dict[str, str]()
    for name, text in pairs:
        key = membership_key(name)
        try:
            if key in EMAIL_KEYS:
                email = clean_email(text) or email
            elif key in numbers:
                raise _no_membership()
            else:
                numbers |= clean_memberships({key: text})
        except BadInput:
            wrong.append(text)
    return ParsedContact(email=email, memberships=clean_memberships(numbers), wrong=tuple(wrong))


def column_membership_key(column: str, asked: Iterable[str]) -> str:
    """Return the key of the membership whose numbers a table column has, "" for none.

    ``column`` is its header: the name of a membership that the event asks for (``asked``), or a
    common one; "player id" means the only one that the event asks for.
    """
    key, keys = membership_key(column), [membership_key(name) for name in asked]
    if key in PLAYER_ID and len(keys) == 1:
        return keys[0]
    return key if key in {*keys, *PLAYER_ID, *NUMBERS} else ""


def membership_key(name: str) -> str:
    """Return the key of a membership's name, such as "play-id"; "" without letters.

    It has lower-case letters and digits, joined by hyphens.
    """
    return re.sub(r"[\W_]+", "-", unicodedata.normalize("NFC", name).casefold()).strip("-")


def membership_name(key: str, asked: Iterable[str]) -> str:
    """Return the display name of a membership by its key.

    It is the event's (``asked``), a common one, or made of the key; "" for ``UNNAMED`` if the event
    does not ask for it.
    """
    names = {membership_key(name): name for name in asked}
    if key == UNNAMED and key not in names:
        return ""
    words = key.replace("-", " ")
    return names.get(key) or NUMBERS.get(key, words[:1].upper() + words[1:])


def clean_email(text: str) -> str:
    """Return an email address without surrounding spaces, or ""; raises BadInput ``bad_email``."""
    address = strip_zero_width(text).strip()
    wrong = (
        len(address) > LONGEST_ADDRESS
        or has_hidden_signs(address)
        or not ADDRESS.fullmatch(address)
    )
    if address and wrong:
        raise BadInput(
            "bad_email",
            "Enter an address such as name@example.org.",
        )
    return address


def clean_memberships(numbers: Mapping[str, str]) -> dict[str, str]:
    """Return membership numbers by key, spaces collapsed; empty ones are left out.

    Raises BadInput ``bad_membership`` for an invalid name or number, ``bad_memberships`` for more
    than ``MOST_MEMBERSHIPS``.
    """
    found: dict[str, str] = {}
    for name, text in numbers.items():
        key, number = membership_key(name), " ".join(strip_zero_width(text).split())
        if not number:
            continue
        none = has_hidden_signs(number) or not any(sign.isalnum() for sign in number)
        if not key or key in found or len(key) > LONGEST_MEMBERSHIP or none:
            raise _no_membership()
        if is_spreadsheet_error(number):  # its digits are lost
            raise _no_membership()
        if len(number) > LONGEST_NUMBER:
            raise _no_membership()
        found[key] = number
    if len(found) > MOST_MEMBERSHIPS:
        raise _too_many_memberships()
    return found


def shared_memberships(contacts: Iterable[Mapping[str, str]]) -> frozenset[tuple[str, str]]:
    """Return the memberships that several contacts have, as (key, number in lower case).

    A contact maps membership keys to numbers.
    """
    held = Counter((key, text.casefold()) for each in contacts for key, text in each.items())
    return frozenset(one for one, count in held.items() if count > 1)


def check_unique_memberships(
    numbers: Mapping[str, str], others: Iterable[Mapping[str, str]]
) -> None:
    """Raise BadInput ``membership_twice`` if another contact has one of these numbers.

    ``numbers`` and each of the ``others`` map membership keys to numbers. The message names nobody,
    as a player may read it.
    """
    taken = {(key, number.casefold()) for each in others for key, number in each.items()}
    for key, number in numbers.items():
        if (key, number.casefold()) in taken:
            raise duplicate_membership_error(key, number)


def duplicate_membership_error(key: str, number: str) -> BadInput:
    """Return the BadInput ``membership_twice``: another player has this number."""
    return BadInput(
        "membership_twice",
        "Another player already has number %(number)s.",
        number=number,
        path=f"memberships.{key}",
    )


def _no_membership() -> BadInput:
    return BadInput(
        "bad_membership",
        "Enter a membership number of at most %(longest)s characters.",
        longest=LONGEST_NUMBER,
    )
