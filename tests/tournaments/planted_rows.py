"""Faults planted in the rows of an event, or in what the rules make of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from rules.criteria.base import TiebreakerColumn
from rules.results import void_outcome
from tests import factories as make
from tests.tournaments.verification import test_verify as faults
from tournaments.core.event_state import EventFacts, load_facts
from tournaments.models import Event, LogLine, Match, MatchSeat, Report, Round
from tournaments.models.play import build_seats
from tournaments.verification.event import verify_event
from tournaments.verification.stages import check_standings


class World:
    """A finished event of each kind; ``patch`` plants faults in code."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch
        self.by = make.organiser()

    def groups(self) -> Event:
        """Return a Mutant Chronicles event with lists, played to its end."""
        return make.played(self.by, 8, decklists="required")

    def swiss(self) -> Event:
        """Return a Swiss event of nine, three rounds."""
        options = {"rounds": 3, "cut": 0}
        return make.played(self.by, 9, formula="swiss-cut", options=options)

    def knockout(self) -> Event:
        """Return a single elimination."""
        return make.played(self.by, 8, formula="single-elimination")

    def running(self, **values: Any) -> Event:
        """Return a group that has begun, without a round."""
        return make.started(self.by, 6, **{"formula": "single-group"} | values)


Catch = Callable[[World, Event], set[str]]


def by_verify(_world: World, event: Event) -> set[str]:
    """Return what ``manage.py verify`` reports."""
    return {finding.check for finding in verify_event(Event.objects.get(pk=event.pk))}


@dataclass(frozen=True)
class Planted:
    """A fault: where, how, who catches it and under which name."""

    invariant: str
    name: str
    makes: Callable[[World], Event]
    plant: Callable[[World, Event], object]
    caught: str
    catch: Catch = by_verify

    def __str__(self) -> str:
        return f"{self.invariant}-{self.name}"


def in_rows(
    invariant: str, caught: str, *plants: Callable[[Event], object], makes: Any = World.groups
) -> Iterator[Planted]:
    """Yield faults in the rows of an event that verification catches."""
    for plant in plants:
        name = plant.__name__.replace("_", " ")
        yield Planted(
            invariant, name, makes, lambda _world, event, plant=plant: plant(event), caught
        )


# --- Faults in rows that the verification's own tests do not plant ------------------------


def lose_a_match(event: Event) -> None:
    match = faults.first_match(event)
    Match.objects.filter(pk=match.pk).update(state="open", decision=None)
    match.delete()


def open_two_rounds(event: Event) -> None:
    last = Round.objects.filter(event=event).order_by("-ordinal")[0]
    for match in Match.objects.filter(round=last):
        Match.objects.filter(pk=match.pk).update(state="open", decision=None)


def sit_twice(event: Event) -> None:
    one, other = Match.objects.filter(round__event=event, round__ordinal=1).order_by("number")[:2]
    elsewhere = make.playing(make.organiser(), 4, name="Elsewhere").rounds.get()
    MatchSeat.objects.filter(match=other, number=2).delete()
    MatchSeat(round=elsewhere, match=other, entry_id=one.seats[0], number=2).save()


def leave_before_the_pairing(event: Event) -> None:
    line = LogLine.objects.get(event=event, action="round.drafted", subject="2")
    paired = Match.objects.filter(round__event=event, round__ordinal=2)[0].players[0]
    LogLine.objects.filter(event=event, number=line.number - 1).update(
        action="entry.withdraw", after={"number": paired.number, "status": "withdrawn"}
    )


def delete_a_report(event: Event) -> None:
    match = faults.first_match(event)
    Match.objects.filter(pk=match.pk).update(decision=None, state="open", version=2)
    Report.objects.filter(match=match).update(version=2)


def send_the_loser_on(event: Event) -> None:
    semi = Match.objects.filter(round__event=event, round__number=2).order_by("number")[0]
    loser = semi.seats[1] if semi.decision.winner == "a" else semi.seats[0]
    winner = semi.seats[0] if loser == semi.seats[1] else semi.seats[1]
    final = Match.objects.filter(round__event=event, round__number=3)
    changed = {winner: loser, loser: winner}
    seats = [
        seat
        for match in final
        for seat in build_seats(match, [changed.get(key, key) for key in match.seats])
    ]
    MatchSeat.objects.filter(match__in=final).delete()
    MatchSeat.objects.bulk_create(seats)


def go_on_too_few(event: Event) -> None:
    stage = event.stages.order_by("number")[0]
    stage.places = dict(list(stage.places.items())[:-1])
    stage.save()


# --- Faults in what the rules make of the rows --------------------------------------------


def spoilt(change: Callable[[Any], Any]) -> Callable[[EventFacts], None]:
    """Return what changes the first row of the first table of an event."""

    def spoil(facts: EventFacts) -> None:
        stage = facts.stages[0]
        (group, table), *rest = stage.outcome.standings.items()
        rows = (change(table.rows[0]), *table.rows[1:])
        standings = {group: replace(table, rows=rows), **dict(rest)}
        stage.__dict__["outcome"] = replace(stage.outcome, standings=standings)

    return spoil


def value(key: str) -> Callable[[Any], Any]:
    """Return what makes one value of a row one larger."""

    def one_more(row: Any) -> Any:
        more = row.values[key] + 1
        wrong = TiebreakerColumn([row.player], [more.numerator], more.denominator)
        return row._replace(columns={**row.columns, key: wrong})

    return one_more


def by_check(spoil: Callable[[EventFacts], None]) -> tuple[Any, Catch]:
    """Return a plant and a catch: the checks of standings on facts that were spoilt."""
    planted: list[bool] = []

    def catch(_world: World, event: Event) -> set[str]:
        facts = load_facts(Event.objects.get(pk=event.pk))
        if planted:
            spoil(facts)
        return {finding.check for finding in check_standings(facts)}

    return lambda _world, _event: planted.append(True), catch


def in_tables(
    invariant: str, caught: str, **spoils: Callable[[EventFacts], None]
) -> Iterator[Planted]:
    """Yield faults in the standings."""
    for name, spoil in spoils.items():
        plant, catch = by_check(spoil)
        yield Planted(invariant, name.replace("_", " "), World.groups, plant, caught, catch)


def lose_a_result(facts: EventFacts) -> None:
    stage = facts.stages[0]
    first, *others = stage.state.rounds
    pairing, result = first[0]
    state = replace(
        stage.state,
        rounds=(((pairing, replace(result, outcome=void_outcome(2))), *first[1:]), *others),
    )
    object.__setattr__(stage, "state", state)


def turn_the_table(facts: EventFacts) -> None:
    stage = facts.stages[0]
    (group, table), *rest = stage.outcome.standings.items()
    backwards = replace(table, rows=table.rows[::-1])
    stage.__dict__["outcome"] = replace(stage.outcome, standings={group: backwards, **dict(rest)})
