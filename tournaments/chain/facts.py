"""What counts of an event as plain data, by natural places: no key of a row, no account.

Places are "event", "apart", "penalties", "entry/7", "stage/2", "round/5", "round/5/match/3" and
"draw/1". What lies below a place goes when it goes.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any

from django.db.models import Q

from tournaments.archive.slugs import archived_slugs
from tournaments.chain.columns import CLOSED, OPEN
from tournaments.models import (
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
class Told:
    """What a line tells: open rows and closed words by place, and which places are gone."""

    rows: dict[str, Row] = field(default_factory=dict)
    words: dict[str, Row] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)

    def add(self, place: str, row: Row, words: Row) -> None:
        """Tell one place."""
        self.rows[place] = row
        kept = {key: value for key, value in words.items() if value not in ("", None, [], {})}
        if kept:
            self.words[place] = kept

    def absent(self, places: Iterable[str]) -> None:
        """Tell that those of these places that were not found are not there any more."""
        self.gone += sorted(place for place in set(places) if place not in self.rows)


def plain(value: Any) -> Any:
    """Return a value as the chain carries it: moments in UTC with microseconds."""
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    return value.isoformat() if isinstance(value, date) else value


def everything(event: Event) -> Told:
    """Return all that counts of an event; some twelve queries."""
    told, own = Told(), Q(event=event.pk)
    read_event(told, event.pk)
    read_apart(told, event.pk)
    read_entries(told, own)
    read_penalties(told, event.pk)
    read_stages(told, own)
    read_rounds(told, own)
    read_matches(told, Q(round__event=event.pk))
    read_draws(told, own)
    return told


def read_event(told: Told, event: int) -> None:
    """Tell the settings of an event; one query, one more for a house format or saved formula."""
    for values in Event.objects.filter(pk=event).values(*OPEN["Event"], *CLOSED["Event"]):
        slugs = archived_slugs(values["format"], values["formula"])
        named = {name: slugs.get(values[name], values[name]) for name in ("format", "formula")}
        values |= named
        told.add("event", _part(values, OPEN["Event"]), _part(values, CLOSED["Event"]))


def read_apart(told: Told, event: int) -> None:
    """Tell whom Swiss rounds keep apart; one query."""
    pairs = KeptApart.objects.filter(event=event).values_list("a__number", "b__number")
    told.add("apart", {}, {"pairs": sorted(list(pair) for pair in pairs)})


def read_entries(told: Told, which: Q) -> None:
    """Tell players; one query."""
    deck = "submission__decklist__fingerprint"
    closed = [name for name in CLOSED["Entry"] if name != "submission"]
    for values in Entry.objects.filter(which).values(*OPEN["Entry"], *closed, deck):
        words = _part(values, closed) | {"list": values[deck]}
        told.add(f"entry/{values['number']}", _part(values, OPEN["Entry"]), words)


def read_penalties(told: Told, event: int) -> None:
    """Tell the penalties of an event in their order, all of them closed; one query."""
    columns = [name for name in CLOSED["Penalty"] if name != "entry"]
    rows = Penalty.objects.filter(event=event).order_by("pk").values(*columns, "entry__number")
    given = [_part(values, columns) | {"player": values["entry__number"]} for values in rows]
    told.add("penalties", {}, {"given": given})


def read_stages(told: Told, which: Q) -> None:
    """Tell stages with their groups and who sits there; three queries."""
    stages = list(Stage.objects.filter(which).values("pk", *OPEN["Stage"]))
    keys = [values["pk"] for values in stages]
    seats: dict[int, list[Row]] = defaultdict(list)
    rows = Seat.objects.filter(stage__in=keys).order_by("number", "pk")
    for values in rows.values("group_id", "number", "entry__number", "struck_at"):
        seat = {"number": values["number"], "player": values["entry__number"]}
        struck = {"struck_at": plain(values["struck_at"])} if values["struck_at"] else {}
        seats[values["group_id"]].append(seat | struck)
    groups: dict[int, list[Row]] = defaultdict(list)
    named = Group.objects.filter(stage__in=keys).order_by("number", "pk")
    for key, stage, number, name in named.values_list("pk", "stage_id", "number", "name"):
        groups[stage].append({"number": number, "name": name, "seats": seats[key]})
    for values in stages:
        row = _part(values, OPEN["Stage"]) | {"groups": groups[values["pk"]]}
        told.add(f"stage/{values['number']}", row, {})


def read_rounds(told: Told, which: Q) -> None:
    """Tell rounds without their matches; one query."""
    columns = [name for name in OPEN["Round"] if name != "stage"]
    for values in Round.objects.filter(which).values(*columns, "stage__number", "apart"):
        row = _part(values, columns) | {"stage": values["stage__number"]}
        told.add(f"round/{values['ordinal']}", row, {"apart": values["apart"]})


def read_matches(told: Told, which: Q) -> set[int]:
    """Tell matches with their seats and reports, and return their keys; three queries.

    What a draft would play is closed: thrown away, it was never public.
    """
    sides = {"group__number": "group", "a__number": "a", "b__number": "b"}
    columns = [name for name in OPEN["Match"] if name not in (*sides.values(), "decision")]
    others = ("pk", "round__ordinal", "round__state", "reason", "decision_id")
    matches = list(Match.objects.filter(which).order_by().values(*columns, *sides, *others))
    keys = {values["pk"] for values in matches}
    here = Q(match__in=keys) if len(keys) < MOST_KEYS else _through(which)
    seats: dict[int, list[Any]] = defaultdict(list)
    pairs = MatchSeat.objects.filter(here).order_by().values_list("match_id", "entry__number")
    for key, number in sorted(pairs):
        seats[key].append(number)
    reports: dict[int, list[Row]] = defaultdict(list)
    told_by: dict[int, list[Row]] = defaultdict(list)
    versions: dict[int, int] = {}
    extra = ("pk", "match_id", "note", "by_entry__number")
    found = Report.objects.filter(here).order_by().values(*OPEN["Report"], *extra)
    for values in sorted(found, key=lambda each: (each["version"], each["pk"])):
        versions[values["pk"]] = values["version"]
        reports[values["match_id"]].append(_part(values, OPEN["Report"]))
        own = {"note": values["note"], "player": values["by_entry__number"]}
        told_by[values["match_id"]].append({key: value for key, value in own.items() if value})
    for values in matches:
        key = values["pk"]
        row = _part(values, columns) | {name: values[path] for path, name in sides.items()}
        row |= {"decision": versions.get(values["decision_id"] or 0)}
        row |= {"seats": seats[key], "reports": reports[key]}
        words = {"reason": values["reason"], "told": told_by[key] if any(told_by[key]) else []}
        if values["round__state"] == Round.State.DRAFT:
            row, words = {}, words | {"draft": row}
        told.add(f"round/{values['round__ordinal']}/match/{values['number']}", row, words)
    return keys


def read_draws(told: Told, which: Q) -> None:
    """Tell draws; the seed of one to come is closed; one query."""
    columns = [name for name in OPEN["Draw"] if name != "stage"]
    for values in Draw.objects.filter(which).values(*columns, *CLOSED["Draw"], "stage__number"):
        row = _part(values, columns) | {"stage": values["stage__number"]}
        words = _part(values, CLOSED["Draw"])
        if values["state"] != Draw.State.DRAWN:
            words |= {"seed": row.pop("seed")}
        told.add(f"draw/{values['number']}", row, words)


MOST_KEYS = 500
"""More rows than this are asked for by what they belong to, not by their keys."""


def _through(which: Q) -> Q:
    """Return a condition on matches as one on rows that name a match."""
    return Q(*(_by_match(child) for child in which.children), _connector=which.connector)


def _by_match(child: Any) -> Any:
    if isinstance(child, Q):
        return _through(child)
    name, value = child
    return (f"match__{name}", value)


def _part(values: Row, columns: Collection[str]) -> Row:
    return {name: plain(values[name]) for name in columns}


def below(place: str, places: Iterable[str]) -> Iterator[str]:
    """Yield a place and those that lie below it."""
    for each in places:
        if each == place or each.startswith(f"{place}/"):
            yield each
