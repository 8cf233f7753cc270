"""Each invariant of an event, what holds it, and a planted fault that it must catch.

Safety notes, invariants I01 to I22. Most are checks of ``manage.py verify``: the fault is planted
in the rows, or in what the rules make of them. The others are promises of services and pages: the
fault is planted in those. An invariant without a fault that it catches fails.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from rules.criteria.base import Column
from rules.results import Winner
from tests import factories as make
from tests.lives.event import standing
from tests.tournaments.verification import test_verify as faults
from tournaments.api import idempotency
from tournaments.archive import reader as back
from tournaments.archive.writer import archive
from tournaments.core import visibility
from tournaments.core.event_state import EventFacts, load_facts
from tournaments.models import Entry, Event, LogLine, Match, Report, Round
from tournaments.players.services import departures
from tournaments.rounds import services as rounds
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event
from tournaments.verification.standings import check_standings

pytestmark = pytest.mark.django_db

INVARIANTS: Mapping[str, str] = {
    "I01": "round numbers run from 1 without gap",
    "I02": "a stored round has all its matches",
    "I03": "one round is open at most; a closed one has every result",
    "I04": "nobody meets themselves or sits twice in a round",
    "I05": "who left before the pairing is not paired",
    "I06": "one decision counts; versions increase; nothing is deleted",
    "I07": "each pair meets once a leg; Swiss: no rematch, no second bye while it can be avoided",
    "I08": "every decided match is in the standings once",
    "I09": "standings depend on decisions, not on the order in which they came",
    "I10": "points handed out are those of the results",
    "I11": "what one makes the other concedes",
    "I12": "the order is total, each step has its reason, draws follow from their seed",
    "I13": "in a finished group opponents have all points but one's own",
    "I14": "as many go on as the plan says, nobody twice, all from the stage before",
    "I15": "the winner of a match plays where the bracket says so",
    "I16": "a best of three ends when it is decided; a final has a winner",
    "I17": "a list that counts was there before the lock and never changes",
    "I18": "nobody sees what the table of sight keeps from them",
    "I19": "each accepted act leaves its line in the log",
    "I20": "what is taken back is as it was before",
    "I21": "the same key has one effect",
    "I22": "out, in and out again is the same",
}
NOT_HELD: Mapping[str, str] = {}
"""Invariants that nothing holds yet, with the reason."""


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
    Match.objects.filter(pk=other.pk).update(b_id=one.a_id)


def leave_before_the_pairing(event: Event) -> None:
    line = LogLine.objects.get(event=event, action="round.drafted", subject="2")
    paired = Match.objects.filter(round__event=event, round__ordinal=2)[0].a
    LogLine.objects.filter(event=event, number=line.number - 1).update(
        action="entry.withdraw", after={"number": paired.number, "status": "withdrawn"}
    )


def delete_a_report(event: Event) -> None:
    match = faults.first_match(event)
    Match.objects.filter(pk=match.pk).update(decision=None, state="open", version=2)
    Report.objects.filter(match=match).update(version=2)


def send_the_loser_on(event: Event) -> None:
    semi = Match.objects.filter(round__event=event, round__number=2).order_by("number")[0]
    loser = semi.b_id if semi.decision.winner == "a" else semi.a_id
    winner = semi.a_id if loser == semi.b_id else semi.b_id
    final = Match.objects.filter(round__event=event, round__number=3)
    for match in final:
        changed = {winner: loser, loser: winner}
        ids = [changed.get(key, key) for key in (match.a_id, match.b_id)]
        Match.objects.filter(pk=match.pk).update(a_id=ids[0], b_id=ids[1])


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
        wrong = Column([row.player], [more.numerator], more.denominator)
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
        stage.state, rounds=(((pairing, replace(result, winner=Winner.VOID)), *first[1:]), *others)
    )
    object.__setattr__(stage, "state", state)


def turn_the_table(facts: EventFacts) -> None:
    stage = facts.stages[0]
    (group, table), *rest = stage.outcome.standings.items()
    backwards = replace(table, rows=table.rows[::-1])
    stage.__dict__["outcome"] = replace(stage.outcome, standings={group: backwards, **dict(rest)})


# --- Promises of services and pages -------------------------------------------------------


def by_order(world: World, event: Event) -> set[str]:
    """Enter the same results of a round in two orders: the tables must be equal."""
    tables = []
    for backwards in (False, True):
        other = world.running(name=f"Ordine {backwards}")
        item = make.next_round(other, world.by)
        matches: Sequence[Match] = list(item.matches.order_by("number"))
        for match in reversed(matches) if backwards else matches:
            make.results.decide_result(
                match=match, version=0, claim=make.a_wins(match, match.number), by=world.by
            )
        stage = load_facts(other).stages[0]
        (table,) = stage.outcome.standings.values()
        tables.append([(row.rank, row.player, dict(row.values)) for row in table.rows])
    return set() if tables[0] == tables[1] else {"order"}


def look_at_the_clock(world: World, _event: Event) -> None:
    """Let the last result that was entered decide who stands first."""
    usual = make.results.add_outcome

    def later_counts_more(match: Match, kind: str, outcome: Any, **more: Any) -> Report:
        count = Report.objects.filter(match__round__event=match.round.event).count()
        score = (outcome.score[0] + count, outcome.score[1])
        return usual(match, kind, replace(outcome, score=score), **more)

    world.patch.setattr(make.results, "add_outcome", later_counts_more)


def by_looking(_world: World, event: Event) -> set[str]:
    """Ask as nobody for somebody's list."""
    answer = Client().get(reverse("tournaments:decklist", args=[event.slug, 1]))
    return {"sight"} if answer.status_code == 200 else set()


def let_everybody_see(world: World, _event: Event) -> None:
    world.patch.setattr(visibility, "can_see_decks", lambda _actor, _event: True)


def by_the_log(world: World, event: Event) -> set[str]:
    """Draft a round: a change must have raised the version."""
    before, version = standing(event), Event.objects.get(pk=event.pk).version
    item = make.next_round(event, world.by)
    changed = standing(event) != before
    lines = Event.objects.get(pk=event.pk).version - version
    make.play_round(item, world.by)
    return {"log"} if changed and not lines else set()


def forget_the_line(world: World, _event: Event) -> None:
    world.patch.setattr(rounds, "record", lambda *_args, **_more: None)


def by_undoing(world: World, event: Event) -> set[str]:
    """Withdraw somebody and take it back."""
    before = standing(event)
    departures.withdraw(entry=event.entries.get(number=1), by=world.by)
    last = LogLine.objects.filter(event=event).order_by("number").last()
    assert last is not None
    undo.undo(event=event, expected=last.number, by=world.by)
    return set() if standing(event) == before else {"undo"}


def undo_nothing(world: World, _event: Event) -> None:
    world.patch.setattr(undo, "restore_rows", lambda *_args, **_more: None)


def by_sending_twice(world: World, event: Event) -> set[str]:
    """Send one POST twice with one key."""
    client = Client()
    client.force_login(world.by.user)
    for _time in range(2):
        client.post(
            f"/api/v1/events/{event.slug}/players/",
            {"name": "Nuova"},
            content_type="application/json",
            headers={"Idempotency-Key": "una-volta"},
        )
    found = Entry.objects.filter(event=event, name="Nuova")
    effects = found.count()
    found.delete()
    return {"twice"} if effects > 1 else set()


def forget_the_key(world: World, _event: Event) -> None:
    world.patch.setattr(idempotency, "_answer", lambda act, _request, _key: act())


def by_the_archive(_world: World, event: Event) -> set[str]:
    """Take the event out and in under another slug; both must hold the same."""
    event = Event.objects.get(slug=event.slug)
    first = archive(event)
    event.delete()
    return set() if archive(back.restore(first)) == first else {"archive"}


def change_while_reading(world: World, _event: Event) -> None:
    usual = back.read

    def read(content: bytes) -> dict[str, Any]:
        document = usual(content)
        document["tables"]["entries"][0]["club"] = "Altrove"
        return document

    world.patch.setattr(back, "read", read)


PLANTED: tuple[Planted, ...] = (
    *in_rows("I01", "round_numbers", faults.skip_a_round),
    *in_rows("I02", "pairings", lose_a_match),
    *in_rows("I02", "seats_of_match", faults.lose_a_seat),
    *in_rows("I03", "results_missing", faults.open_a_match, open_two_rounds),
    *in_rows("I04", "seats_of_match", sit_twice),
    *in_rows("I05", "paired_away", leave_before_the_pairing, makes=World.swiss),
    *in_rows("I06", "reports", faults.lose_a_report, delete_a_report),
    *in_rows("I07", "meetings", faults.meet_again),
    *in_rows("I07", "pairings", faults.rematch, faults.second_bye, makes=World.swiss),
    *in_tables("I08", "standings", a_result_is_lost=lose_a_result),
    *in_tables("I08", "standings", counted_twice=spoilt(lambda row: row._replace(played=99))),
    Planted("I09", "the clock decides", World.running, look_at_the_clock, "order", by_order),
    *in_tables("I10", "standings", a_point_too_many=spoilt(value("points"))),
    *in_tables("I11", "standings", a_score_too_large=spoilt(value("score_for"))),
    *in_tables("I11", "standings", a_wrong_difference=spoilt(value("score_difference"))),
    *in_tables("I12", "order", upside_down=turn_the_table),
    *in_rows("I12", "draw", faults.change_an_order),
    *in_rows("I12", "fingerprint", faults.change_a_seed),
    *in_tables("I13", "opponents", opponents_too_strong=spoilt(value("opponents_points"))),
    *in_rows("I14", "advancing", faults.advance_twice),
    *in_rows("I14", "places", go_on_too_few, faults.change_a_place),
    *in_rows("I14", "seats", faults.change_seats),
    *in_rows("I15", "pairings", send_the_loser_on, makes=World.knockout),
    *in_rows("I16", "impossible_result", faults.win_too_many_games, faults.draw_the_final),
    *in_rows("I17", "deck_fingerprint", faults.change_a_list),
    *in_rows("I17", "deck_legality", faults.change_a_verdict),
    *in_rows("I17", "deck_lock", faults.unlock_a_list),
    Planted("I18", "everybody sees", World.groups, let_everybody_see, "sight", by_looking),
    *in_rows("I19", "log", faults.lose_a_line),
    Planted("I19", "no line", World.running, forget_the_line, "log", by_the_log),
    Planted("I20", "undo does nothing", World.running, undo_nothing, "undo", by_undoing),
    Planted(
        "I21",
        "the key is forgotten",
        lambda world: make.open_event(world.by),
        forget_the_key,
        "twice",
        by_sending_twice,
    ),
    Planted(
        "I22", "changed on the way", World.running, change_while_reading, "archive", by_the_archive
    ),
)


def test_every_invariant_has_a_fault_that_it_catches() -> None:
    assert sorted({*(each.invariant for each in PLANTED), *NOT_HELD}) == sorted(INVARIANTS)


@pytest.mark.parametrize("planted", PLANTED, ids=str)
def test_the_fault_is_caught(planted: Planted, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(monkeypatch)
    event = planted.makes(world)
    assert planted.catch(world, event) == set()
    planted.plant(world, event)
    assert planted.caught in planted.catch(world, event)
