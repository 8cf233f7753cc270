"""What the columns of a table of players hold: told by their names, else by what is in them."""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from decks.files.tables import Row
from rules.errors import BadInput
from rules.names import name_key
from rules.people.contacts import EMAIL, EMAIL_KEYS, column_membership_key, membership_key
from rules.people.person_names import has_email_address

COLUMNS = {
    "name": (
        *("full name", "name", "player name", "participant name", "entrant name", "player"),
        *("players", "participant", "participants", "entrant", "attendee", "attendee name"),
        *("nome partecipante", "nome e cognome del giocatore", "first and last name"),
        *("name and surname", "spieler", "teilnehmer", "vor und nachname", "vollständiger name"),
        *("joueur", "nom complet", "nom et prénom", "jugador", "nombre completo"),
        *("nombre y apellidos", "nombre y apellido"),
        *("nome e cognome", "nome completo", "nome", "nominativo", "nome giocatore", "giocatore"),
        *("giocatori", "partecipante", "partecipanti", "iscritto", "iscritti"),
    ),
    "turned": (
        *("cognome e nome", "cognome nome", "surname and name", "surname name"),
        *("last name first name", "surname first name"),
    ),
    "surname": (
        *("surname", "last name", "family name", "cognome", "nachname", "familienname"),
        *("apellidos", "apellido", "nom de famille", "nom"),
    ),
    "byes": ("byes", "bye", "awarded byes", "riposi", "turni di riposo", "bye assegnati"),
    "club": (
        "club",
        "circolo",
        "associazione",
        "società",
        "squadra",
        "team",
        "team name",
        "nome squadra",
        "verein",
    ),
}
"""The names of columns by what they hold; where several columns have one, the first is meant."""
GIVEN = (
    *("first name", "given name", "forename", "vorname", "prénom", "nome di battesimo", "nombre"),
)
NICKNAMES = (
    *("display name", "gamer tag", "gamertag", "player tag", "nickname", "nick", "username"),
    *("user name", "handle", "alias", "soprannome"),
)
"""Names where a table has no others."""
TEAMS = frozenset({"team", "team name"})
NAMES = frozenset({"name", "turned", "surname"})
LEFT_OUT = ""
GONE = "…"
"""Stands for a value that no page is told, or that would make a table too long."""
CHOOSE = "?"
"""Somebody has to choose: the column may hold the same as another, or the names."""
NUMBER = "number:"
"""Stands before the key of a membership that the event asks for; alone the column's name is it."""
MOST_UNNAMED = 4
"""Columns without names of which the first are taken for names and clubs."""
MOST_ABOVE = 10  # rows in which the names of the columns are looked for
_PLACES = {
    name_key(word): (key, at)
    for key, words in (*COLUMNS.items(), ("given", GIVEN), ("nick", NICKNAMES))
    for at, word in enumerate(words)
}
_NAMES = NAMES | {"given", "nick"}
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BETWEEN = re.compile(r"[\W_]+")

Columns = Sequence[Sequence[str]]
"""The cells of each column, from the top, "" for empty ones."""


@dataclass(frozen=True, slots=True)
class PeopleTable:
    """The non-empty rows of a table of players, numbered as in a spreadsheet.

    ``divided``: cells were separated by commas or semicolons, which can split a name.
    """

    rows: tuple[Row, ...]
    divided: bool = False

    @property
    def width(self) -> int:
        """Return the number of columns."""
        return max((len(row.cells) for row in self.rows), default=0)

    def columns(self, header: int) -> Columns:
        """Return the columns below the row that names them."""
        rows = self.rows[header:]
        return [[row.cell(at) for row in rows] for at in range(self.width)]


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """How to read a table of players: its header row, and what each column holds.

    ``header`` is the 1-based position among the rows, 0 for none; rows above it are skipped.
    ``meanings``: for each column a key of `column_meanings`, or ``CHOOSE`` if the user must
    choose. ``divided`` is that of the table.
    """

    header: int
    meanings: tuple[str, ...]
    divided: bool = False

    def as_text(self) -> str:
        return json.dumps([self.header, self.meanings, self.divided])


def parse_column_mapping(text: str, width: int) -> ColumnMapping:
    """Return the column mapping that ``as_text`` wrote, for ``width`` columns.

    Columns that it does not name are left out. Raises BadInput ``bad_column``.
    """
    try:
        header, meanings, divided = json.loads(text)
        known = (*map(str, meanings), *[LEFT_OUT] * width)[:width]
        return ColumnMapping(max(int(header), 0), known, bool(divided))
    except (TypeError, ValueError, RecursionError):
        raise bad_column_error() from None


def bad_column_error() -> BadInput:
    """Return the error for an invalid choice of what a column holds."""
    return BadInput("bad_column", "Choose one of the options.")


def column_meanings(memberships: Iterable[str] | None) -> dict[str, str]:
    """Return {key: label} of what a column can hold.

    ``memberships`` are the names that the event asks for, used as labels; other labels are "". With
    None columns can't hold contacts.
    """
    offered = dict.fromkeys((LEFT_OUT, *COLUMNS), "")
    if memberships is not None:
        offered |= {EMAIL: ""} | {NUMBER + membership_key(name): name for name in memberships}
        offered[NUMBER] = ""
    return offered


def guess_column_mapping(table: PeopleTable, memberships: Iterable[str] | None) -> ColumnMapping:
    """Return what each column holds, guessed from the header or else the values.

    ``memberships``: see `column_meanings`. Of several columns with the same meaning all but the
    first are ``CHOOSE``.
    """
    asked = tuple(memberships or ())
    header = _header_of(table.rows, asked)
    heads = table.rows[header - 1].cells if header else ()
    columns = table.columns(header)
    found = _by_names(heads, columns, asked) if header else _by_values(columns)
    offered = column_meanings(memberships)
    meanings = (_offered(found.get(at, LEFT_OUT), offered) for at in range(table.width))
    return ColumnMapping(header, tuple(meanings), table.divided)


def unused_contact_columns(table: PeopleTable, reading: ColumnMapping) -> list[int]:
    """Return the indexes of left-out columns with email or membership values."""
    heads = table.rows[reading.header - 1].cells if reading.header else ()
    columns = table.columns(reading.header)
    named = {at for at, head in enumerate(heads) if _contact_of(head, ())}
    return [
        at
        for at, key in enumerate(reading.meanings)
        if key == LEFT_OUT and (at in named or any(map(has_email_address, columns[at])))
    ]


def mask_columns(table: PeopleTable, header: int, columns: Collection[int]) -> PeopleTable:
    """Return the table with ``GONE`` instead of the values of some columns.

    ``columns`` are indexes; rows up to ``header`` (1-based) are unchanged.
    """
    rows = (
        Row(
            row.number,
            tuple(
                GONE if at in columns and cell.strip() else cell
                for at, cell in enumerate(row.cells)
            ),
        )
        for row in table.rows[header:]
    )
    return replace(table, rows=(*table.rows[:header], *rows))


def is_heading(cell: str) -> bool:
    """Return whether a cell is a known column heading of a table of players."""
    return _place(cell)[0] in _NAMES


def _place(head: str) -> tuple[str, int]:
    """Return what a column of this name holds, ("", 0) for an unknown one, and its rank there."""
    words = _BETWEEN.sub(" ", _HUMP.sub(" ", head)).strip()
    return _PLACES.get(name_key(words), ("", 0))


def _contact_of(head: str, asked: Sequence[str]) -> str:
    """Return the contact that a column of this name holds, "" for none."""
    key = membership_key(_HUMP.sub(" ", head))
    return EMAIL if key in EMAIL_KEYS else column_membership_key(head, asked)


def _header_of(rows: Sequence[Row], asked: Sequence[str]) -> int:
    """Return the place of the row that names the columns, from 1; 0 if none does."""
    found = 0
    for place, row in enumerate(rows[:MOST_ABOVE], start=1):
        filled = [cell for cell in row.cells if cell.strip()]
        own = [_place(cell)[0] for cell in filled]
        known = sum(
            bool(key or _contact_of(cell, asked)) for key, cell in zip(own, filled, strict=True)
        )
        if _NAMES.isdisjoint(own):
            told = known > 1 or (any(own) and len(filled) > 1) or _heads_addresses(rows)
            if place == 1 and told:
                return place
            continue
        if known > 1:
            return place
        above = rows[: place - 1]
        if not found and all(sum(map(bool, map(str.strip, one.cells))) < 2 for one in above):
            found = place
    return found


def _heads_addresses(rows: Sequence[Row]) -> bool:
    columns = [
        [row.cell(at) for row in rows[1:]]
        for at, cell in enumerate(rows[0].cells)
        if membership_key(cell) in EMAIL_KEYS
    ]
    return any(map(_are_addresses, columns))


def _by_names(heads: Sequence[str], columns: Columns, asked: Sequence[str]) -> dict[int, str]:
    """Return what columns hold by their names."""
    ranked = defaultdict[str, list[tuple[int, int]]](list)
    for at, head in enumerate(heads):
        key, rank = _place(head)
        if key := key or _contact_of(head, asked):
            ranked[key].append((rank, at))
    places = {key: [at for _rank, at in sorted(found)] for key, found in ranked.items()}
    known = {at for found in places.values() for at in found}
    name, given, nick, turned = (places.pop(key, []) for key in ("name", "given", "nick", "turned"))
    whole = given + name if given and "surname" in places else name + given
    whole = [at for at in whole if _is_text(columns[at])] or whole  # without numbers of players
    if not (turned or whole or nick):
        surnames = places.get("surname", [])
        if len(surnames) == 1 and name_key(heads[surnames[0]]) == "nom":
            places["name"] = places.pop("surname")  # French for both
    if turned:
        places["turned"] = turned + whole
    elif whole:
        places["name"] = whole
    elif nick and "surname" not in places:
        places["name"] = nick[:1]
    held: dict[int, str] = {}
    for key, found in places.items():
        held |= _shared(key, found, columns)
    _without_repeated_names(held, heads, columns)
    if NAMES.isdisjoint(held.values()):
        others = (at for at in range(len(columns)) if at not in known and _is_text(columns[at]))
        if (first := next(others, None)) is not None:
            held[first] = "name" if len(known) > 1 else CHOOSE
    elif {*held.values()} & NAMES == {"surname"}:
        others = (at for at in range(len(columns)) if at not in known and _is_text(columns[at]))
        held |= dict.fromkeys([*others][:1], CHOOSE)
    return held


def _without_repeated_names(held: dict[int, str], heads: Sequence[str], columns: Columns) -> None:
    """Leave teams out that are called as their only players. Source: standings of Melee."""
    at = {key: place for place, key in held.items()}
    if "name" not in at or "club" not in at or name_key(heads[at["club"]]) not in TEAMS:
        return
    pairs = [
        (name_key(name), name_key(club))
        for name, club in zip(columns[at["name"]], columns[at["club"]], strict=True)
        if club
    ]
    if len(pairs) > 1 and all(name.startswith(club) for name, club in pairs):
        del held[at["club"]]


def _shared(key: str, places: Sequence[int], columns: Columns) -> dict[int, str]:
    """Return what columns hold that may all hold the same: the first of them that holds any."""
    first, *others = [at for at in places if any(columns[at])] or places[:1]
    return {first: key} | {at: CHOOSE for at in others if columns[at] != columns[first]}


def _by_values(columns: Columns) -> dict[int, str]:
    """Return what columns without names hold: a name, then a club; and email addresses.

    Of many columns the first that may be the names has to be chosen.
    """
    texts = [at for at, cells in enumerate(columns) if _is_text(cells)]
    texts = texts or [at for at, cells in enumerate(columns) if any(cells)][:1]
    if sum(map(any, columns)) > MOST_UNNAMED:
        return dict.fromkeys(texts[:1], CHOOSE)
    held = dict(zip(texts, ("name", "club"), strict=False))
    if len(texts) > 1 and _may_be_surnames(columns[texts[0]], columns[texts[1]]):
        held[texts[1]] = CHOOSE
    addresses = (at for at, cells in enumerate(columns) if _are_addresses(cells))
    if (first := next(addresses, None)) is not None and first not in held:
        held[first] = EMAIL
    return held


def _is_text(cells: Sequence[str]) -> bool:
    """Return whether a column holds words: neither numbers nor email addresses."""
    filled = [cell for cell in cells if cell]
    words = sum(any(map(str.isalpha, cell)) for cell in filled)
    return 2 * words > len(filled) and not _are_addresses(cells)


def _are_addresses(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell]
    return bool(filled) and 2 * sum(map(has_email_address, filled)) > len(filled)


def _may_be_surnames(names: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether two columns may be given names and surnames: most one word, few repeated."""
    pairs = [(name, other) for name, other in zip(names, others, strict=True) if name and other]
    single = sum(len(name.split()) == len(other.split()) == 1 for name, other in pairs)
    different = len({name_key(other) for _name, other in pairs})
    return len(pairs) > 2 and 5 * single >= 3 * len(pairs) and 5 * different >= 4 * len(pairs)


def _offered(key: str, offered: Mapping[str, str]) -> str:
    """Return what a column holds as a form says it: a contact as far as these are read."""
    if key in offered or key == CHOOSE:
        return key
    own = NUMBER + key
    return own if own in offered else NUMBER if NUMBER in offered else LEFT_OUT
