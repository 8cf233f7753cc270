"""What the columns of an event's tables hold, where the model's own field does not say it all.

``kind_of`` gives the kind of every column of a table that is archived: from this list, else from
the field (its type, ``max_length``, ``choices``, ``blank``). Forms, serializers and the reader of
archives ask for it, so that one place says what a valid event is.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.db import models

from decks.models import CardListVersion, Decklist, FormatVersion, HouseFormat
from rules.criteria import CRITERIA
from rules.criteria.of_tables import TABLE_CRITERIA
from rules.events.clock import LONGEST_WARNING, MOST_MINUTES, MOST_WARNINGS, checked_warnings
from rules.events.questions import LONGEST_ANSWER, questions_of
from rules.events.timetable import DAY, LONGEST_BREAK, LONGEST_LABEL, MOST_BREAKS, breaks_of
from rules.half_points import MOST_POINTS
from rules.people.contacts import LONGEST_REASON, MOST_DAYS, MOST_MEMBERSHIPS, terms_of
from rules.people.person_names import clean_club, clean_name
from rules.results import SEAT_WINNERS, EndedBy, Mark, TieBreak, Winner
from rules.stages.byes import MOST_BYES
from rules.stages.kind import STAGE_KINDS
from rules.stages.settings import LEGS
from rules.stages.table_ranges import table_ranges
from rules.standings.table_points_json import points_from
from rules.tables.field import Cost
from tournaments.core.open_lists import audiences
from tournaments.core.valid_json import (
    SAT_BEFORE,
    ByName,
    Either,
    Json,
    ListOf,
    Maybe,
    Passing,
    Record,
    Seeded,
    Worded,
)
from tournaments.core.valid_plan import MOST_PLAYERS, NAME, PLAN
from tournaments.core.valid_values import (
    SMALL,
    Day,
    Digest,
    Kind,
    Moment,
    OneOf,
    Seconds,
    Slug,
    Text,
    Whole,
    YesNo,
    Zone,
)
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
from tournaments.models.match import MOST_SEATS

MOST_CONFIRM = 600
LONGEST_KEY = 80
NUMBER, PLAYER = Whole(1, SMALL), Whole(1)
OBJECT = ByName(Json())
SHA256 = Digest(64)

_CARD = {key: Text(400) for key in ("kind", "expansion", "number", "version", "genus", "language")}
_FOUND = dict.fromkeys(("found", "minimum", "maximum", "line"), Maybe(Whole()))
DECK = Record(
    {
        "zones": ByName(ListOf(Record({"name": Text(400), "count": Whole()}, _CARD))),
        "language": Maybe(Text(400)),
    },
    {"reading": Whole()},
)
VIOLATIONS = ListOf(
    Record(
        {
            "code": Text(LONGEST_KEY),
            "sentence": Worded(),
            "zone": Maybe(Text(400)),
            "card": Maybe(Text(400)),
            **_FOUND,
        },
        {"suggestions": ListOf(Text(400)), "lines": ListOf(ListOf(Whole(), 2, least=2))},
    )
)
CARD_ROWS = ListOf(
    Record(
        {"list": Text(40, least=1), "card": Text(160, least=1)},
        {"expansion": Text(80), "aliases": Text(400), "with": Text(160)},
    )
)
BREAKS = Passing(
    ListOf(
        Record({"at": Text(5), "minutes": Whole(1, LONGEST_BREAK)}, {"label": Text(LONGEST_LABEL)}),
        MOST_BREAKS,
    ),
    breaks_of,
)
QUESTION = Record(
    {"key": Text(40, least=1), "kind": Text(40), "text": Text()},
    {"required": YesNo(), "choices": ListOf(Text())},
)
QUESTIONS = Passing(ListOf(QUESTION), questions_of)
CONTACT_TERMS = Passing(
    Record(
        {},
        {
            "email": YesNo(),
            "memberships": ListOf(Text(), MOST_MEMBERSHIPS),
            "why": Text(LONGEST_REASON),
            "days": Whole(1, MOST_DAYS),
        },
    ),
    terms_of,
)
TABLE_POINTS = Passing(
    Record(
        {},
        {
            "preset": Text(LONGEST_KEY),
            "places": ListOf(Whole()),
            **dict.fromkeys(("win", "draw", "loss", "bye"), Whole()),
        },
    ),
    points_from,
)
WARNINGS = Passing(ListOf(Whole(1, LONGEST_WARNING), MOST_WARNINGS), checked_warnings)

COLUMNS: Mapping[type[models.Model], Mapping[str, Kind]] = {
    CardListVersion: {"format": Slug(60), "rows": CARD_ROWS, "fingerprint": SHA256},
    HouseFormat: {"base": Slug(60), "changes": OBJECT, "rules": OBJECT},
    FormatVersion: {"changes": OBJECT, "rules": OBJECT},
    SavedFormula: {"definition": OBJECT},
    Decklist: {
        "format": Slug(50),
        "deck": DECK,
        "counts": ByName(Whole()),
        "violations": VIOLATIONS,
        "fingerprint": SHA256,
    },
    Event: {
        "name": Passing(
            Text(120, least=1, shown_in_lists=True), lambda name: clean_name(name, 120)
        ),
        "about": Text(shown_in_lists=True),
        **dict.fromkeys(("venue", "fee"), Text(200, shown_in_lists=True)),
        "time_zone": Zone(),
        **dict.fromkeys(("format", "formula"), Slug(60)),
        "options": ByName(
            Either((YesNo(), Whole(0, SMALL), Text(40), ListOf(Whole(0, SMALL), 100)))
        ),
        "criteria": ListOf(OneOf((*CRITERIA.keys(), *TABLE_CRITERIA.keys())), 100),
        "table_points": TABLE_POINTS,
        **dict.fromkeys(("points_win", "points_draw", "points_loss"), Whole(0, 2 * MOST_POINTS)),
        "points_parts": Whole(1, 2),
        "minutes": Whole(1, SMALL),
        "warnings": WARNINGS,
        "tables": Passing(Text(120), table_ranges),
        "here_minutes": Whole(0, SMALL),
        "ends_by": Whole(0, DAY - 1),
        "overtime": Whole(0, MOST_MINUTES),
        "breaks": BREAKS,
        "open_lists": Passing(ListOf(Text(60, least=1), 100), audiences),
        "capacity": Whole(1, MOST_PLAYERS),
        "questions": QUESTIONS,
        "contact_terms": CONTACT_TERMS,
        "confirm_after": Whole(0, MOST_CONFIRM),
        "plan": PLAN,
        "head": Digest(64, empty=True),
    },
    Entry: {
        **dict.fromkeys(("number", "seed"), PLAYER),
        "name": Passing(Text(80, least=1), lambda name: clean_name(name, letters=False)),
        "club": Passing(Text(80), clean_club),
        "fixed_table": NUMBER,
        "byes": Whole(0, MOST_BYES),
        "answers": ByName(Either((YesNo(), Text(LONGEST_ANSWER))), Text(40)),
    },
    PersonalLink: {"token_hash": SHA256},
    Stage: {
        "number": NUMBER,
        "key": Text(40, least=1),
        "kind": OneOf(STAGE_KINDS.keys()),
        "legs": Whole(LEGS.least, LEGS.most),
        "places": ByName(PLAYER, NAME),
    },
    Group: {"number": NUMBER, "name": Text(40)},
    Seat: {"number": NUMBER},
    Round: {
        **dict.fromkeys(("number", "ordinal"), NUMBER),
        "apart": ListOf(ListOf(PLAYER, 2, least=2)),
        "cost": Record(
            {**dict.fromkeys(Cost._fields, Whole()), "proven": YesNo(), "method": Whole(1, SMALL)}
        ),
        "level": Either((ListOf(PLAYER), ListOf(ListOf(PLAYER, least=1)))),
    },
    Match: {
        **dict.fromkeys(("number", "table", "leg"), NUMBER),
        "best_of": Whole(1, 99),
        "reason": Worded(of_a_pair=True),
        "earlier": ListOf(SAT_BEFORE),
        "absent": ListOf(PLAYER, MOST_SEATS),
    },
    Report: {
        "winner": OneOf(("", *Winner)),
        "places": ListOf(Maybe(Whole(1, MOST_SEATS)), MOST_SEATS, least=3),
        "marks": ByName(OneOf(tuple(Mark)), OneOf(tuple(map(str, range(1, MOST_SEATS + 1))))),
        "ended_by": OneOf(tuple(EndedBy)),
        "tie_break": OneOf(("", *TieBreak)),
        "games": ListOf(OneOf((*SEAT_WINNERS, Winner.DRAW)), 99),
    },
    Draw: {
        "number": NUMBER,
        "fingerprint": Digest(64, empty=True),
        "entrants": Either((ListOf(PLAYER), ListOf(Seeded()))),
        "order": ListOf(PLAYER),
    },
    DeckCheck: {"ticked": ListOf(Whole()), "points": ListOf(Text(LONGEST_KEY))},
    RoundClock: {"minutes": Whole(0, SMALL), "used": Seconds(), "ticks": Seconds()},
    LogLine: {
        "number": Whole(1),
        "action": Text(40, least=1),
        **dict.fromkeys(("before", "after", "facts", "words"), OBJECT),
        "player": Whole(1),
        "salt": Digest(32, empty=True),
        **dict.fromkeys(("closed_digest", "digest"), Digest(64, empty=True)),
    },
}
"""By model: the columns of which the field alone does not say what they hold."""


@cache
def kind_of(field: Any) -> Kind:
    """Return the validator of a column's values but null. Raises LookupError without one."""
    named = COLUMNS.get(field.model, {}).get(field.name)
    return named or _of_field(field)


def _of_field(field: Any) -> Kind:
    """Return the validator of a field by its class, the most specific class first."""
    least = 0 if field.blank else 1
    match field:
        case models.SlugField():
            return Slug(field.max_length or SMALL)
        case models.CharField() if field.choices:
            return OneOf(
                (*([""] if field.blank else []), *(key for key, _word in field.flatchoices))
            )
        case models.CharField():
            return Text(field.max_length, least)
        case models.TextField():
            return Text(least=least)
        case models.BooleanField():
            return YesNo()
        case models.PositiveSmallIntegerField():
            return Whole(0, SMALL)
        case models.PositiveIntegerField():
            return Whole()
        case models.DateTimeField():
            return Moment()
        case models.DateField():
            return Day()
    raise LookupError(f"{field}: nobody says what this column holds")


def kind_of_column(model: type[models.Model], column: str) -> Kind:
    """Return a validator for forms and serializers for the column with this name."""
    return kind_of(model._meta.get_field(column))


def limits(model: type[models.Model], column: str) -> dict[str, Any]:
    """Return the least and the largest number of a column, as fields of forms take them."""
    kind = kind_of_column(model, column)
    if not isinstance(kind, Whole):
        raise LookupError(f"{model.__name__}.{column} is no whole number")
    return {"min_value": kind.least, "max_value": kind.most}
