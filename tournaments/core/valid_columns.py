"""What the columns of an event's tables hold, where the model's own field does not say it all.

``column_reader`` gives the reader of every column of a table that is archived: from this list, else
from the field (its type, ``max_length``, ``choices``, ``blank``). Forms, serializers, services and
the reader of archives ask for it, so that one place says what a valid event is. Readers convert
nothing, so ``"3"`` is no number.

``TABLES`` are those that hold an event, ordered so that rows follow the rows they refer to. Record,
archives, snapshots, undo and erasures read these lists; each model declares what its table and its
columns are (``models.tables``).
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import slug_re
from django.db import models

from config.wording import translate
from decks.models import CardListVersion, Decklist, FormatVersion, HouseFormat
from rules.criteria import CRITERIA
from rules.criteria.of_tables import TABLE_CRITERIA
from rules.errors import RuleError
from rules.events.clock import MOST_MINUTES, validate_warnings
from rules.events.prizes import read_prizes
from rules.events.questions import LONGEST_ANSWER, read_questions
from rules.events.timetable import DAY, read_breaks
from rules.json_reader import (
    ANY_TEXT,
    LARGE,
    JsonObjectReader,
    Reader,
    WholeNumber,
    WrongValue,
    any_json,
    any_of,
    boolean,
    list_of,
    mapping_of,
    nullable,
    one_of,
    read_sentence,
    text,
)
from rules.numbers import MOST_POINTS
from rules.people.contacts import read_terms
from rules.people.person_names import clean_club, clean_name
from rules.plans import MOST_PLAYERS, NAME, FormulaPlan
from rules.results import SEAT_WINNERS, MatchEnding, SeatMark, TieBreak, Winner
from rules.stages.base import LEGS, MOST_BYES, STAGE_KINDS
from rules.stages.base import stage_kind as kind_of_stage
from rules.stages.tables import parse_table_ranges
from rules.standings.rank_document import read_table_points
from rules.tables.field import SeatingCost
from tournaments.core.moments import FIRST_YEAR, LAST_YEAR, zone_choices
from tournaments.core.visibility import parse_audiences
from tournaments.models import (
    DeckCheck,
    Draw,
    Entry,
    Event,
    Group,
    LogLine,
    Match,
    PersonalLink,
    Report,
    Round,
    RoundClock,
    SavedFormula,
    Seat,
    Stage,
)
from tournaments.models.play import MOST_SEATS
from tournaments.models.tables import DECLARED, LogPart, Model, Table, TextErasure

SMALL = 32_767
"""The largest number of a small column, on every database."""
FARTHEST = timedelta(hours=14)
"""How far a time zone is from UTC at most."""
HEX = re.compile(r"[0-9a-f]*")


def object_reader(
    required: Mapping[str, Reader[Any]], optional: Mapping[str, Reader[Any]] | None = None
) -> Reader[dict[str, Any]]:
    """Return a reader of JSON objects that have all ``required`` and no other fields.

    ``optional``: readers of further fields that may be missing. A reader is a function that returns
    the value that it has checked, or raises WrongValue.
    """
    readers = {**required, **(optional or {})}

    def read(value: object) -> dict[str, Any]:
        given = JsonObjectReader(value, readers)
        for key in required:
            if key not in given:
                raise WrongValue("This field is required.", at=key)
        return {key: given.read(key, readers[key]) for key in given.values}

    return read


def reader_with_check(
    check: Callable[[Any], object], reader: Reader[Any] | None = None
) -> Reader[Any]:
    """Return a reader that applies ``reader``, then returns ``check(value)``.

    A RuleError of ``check`` becomes a WrongValue.
    """

    def read(value: object) -> object:
        if reader is not None:
            reader(value)
        try:
            return check(value)
        except WrongValue:
            raise
        except RuleError as refused:
            raise WrongValue(refused.sentence) from None

    return read


def slug_reader(most: int) -> Reader[str]:
    """Return a reader of slugs (letters, digits, hyphens, underscores).

    ``most``: number of characters at most.
    """
    short = text(most, 1)

    def read(value: object) -> str:
        if not slug_re.match(short(value)):
            raise WrongValue("This is not valid.")
        return str(value)

    return read


def read_slug_and_number(value: object) -> tuple[str, int]:
    """Return [event slug, player number] as a tuple.

    Raises WrongValue for anything else.
    """
    if not isinstance(value, list) or len(value) != 2:
        raise WrongValue("This is not valid.")
    return slug_reader(80)(value[0]), PLAYER(value[1])


def hex_digest_reader(length: int, *, empty: bool = False) -> Reader[str]:
    """Return a reader of lower-case hexadecimal text of ``length`` digits.

    ``empty``: "" is valid too.
    """

    def read(value: object) -> str:
        found = ANY_TEXT(value)
        if not HEX.fullmatch(found) or len(found) not in {length, 0 if empty else None}:
            raise WrongValue("This is not valid.")
        return found

    return read


def read_seconds(value: object) -> float:
    """Return the value if it is a non-negative number; else raise WrongValue."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= LARGE:
        raise WrongValue("This is not valid.")
    return value


def read_moment(value: object) -> object:
    """Return the value if it is an aware datetime, or such ISO 8601 text.

    Else raise WrongValue. The year must be 2000 to 2100.
    """
    try:
        found = value if isinstance(value, datetime) else datetime.fromisoformat(value)  # type: ignore[arg-type]
        good = found.tzinfo is not None and _is_near(found)
    except (TypeError, ValueError, OverflowError):
        good = False
    if not good:
        raise WrongValue("This is not valid.")
    return value


def _is_near(found: datetime) -> bool:
    utc = found.astimezone(UTC)
    return (utc + FARTHEST).year >= FIRST_YEAR and (utc - FARTHEST).year <= LAST_YEAR


def read_day(value: object) -> object:
    """Return the value if it is the text of an ISO 8601 date since 1900.

    Else raise WrongValue.
    """
    try:
        good = 1900 <= date.fromisoformat(value).year <= LAST_YEAR  # type: ignore[arg-type]
    except (TypeError, ValueError):
        good = False
    if not good:
        raise WrongValue("This is not valid.")
    return value


@cache
def _zones() -> frozenset[str]:
    return frozenset(name for name, _label in zone_choices())


def read_time_zone(value: object) -> str:
    """Return the value if it is the name of a time zone; else raise WrongValue."""
    if not isinstance(value, str) or value not in _zones():
        raise WrongValue("This is not valid.")
    return value


def read_player_with_seed(value: object) -> object:
    """Return the value if it is [player number, seed or None]; else raise WrongValue."""
    number, _seed = list_of(nullable(PLAYER), 2, least=2)(value)
    if number is None:
        raise WrongValue("This is not valid.")
    return value


PLAYER = WholeNumber(1)
SAT_BEFORE = object_reader(
    {"until": WholeNumber(), "seats": list_of(PLAYER, least=1)},
    {"again": WholeNumber(), "beside": PLAYER, "table": PLAYER},
)
"""Who had the seats of a match before a correction; see ``Match.earlier``."""


def read_pairing_reason(value: object) -> object:
    """Return the value if it is a stored reason of a pairing; else raise WrongValue.

    That is a stored sentence, perhaps with ``by_hand``, or {}.
    """
    if value != {}:
        given = JsonObjectReader(value)
        given.read("by_hand", boolean, False)
        read_sentence({key: item for key, item in given.values.items() if key != "by_hand"})
    return value


MOST_CONFIRM = 600
LONGEST_KEY = 80
NUMBER = WholeNumber(1, SMALL)
OBJECT = mapping_of(any_json)
SHA256 = hex_digest_reader(64)

_CARD = {key: text(400) for key in ("kind", "expansion", "number", "version", "genus", "language")}
_FOUND = dict.fromkeys(("found", "minimum", "maximum", "line"), nullable(WholeNumber()))
DECK = object_reader(
    {
        "zones": mapping_of(
            list_of(object_reader({"name": text(400), "count": WholeNumber()}, _CARD))
        ),
        "language": nullable(text(400)),
    },
    {"reading": WholeNumber()},
)
VIOLATIONS = list_of(
    object_reader(
        {
            "code": text(LONGEST_KEY),
            "sentence": read_sentence,
            "zone": nullable(text(400)),
            "card": nullable(text(400)),
            **_FOUND,
        },
        {"suggestions": list_of(text(400)), "lines": list_of(list_of(WholeNumber(), 2, least=2))},
    )
)
CARD_ROWS = list_of(
    object_reader(
        {"list": text(40, 1), "card": text(160, 1)},
        {"expansion": text(80), "aliases": text(400), "with": text(160)},
    )
)
TABLE_POINTS = object_reader(
    {},
    {
        "preset": text(LONGEST_KEY),
        "places": list_of(WholeNumber()),
        **dict.fromkeys(("win", "draw", "loss", "bye"), WholeNumber()),
    },
)


def _stages_are_known(stored: object) -> None:
    for stage in FormulaPlan.from_json(stored).stages:
        kind_of_stage(stage)


COLUMNS: Mapping[type[models.Model], Mapping[str, Reader[Any]]] = {
    CardListVersion: {"format": slug_reader(60), "rows": CARD_ROWS, "fingerprint": SHA256},
    HouseFormat: {"base": slug_reader(60), "changes": OBJECT, "rules": OBJECT},
    FormatVersion: {"changes": OBJECT, "rules": OBJECT},
    SavedFormula: {"definition": OBJECT},
    Decklist: {
        "format": slug_reader(50),
        "deck": DECK,
        "counts": mapping_of(WholeNumber()),
        "violations": VIOLATIONS,
        "fingerprint": SHA256,
    },
    Event: {
        "name": reader_with_check(lambda name: clean_name(name, 120), text(120, 1, printable=True)),
        "about": text(printable=True),
        **dict.fromkeys(("venue", "fee"), text(200, printable=True)),
        "time_zone": read_time_zone,
        **dict.fromkeys(("format", "formula"), slug_reader(60)),
        "options": mapping_of(
            any_of(boolean, WholeNumber(0, SMALL), text(40), list_of(WholeNumber(0, SMALL), 100))
        ),
        "criteria": list_of(one_of((*CRITERIA.keys(), *TABLE_CRITERIA.keys())), 100),
        "table_points": reader_with_check(read_table_points, TABLE_POINTS),
        **dict.fromkeys(
            ("points_win", "points_draw", "points_loss"), WholeNumber(0, 4 * MOST_POINTS)
        ),
        "points_parts": WholeNumber(1, 4),
        "minutes": WholeNumber(1, SMALL),
        "warnings": reader_with_check(validate_warnings, list_of(WholeNumber())),
        "tables": reader_with_check(parse_table_ranges, text(120)),
        "here_minutes": WholeNumber(0, SMALL),
        "ends_by": WholeNumber(0, DAY - 1),
        "overtime": WholeNumber(0, MOST_MINUTES),
        "breaks": reader_with_check(read_breaks),
        "prizes": reader_with_check(read_prizes),
        "leaving": list_of(PLAYER, MOST_PLAYERS),
        "open_lists": reader_with_check(parse_audiences, list_of(text(60, 1), 100)),
        "capacity": WholeNumber(1, MOST_PLAYERS),
        "questions": reader_with_check(read_questions),
        "contact_terms": reader_with_check(read_terms),
        "confirm_after": WholeNumber(0, MOST_CONFIRM),
        "plan": reader_with_check(_stages_are_known),
        "head": hex_digest_reader(64, empty=True),
        "source": slug_reader(80),
    },
    Entry: {
        **dict.fromkeys(("number", "seed"), PLAYER),
        "name": reader_with_check(lambda name: clean_name(name, letters=False), text(80, 1)),
        "club": reader_with_check(lambda club: clean_club(club, addresses=True), text(80)),
        "fixed_table": NUMBER,
        "byes": WholeNumber(0, MOST_BYES),
        "answers": mapping_of(any_of(boolean, text(LONGEST_ANSWER)), text(40)),
        "origin": read_slug_and_number,
    },
    PersonalLink: {"token_hash": SHA256},
    Stage: {
        "number": NUMBER,
        "key": text(40, 1),
        "kind": one_of(STAGE_KINDS.keys()),
        "legs": WholeNumber(LEGS.least, LEGS.most),
        "places": mapping_of(PLAYER, NAME),
    },
    Group: {"number": NUMBER, "name": text(40)},
    Seat: {"number": NUMBER},
    Round: {
        **dict.fromkeys(("number", "ordinal"), NUMBER),
        "apart": list_of(list_of(PLAYER, 2, least=2)),
        "cost": object_reader(
            {
                **dict.fromkeys(SeatingCost._fields, WholeNumber()),
                "proven": boolean,
                "method": WholeNumber(1, SMALL),
            }
        ),
        "level": any_of(list_of(PLAYER), list_of(list_of(PLAYER, least=1))),
    },
    Match: {
        **dict.fromkeys(("number", "table", "leg"), NUMBER),
        "best_of": WholeNumber(1, 99),
        "reason": read_pairing_reason,
        "earlier": list_of(SAT_BEFORE),
        "absent": list_of(PLAYER, MOST_SEATS),
    },
    Report: {
        "winner": one_of(("", *Winner)),
        "places": list_of(nullable(WholeNumber(1, MOST_SEATS)), MOST_SEATS, least=3),
        "marks": mapping_of(
            one_of(tuple(SeatMark)), one_of(tuple(map(str, range(1, MOST_SEATS + 1))))
        ),
        "ended_by": one_of(tuple(MatchEnding)),
        "tie_break": one_of(("", *TieBreak)),
        "games": list_of(one_of((*SEAT_WINNERS, Winner.DRAW)), 99),
    },
    Draw: {
        "number": NUMBER,
        "fingerprint": hex_digest_reader(64, empty=True),
        "entrants": any_of(list_of(PLAYER), list_of(read_player_with_seed)),
        "order": list_of(PLAYER),
    },
    DeckCheck: {"ticked": list_of(WholeNumber()), "points": list_of(text(LONGEST_KEY))},
    RoundClock: {"minutes": WholeNumber(0, SMALL), "used": read_seconds, "ticks": read_seconds},
    LogLine: {
        "number": WholeNumber(1),
        "action": text(40, 1),
        **dict.fromkeys(("before", "after", "facts", "words"), OBJECT),
        "player": WholeNumber(1),
        "salt": hex_digest_reader(32, empty=True),
        **dict.fromkeys(("closed_digest", "digest"), hex_digest_reader(64, empty=True)),
    },
}
"""By model: the columns of which the field alone does not say what they hold."""


@cache
def column_reader(column: Any) -> Reader[Any]:
    """Return the reader for a model field's values, except None.

    ``column``: the field. Raises LookupError if no reader is defined.
    """
    return COLUMNS.get(column.model, {}).get(column.name) or _of_class(column)


def _of_class(column: Any) -> Reader[Any]:
    """Return the reader of a column by its class, the most specific class first."""
    least = 0 if column.blank else 1
    match column:
        case models.SlugField():
            return slug_reader(column.max_length or SMALL)
        case models.CharField() if column.choices:
            empty = [""] if column.blank else []
            return one_of([*empty, *(key for key, _word in column.flatchoices)])
        case models.CharField():
            return text(column.max_length, least)
        case models.TextField():
            return text(least=least)
        case models.BooleanField():
            return boolean
        case models.PositiveSmallIntegerField():
            return WholeNumber(0, SMALL)
        case models.PositiveIntegerField():
            return WholeNumber()
        case models.DateTimeField():
            return read_moment
        case models.DateField():
            return read_day
    raise LookupError(f"{column}: nobody says what this column holds")


def column_validator(model: type[models.Model], column: str) -> Callable[[object], None]:
    """Return a Django validator that applies the reader of a model's column."""
    reader = column_reader(model._meta.get_field(column))

    def validate(value: object) -> None:
        try:
            reader(value)
        except WrongValue as wrong:
            raise ValidationError(translate(wrong.problem), code="invalid") from None

    return validate


def integer_limits(model: type[models.Model], column: str) -> dict[str, Any]:
    """Return {min_value, max_value} of an integer column, as form field arguments.

    Raises LookupError for other columns.
    """
    reader = column_reader(model._meta.get_field(column))
    if not isinstance(reader, WholeNumber):
        raise LookupError(f"{model.__name__}.{column} is no whole number")
    return {"min_value": reader.least, "max_value": reader.most}


TABLES = tuple(
    sorted((t for t in DECLARED.values() if not t.beside), key=lambda table: not table.named)
)
ARCHIVED = tuple(table for table in TABLES if table.key)
"""Tables stored in snapshots and, unless ``here_only``, in archives."""
OWN = tuple(table for table in TABLES if table.path)
"""Tables whose rows belong to exactly one event."""
UNDOABLE = tuple(table for table in OWN if not (table.grows or table.forgotten))
"""Tables whose rows undo restores."""
LOGGED = tuple(table for table in OWN if not table.unlogged)
"""Tables whose rows are in the log."""
BY_MODEL: Mapping[Model, Table] = {table.model: table for table in TABLES}
BY_NAME: Mapping[str, Table] = {table.model.__name__: table for table in TABLES}

Columns = tuple[str, ...]
OPEN: Mapping[str, Columns] = {t.model.__name__: t.logged_columns(LogPart.OPEN) for t in LOGGED}
CLOSED: Mapping[str, Columns] = {t.model.__name__: t.logged_columns(LogPart.CLOSED) for t in LOGGED}
"""Closed columns by model; of a submitted decklist, its fingerprint."""
SEARCHED: Mapping[Model, Columns] = {
    table.model: columns
    for table in UNDOABLE
    if (columns := table.columns_with_text(TextErasure.SEARCHED | TextErasure.WRITER))
}
"""Columns with free text by model; a line of the log is redacted by code of its own."""
