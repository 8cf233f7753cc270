"""Payload of log lines: state of an event's rows as plain data, without keys and accounts.

Rows are addressed by place: "event", "apart", "penalties", "entry/7", "stage/2", "round/5",
"round/5/match/3", "draw/1". Removing a place removes all places below it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Any

from django.db.models import Q, QuerySet

from rules.results import two_seats
from tournaments.core.slugs import archived_slugs
from tournaments.core.valid_columns import CLOSED, OPEN
from tournaments.models import (
    DeckSubmission,
    Draw,
    Entry,
    Event,
    Group,
    KeptApart,
    Match,
    MatchSeat,
    Penalty,
    Report,
    Round,
    Seat,
    Stage,
)

Row = dict[str, Any]


@dataclass(slots=True)
class Payload:
    """State of an event's rows for a log line; ``rows`` public, ``words`` private.

    Both are columns by place, such as "round/5/match/3"; ``gone`` are the places that were removed.
    """

    rows: dict[str, Row] = field(default_factory=dict)
    words: dict[str, Row] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)

    def add(self, place: str, row: Row, words: Row) -> None:
        """Add the state of a place; empty words are left out."""
        self.rows[place] = row
        kept = {key: value for key, value in words.items() if value not in ("", None, [], {})}
        if kept:
            self.words[place] = kept

    def absent(self, places: Iterable[str]) -> None:
        """Add as removed those of the places that have no row."""
        self.gone += sorted(place for place in set(places) if place not in self.rows)


def json_value(value: Any) -> Any:
    """Return a column's value for the JSON of the log chain.

    Datetimes in UTC with microseconds and dates become ISO 8601 texts.
    """
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    return value.isoformat() if isinstance(value, date) else value


def event_payload(event: Event) -> Payload:
    """Return the payload of the whole event.

    Thirteen queries, up to two more for slugs.
    """
    payload, own = Payload(), Q(event=event.pk)
    add_event_settings(payload, event.pk)
    add_avoided_pairs(payload, event.pk)
    add_entries(payload, own)
    add_penalties(payload, event.pk)
    add_stages(payload, own)
    add_rounds(payload, own)
    add_matches(payload, Q(round__event=event.pk))
    add_draws(payload, own)
    return payload


def add_event_settings(payload: Payload, event_id: int) -> None:
    """Add an event's settings to a payload.

    One query, one more for a house format or saved formula.
    """
    for values in Event.objects.filter(pk=event_id).values(*EVENT_COLUMNS):
        slugs = archived_slugs(values["format"], values["formula"])
        named = {name: slugs.get(values[name], values[name]) for name in ("format", "formula")}
        values |= named
        row = _columns_part(values, OPEN["Event"])
        if row["table_points"] is None:  # of the usual points nothing is told, as ever
            del row["table_points"]
        payload.add("event", row, _columns_part(values, CLOSED["Event"]))


EVENT_COLUMNS = (*OPEN["Event"], *CLOSED["Event"])


def add_avoided_pairs(payload: Payload, event_id: int) -> None:
    """Add the pairs of players that Swiss rounds avoid to a payload; one query."""
    pairs = KeptApart.objects.filter(event=event_id).numbers()
    payload.add("apart", {}, {"pairs": sorted(list(pair) for pair in pairs)})


def add_entries(payload: Payload, which: Q) -> None:
    """Add the players matching a condition to a payload.

    which: condition on entries. One query, two with decklists.
    """
    deck, made = "submission__decklist__fingerprint", "event__created_at"
    closed = [name for name in CLOSED["Entry"] if name != "submission"]
    columns = (*OPEN["Entry"], *closed, deck, made, "user_id", "pk")
    entries = list(Entry.objects.filter(which).values(*columns))
    with_lists = [values["pk"] for values in entries if values[deck]]
    handed = _handed_in(with_lists) if with_lists else {}
    for values in entries:
        words = _columns_part(values, closed) | {
            "list": values[deck],
            "lists": handed.get(values["pk"]),
        }
        words["account"] = account_digest(values[made], values["number"], values["user_id"])
        payload.add(f"entry/{values['number']}", _columns_part(values, OPEN["Entry"]), words)


def _handed_in(keys: Collection[int]) -> dict[int, list[list[str]]]:
    """Return by key of a player when each list was handed in, and its fingerprint; one query."""
    found: dict[int, list[list[str]]] = defaultdict(list)
    handed = DeckSubmission.objects.filter(entry__in=keys).order_by("pk")
    rows = handed.values_list("entry_id", "submitted_at", "decklist__fingerprint")
    for key, moment, fingerprint in rows:
        found[key].append([json_value(moment), fingerprint])
    return found


def account_digest(made: datetime, number: int, user: int | None) -> str:
    """Return a digest that identifies a player's account only within the event.

    made: when the event was created. number: the player's. user: primary key of the account, None
    for none: "".
    """
    salt = f"{json_value(made)}:{number}"
    return "" if user is None else sha256(f"{salt}:{user}".encode()).hexdigest()


def add_penalties(payload: Payload, event_id: int) -> None:
    """Add the penalties of an event to a payload, as private values; one query."""
    columns = [name for name in CLOSED["Penalty"] if name != "entry"]
    rows = Penalty.objects.filter(event=event_id).order_by("pk").values(*columns, "entry__number")
    given = [
        _columns_part(values, columns) | {"player": values["entry__number"]} for values in rows
    ]
    payload.add("penalties", {}, {"given": given})


def add_stages(payload: Payload, which: Q) -> None:
    """Add stages matching a condition, with groups and seats, to a payload.

    Three queries.
    """
    stages = list(Stage.objects.filter(which).values("pk", *OPEN["Stage"]))
    keys = [values["pk"] for values in stages]
    seats: dict[int, list[Row]] = defaultdict(list)
    rows = Seat.objects.filter(stage__in=keys).order_by("number", "pk")
    for values in rows.values("group_id", "number", "entry__number", "struck_at"):
        seat = {"number": values["number"], "player": values["entry__number"]}
        struck = {"struck_at": json_value(values["struck_at"])} if values["struck_at"] else {}
        seats[values["group_id"]].append(seat | struck)
    groups: dict[int, list[Row]] = defaultdict(list)
    named = Group.objects.filter(stage__in=keys).order_by("number", "pk")
    for key, stage, number, name in named.values_list("pk", "stage_id", "number", "name"):
        groups[stage].append({"number": number, "name": name, "seats": seats[key]})
    for values in stages:
        row = _columns_part(values, OPEN["Stage"]) | {"groups": groups[values["pk"]]}
        payload.add(f"stage/{values['number']}", row, {})


def add_rounds(payload: Payload, which: Q) -> None:
    """Add rounds matching a condition, without matches, to a payload; one query."""
    columns = [name for name in OPEN["Round"] if name != "stage"]
    rows = Round.objects.filter(which).values(*columns, *CLOSED["Round"], "stage__number")
    for values in rows:
        row = _columns_part(values, columns) | {"stage": values["stage__number"]}
        if row["cost"] is None:  # only rounds of tables have one
            del row["cost"]
        payload.add(f"round/{values['ordinal']}", row, _columns_part(values, CLOSED["Round"]))


def add_matches(payload: Payload, which: Q) -> set[int]:
    """Add matches with seats and reports to a payload; return their primary keys.

    which: condition on matches. Matches of one or two players have ``a`` and ``b`` too, as in older
    lines. Matches of a draft are private, as a discarded draft was never public. Three queries.
    """
    matches = _rows_as_dicts(_matches().filter(which), MATCH)
    keys = {values["pk"] for values in matches}
    here = Q(match__in=keys) if len(keys) < MOST_KEYS else _through_match(which)
    _add_matches(payload, matches, _seats().filter(here), _reports().filter(here))
    return keys


def _add_matches(
    payload: Payload,
    matches: Iterable[Row],
    pairs: Iterable[Sequence[Any]],
    rows: Iterable[Sequence[Any]],
) -> None:
    seats: dict[int, list[Any]] = defaultdict(list)
    for key, _number, player in sorted(map(tuple, pairs)):
        seats[key].append(player)
    reports: dict[int, list[Row]] = defaultdict(list)
    told_by: dict[int, list[Row]] = defaultdict(list)
    versions: dict[int, int] = {}
    for values in sorted(
        _rows_as_dicts(rows, REPORT), key=lambda each: (each["version"], each["pk"])
    ):
        versions[values["pk"]] = values["version"]
        told = _columns_part(values, OPEN["Report"])
        for name in OF_TABLES:  # of two there is neither
            if told[name] is None:
                del told[name]
        reports[values["match_id"]].append(told)
        own = _columns_part(values, NOTES) | {"player": values["by_entry__number"]}
        told_by[values["match_id"]].append({key: value for key, value in own.items() if value})
    for values in matches:
        key = values["pk"]
        a, b = two_seats(seats[key], None) if len(seats[key]) < 3 else (None, None)
        row = _columns_part(values, OWN) | {"group": values["group__number"], "a": a, "b": b}
        row |= {"decision": versions.get(values["decision_id"] or 0)}
        row |= {"seats": seats[key], "reports": reports[key]}
        for name in ("earlier", "absent"):  # most matches keep their players, and all come
            if not row[name]:
                del row[name]
        words = _columns_part(values, CLOSED["Match"])
        words |= {"told": told_by[key] if any(told_by[key]) else []}
        if values["round__state"] == Round.State.DRAFT:
            row, words = {}, words | {"draft": row}
        payload.add(f"round/{values['round__ordinal']}/match/{values['number']}", row, words)


OWN = tuple(name for name in OPEN["Match"] if name not in ("group", "decision"))
MATCH = (
    *OWN,
    "group__number",
    *CLOSED["Match"],
    "pk",
    "round__ordinal",
    "round__state",
    "decision_id",
)
NOTES = tuple(name for name in CLOSED["Report"] if name != "by_entry")
OF_TABLES = ("places", "marks")
REPORT = (*OPEN["Report"], *NOTES, "pk", "match_id", "by_entry__number")


def _rows_as_dicts(rows: Iterable[Sequence[Any]], names: Sequence[str]) -> list[Row]:
    return [dict(zip(names, row, strict=True)) for row in rows]


def _matches() -> QuerySet[Match, tuple[Any, ...]]:
    return Match.objects.order_by().values_list(*MATCH)


def _seats() -> QuerySet[MatchSeat, tuple[Any, ...]]:
    return MatchSeat.objects.order_by().values_list("match_id", "number", "entry__number")


def _reports() -> QuerySet[Report, tuple[Any, ...]]:
    return Report.objects.order_by().values_list(*REPORT)


def add_draws(payload: Payload, which: Q) -> None:
    """Add random draws matching a condition to a payload; one query.

    A seed is private until its draw is made.
    """
    columns = [name for name in OPEN["Draw"] if name != "stage"]
    for values in Draw.objects.filter(which).values(*columns, *CLOSED["Draw"], "stage__number"):
        row = _columns_part(values, columns) | {"stage": values["stage__number"]}
        words = _columns_part(values, CLOSED["Draw"])
        if values["state"] != Draw.State.DRAWN:
            words |= {"seed": row.pop("seed")}
        payload.add(f"draw/{values['number']}", row, words)


MOST_KEYS = 500
"""From this many matches on, related rows are selected by a join instead of a list of keys."""


def _through_match(which: Q) -> Q:
    """Return a condition on matches as a condition on rows with a foreign key ``match``."""
    return Q(*(_by_match(child) for child in which.children), _connector=which.connector)


def _by_match(child: Any) -> Any:
    if isinstance(child, Q):
        return _through_match(child)
    name, value = child
    return (f"match__{name}", value)


def _columns_part(values: Row, columns: Collection[str]) -> Row:
    return {name: json_value(values[name]) for name in columns}
