"""Every kind of act: done, taken back, done again, taken back again.

Safety notes, I19 and I20. What was there before is there again, also keys, moments and the
waiting list; reports, versions of matches and the log only grow.
"""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from rules.clock import ClockAction
from rules.errors import RuleError
from rules.matches import Claim
from tests import factories as make
from tournaments.archive.out import archive
from tournaments.models import Event, LogLine, Match, StaffRole
from tournaments.permissions import Actor
from tournaments.selectors.facts import load_facts
from tournaments.selectors.log_words import WORDS
from tournaments.selectors.undo import (
    INVERTED,
    KEPT,
    REDONE,
    WHY_NOT,
    last_act,
    undone_act,
)
from tournaments.services import (
    announcements,
    apart,
    clock,
    deck_locks,
    departures,
    discards,
    drafts,
    entries,
    events,
    extensions,
    late_entries,
    notes,
    penalties,
    published_lists,
    results,
    rounds,
    seeds,
    staff,
    stages,
    strikes,
)
from tournaments.services import draws as drawing
from tournaments.services.draft_acts import ByHand
from tournaments.services.inverses import INVERSES
from tournaments.services.undo import redo, undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db

GROUP = {"formula": "single-group", "format": "doomtrooper-original"}
SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 4, "cut": 2}}
Scene = tuple[Event, Callable[[], Any]]
SCENES: dict[str, Callable[[Actor], Scene]] = {}


def scene(action: str) -> Callable[..., Callable[[Actor], Scene]]:
    """Register what comes before an act, and the act."""

    def keep(function: Callable[[Actor], Scene]) -> Callable[[Actor], Scene]:
        SCENES[action] = function
        return function

    return keep


def entry(event: Event, number: int) -> Any:
    return event.entries.get(number=number)


def first_match(event: Event) -> Match:
    found = Match.objects.filter(round__event=event, b__isnull=False)
    return found.select_related("round__event").order_by("pk")[0]


def full(by: Actor) -> Event:
    """Return an event with open registration, four places, and two who wait."""
    event = make.open_event(by, capacity=4, **GROUP)
    make.players(event, 6, by)
    return event


def going(by: Actor, how_many: int = 6, **values: Any) -> Event:
    """Return an event with a round being played."""
    event = make.started(by, how_many, **GROUP | values)
    make.next_round(event, by)
    return event


@scene("event.open_registration")
def _(by):
    event = make.event(by)
    return event, lambda: events.move_event(event=event, action="open_registration", by=by)


@scene("event.close_registration")
def _(by):
    event = make.open_event(by)
    return event, lambda: events.move_event(event=event, action="close_registration", by=by)


@scene("event.changed")
def _(by):
    event = full(by)
    return event, lambda: events.change_event(event=event, changes={"capacity": 5}, by=by)


@scene("event.start")
def _(by):
    event = make.open_event(by, **GROUP)
    make.players(event, 4, by)
    draw = drawing.draw_start_order(event=event, seed="s", by=by)
    return event, lambda: stages.start_event(event=event, draw_number=draw.number, by=by)


def over(by: Actor) -> Event:
    event = make.started(by, 3, **GROUP)
    make.play_stage(event, by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    return event


@scene("event.finish")
def _(by):
    event = over(by)
    return event, lambda: events.move_event(event=event, action="finish", by=by)


@scene("event.reopen")
def _(by):
    event = over(by)
    events.move_event(event=event, action="finish", by=by)
    return event, lambda: events.move_event(event=event, action="reopen", by=by)


@scene("entry.added")
def _(by):
    event = full(by)
    return event, lambda: entries.add_entry(event=event, name="Zita", club="C", seed=2, by=by)


@scene("entry.pasted")
def _(by):
    event = make.open_event(by, capacity=4, **GROUP)
    return event, lambda: make.players(event, 6, by)


@scene("entry.registered")
def _(by):
    event = make.open_event(by)
    return event, lambda: entries.register(event=event, name="Zita", user=None, by=Actor())


@scene("entry.changed")
def _(by):
    event = full(by)
    changes = {"name": "Altra", "club": "Club", "fixed_table": 3, "seed": 1}
    return event, lambda: entries.change_entry(entry=entry(event, 2), changes=changes, by=by)


@scene("entry.seeds")
def _(by):
    event = full(by)
    seeds.change_seeds(event=event, seeds={1: "1", 2: "2"}, by=by)
    swapped = {1: "2", 2: "1", 3: "3"}
    return event, lambda: seeds.change_seeds(event=event, seeds=swapped, by=by)


@scene("entry.removed")
def _(by):
    event = full(by)
    return event, lambda: entries.remove_entry(entry=entry(event, 2), by=by)


@scene("entry.check_in")
def _(by):
    event = full(by)
    return event, lambda: entries.check_in(entry=entry(event, 1), by=by)


@scene("entry.undo_check_in")
def _(by):
    event = full(by)
    entries.check_in(entry=entry(event, 1), by=by)
    return event, lambda: entries.check_in(entry=entry(event, 1), action="undo_check_in", by=by)


@scene("entry.added_late")
def _(by):
    event = make.started(by, 8, **SWISS)
    make.play_round(make.next_round(event, by), by)
    return event, lambda: late_entries.add_late_entry(event=event, name="Zita", missed="bye", by=by)


@scene("entry.withdraw")
def _(by):
    event = full(by)
    return event, lambda: departures.withdraw(entry=entry(event, 1), by=by)


@scene("entry.disqualify")
def _(by):
    event = going(by)
    player = first_match(event).a
    return event, lambda: departures.disqualify(entry=player, reason="Barava", by=by)


@scene("entry.re_enter")
def _(by):
    event = make.started(by, 8, **SWISS)
    make.play_round(make.next_round(event, by), by)
    departures.withdraw(entry=entry(event, 3), by=by)
    make.play_round(make.next_round(event, by), by)
    return event, lambda: departures.come_back(entry=entry(event, 3), by=by)


@scene("entry.reinstate")
def _(by):
    event = going(by)
    departures.disqualify(entry=entry(event, 3), reason="Barava", by=by)
    return event, lambda: departures.come_back(entry=entry(event, 3), by=by)


@scene("entry.struck")
def _(by):
    event = going(by)
    make.play_round(event.rounds.get(), by)
    departures.withdraw(entry=entry(event, 3), by=by)
    return event, lambda: strikes.strike(entry=entry(event, 3), reason="Voto", by=by)


@scene("entry.strike_lifted")
def _(by):
    event, act = SCENES["entry.struck"](by)
    act()
    return event, lambda: strikes.lift_strike(entry=entry(event, 3), reason="Voto", by=by)


@scene("apart.kept")
def _(by):
    event = full(by)
    return event, lambda: apart.keep_apart(event=event, numbers=(1, 2), by=by)


@scene("apart.ended")
def _(by):
    event = full(by)
    pair = apart.keep_apart(event=event, numbers=(1, 2), by=by)
    apart.keep_apart(event=event, numbers=(3, 4), by=by)
    return event, lambda: apart.let_meet(event=event, pair_id=pair.pk, by=by)


@scene("stage.closed")
def _(by):
    event = make.started(by, 3, **GROUP)
    make.play_stage(event, by)
    return event, lambda: stages.close_stage(event=event, expected_stage=1, by=by)


def second(by: Actor) -> Event:
    """Return an event whose second stage has been opened."""
    event = make.started(by, 8, **SWISS)
    make.play_stage(event, by)
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        drawing.draw_lots(event=event, tied=needed[0], seed="s", by=by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    return event


@scene("stage.taken_back")
def _(by):
    event = second(by)
    return event, lambda: stages.take_back_stage(event=event, expected_stage=2, by=by)


@scene("stage.second_leg")
def _(by):
    event = going(by)
    return event, lambda: stages.decide_second_leg(event=event, expected_stage=1, by=by)


@scene("round.drafted")
def _(by):
    event = make.started(by, 7, **SWISS)
    return event, lambda: rounds.draft_round(event=event, expected_round=1, by=by)


@scene("round.published")
def _(by):
    event, act = SCENES["round.drafted"](by)
    act()
    return event, lambda: rounds.publish_round(event=event, ordinal=1, by=by)


@scene("round.taken_back")
def _(by):
    event = make.started(by, 7, **SWISS)
    make.next_round(event, by)
    return event, lambda: rounds.undo_round(event=event, ordinal=1, by=by)


@scene("round.changed")
def _(by):
    event, act = SCENES["round.drafted"](by)
    item = act()
    one, other = item.matches.filter(b__isnull=False).order_by("table")[:2]
    swap = ByHand(action="swap", players=(one.a.number, other.a.number))
    drafts.change_draft(event=event, ordinal=1, asked=swap, by=by)
    tables = ByHand(action="table", matches=_at_tables(item, 1, 2))
    return event, lambda: drafts.change_draft(event=event, ordinal=1, asked=tables, by=by)


def _at_tables(item: Any, *tables: int) -> tuple[int, ...]:
    return tuple(item.matches.filter(table__in=tables).values_list("pk", flat=True))


@scene("round.discarded")
def _(by):
    event = make.started(by, 7, **SWISS)
    item = make.next_round(event, by)
    make.play_round(item, by)
    stage = load_facts(event).stages[0]
    name = str(stage.kind.describe_round(stage.state, 1))
    return event, lambda: discards.discard_round(event=event, ordinal=1, confirm=name, by=by)


@scene("result.entered")
def _(by):
    event = going(by)
    match = first_match(event)
    return event, lambda: results.decide_result(
        match=match, version=0, claim=Claim(score=(40, 3)), by=by
    )


@scene("result.corrected")
def _(by):
    event, act = SCENES["result.entered"](by)
    match = act()
    return event, lambda: results.correct_result(
        match=match, version=1, claim=Claim(score=(1, 40)), reason="Scambio", by=by
    )


@scene("clock.add")
def _(by):
    event = going(by)
    clock.run_clock(event=event, ordinal=1, action=ClockAction.START, by=by)
    clock.run_clock(event=event, ordinal=1, action=ClockAction.PAUSE, by=by)
    add = ClockAction.ADD
    return event, lambda: clock.run_clock(event=event, ordinal=1, action=add, minutes=5, by=by)


@scene("penalty.given")
def _(by):
    event = going(by)
    return event, lambda: penalties.give_penalty(
        entry=entry(event, 1), level="warning", infraction="Ritardo", by=by
    )


@scene("penalty.taken_back")
def _(by):
    event, act = SCENES["penalty.given"](by)
    given = act()
    return event, lambda: penalties.take_penalty_back(event=event, penalty_id=given.pk, by=by)


@scene("extension.given")
def _(by):
    event = going(by)
    match = first_match(event)
    return event, lambda: extensions.extend(match=match, minutes=5, reason="Controllo", by=by)


@scene("extension.taken_back")
def _(by):
    event, act = SCENES["extension.given"](by)
    given = act()
    return event, lambda: extensions.take_extension_back(event=event, extension_id=given.pk, by=by)


@scene("deck.opened")
def _(by):
    event = make.open_event(by, decklists=Event.Decklists.OPTIONAL)
    make.players(event, 3, by)
    until = timezone.now() + timedelta(hours=1)
    return event, lambda: deck_locks.open_list(
        entry=entry(event, 1), until=until, reason="Errore", by=by
    )


@scene("deck.closed")
def _(by):
    event = make.started(by, 3, decklists=Event.Decklists.OPTIONAL)
    until = timezone.now() + timedelta(hours=1)
    deck_locks.open_list(entry=entry(event, 1), until=until, reason="Errore", by=by)
    return event, lambda: deck_locks.close_list(entry=entry(event, 1), by=by)


def with_lists(by: Actor) -> Event:
    event = over(by)
    Event.objects.filter(pk=event.pk).update(decklists=Event.Decklists.OPTIONAL)
    return events.move_event(event=event, action="finish", by=by)


@scene("lists.published")
def _(by):
    event = with_lists(by)
    return event, lambda: published_lists.publish_lists(event=event, by=by)


@scene("lists.hidden")
def _(by):
    event = with_lists(by)
    published_lists.publish_lists(event=event, by=by)
    return event, lambda: published_lists.hide_lists(event=event, by=by)


@scene("staff.given")
def _(by):
    event, person = full(by), make.user()
    return event, lambda: staff.give_role(event=event, email=person.email, role="judge", by=by)


@scene("staff.taken")
def _(by):
    event, person = full(by), make.user()
    given = staff.give_role(event=event, email=person.email, role="judge", by=by)
    return event, lambda: staff.take_role(event=event, role_id=given.pk, by=by)


@scene("announcement.ended")
def _(by):
    event = going(by)
    made = announcements.announce(event=event, text="Pausa", minutes=10, by=by)
    return event, lambda: announcements.end_announcement(
        event=event, announcement_id=made.pk, by=by
    )


@scene("match.ruled")
def _(by):
    event = going(by)
    match = first_match(event)
    return event, lambda: notes.rule_match(match=match, text="Vale", by=by)


@scene("match.noted")
def _(by):
    event = going(by)
    match = first_match(event)
    return event, lambda: notes.note_match(match=match, text="Nervosi", by=by)


@pytest.fixture
def by() -> Actor:
    return make.organiser()


def facts(event: Event) -> dict[str, Any]:
    """Return the archive without what only grows; a match tells the result that counts."""
    tables = json.loads(archive(Event.objects.get(pk=event.pk)))["tables"]
    del tables["log"]
    tables["events"][0].pop("version")
    reports = tables.pop("reports")
    for match in tables["matches"]:
        del match["version"]
        decision = match.pop("decision")
        if decision:
            told = reports[decision - 1]
            match["result"] = [told[key] for key in ("winner", "score_a", "score_b", "ended_by")]
    for row in tables["clocks"]:
        del row["version"]
    return tables


def sound(event: Event) -> list[Any]:
    return list(verify_event(Event.objects.get(pk=event.pk)))


def lines(event: Event) -> int:
    return LogLine.objects.filter(event=event).count()


def test_every_act_has_an_inverse_its_rows_or_a_reason() -> None:
    known = [*INVERTED, *KEPT, *WHY_NOT]
    assert len(known) == len(set(known))
    assert set(known) == set(WORDS)
    assert set(INVERSES) == INVERTED
    assert set(SCENES) | {REDONE} == INVERTED | KEPT


@pytest.mark.parametrize("action", sorted(SCENES))
def test_undo_then_redo_changes_nothing(action: str, by: Actor) -> None:
    event, act = SCENES[action](by)
    before = facts(event)
    act()
    done = facts(event)
    assert done != before
    for _turn in range(2):
        event = Event.objects.get(pk=event.pk)
        offered = last_act(event)
        assert offered.what == action
        told = lines(event)
        undo(event=event, expected=offered.line.number, by=by)
        assert facts(event) == before
        assert sound(event) == []
        assert lines(event) > told
        event = Event.objects.get(pk=event.pk)
        again = undone_act(event)
        redo(event=event, expected=again.number, by=by)
        assert facts(event) == done
        assert sound(event) == []
        assert LogLine.objects.filter(event=event).last().action == REDONE


def test_acts_are_taken_back_in_order_and_done_again_in_order(by: Actor) -> None:
    event = make.started(by, 4, **GROUP)
    seen = [facts(event)]
    for ordinal in (1, 2):
        rounds.draft_round(event=event, expected_round=ordinal, by=by)
        seen.append(facts(event))
        rounds.publish_round(event=event, ordinal=ordinal, by=by)
        seen.append(facts(event))
        for match in event.rounds.get(ordinal=ordinal).matches.select_related("round__event"):
            results.decide_result(match=match, version=0, claim=Claim(score=(40, 5)), by=by)
            seen.append(facts(event))
    for earlier in reversed(seen[:-1]):
        event = Event.objects.get(pk=event.pk)
        undo(event=event, expected=last_act(event).line.number, by=by)
        assert facts(event) == earlier
    for later in seen[1:]:
        event = Event.objects.get(pk=event.pk)
        redo(event=event, expected=undone_act(event).number, by=by)
        assert facts(event) == later
    assert undone_act(event) is None
    assert sound(event) == []


def test_nothing_is_done_again_after_something_else(by: Actor) -> None:
    event = full(by)
    entries.check_in(entry=entry(event, 1), by=by)
    event = Event.objects.get(pk=event.pk)
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert undone_act(Event.objects.get(pk=event.pk)) is not None
    entries.check_in(entry=entry(event, 2), by=by)
    assert undone_act(Event.objects.get(pk=event.pk)) is None


def test_an_event_keeps_an_organiser(by: Actor) -> None:
    event, other = make.event(by), make.user()
    organiser = StaffRole.Role.ORGANISER
    staff.give_role(event=event, email=other.email, role=organiser, by=by)
    event = Event.objects.get(pk=event.pk)
    given = last_act(event).line.number
    own = event.staff.get(user=by.user)
    staff.take_role(event=event, role_id=own.pk, by=Actor(user=other))
    with pytest.raises(RuleError) as refused:
        undo(event=event, expected=given, by=Actor(user=other))
    assert refused.value.code == "last_organiser"
