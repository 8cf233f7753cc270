"""Acts on stages, rounds, results and clocks."""

from typing import Any

from rules.events.clock import ClockAction
from rules.matches.match_rules import Claim
from rules.results import SeatMark
from tests import factories as make
from tests.scenes.base import GROUP, SCENES, SWISS, first_match, going, scene
from tournaments.clock import services as clock
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.drafts import services as drafts
from tournaments.drafts.services import ChangeRequest
from tournaments.lots import services as drawing
from tournaments.models import Event
from tournaments.plan_changes.services import change_plan
from tournaments.results.services import results
from tournaments.results.services.results import mark_absent
from tournaments.rounds import services as rounds
from tournaments.stages import services as stages


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
        drawing.draw_tied_order(event=event, tied=needed[0], seed="s", by=by)
    stages.close_stage(event=event, expected_stage=1, by=by)
    return event


@scene("stage.taken_back")
def _(by):
    event = second(by)
    return event, lambda: stages.reopen_previous_stage(event=event, expected_stage=2, by=by)


@scene("event.plan")
def _(by):
    event = make.halfway(by, 8, formula="swiss-cut", options={"rounds": 3, "cut": 4})
    return event, lambda: change_plan(event=event, change={"rounds": 2, "cut": 0}, by=by)


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
    return event, lambda: rounds.delete_last_round(event=event, ordinal=1, by=by)


@scene("round.changed")
def _(by):
    event, act = SCENES["round.drafted"](by)
    item = act()
    one, other = item.matches.filter(match_seats__number=2).order_by("table")[:2]
    swap = ChangeRequest(action="swap", players=(one.players[0].number, other.players[0].number))
    drafts.change_draft(event=event, ordinal=1, asked=swap, by=by)
    tables = ChangeRequest(action="table", matches=_at_tables(item, 1, 2))
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
    return event, lambda: rounds.discard_round(event=event, ordinal=1, confirm=name, by=by)


@scene("result.entered")
def _(by):
    event = going(by)
    match = first_match(event)
    return event, lambda: results.decide_result(
        match=match, version=0, claim=Claim(score=(40, 3)), by=by
    )


@scene("result.absent")
def _(by):
    event = make.playing(by, 4, **make.TABLES)
    match = event.rounds.get().matches.select_related("round__event").get()
    claim = Claim(marks=((3, SeatMark.ABSENT),), by_staff=True)
    return event, lambda: mark_absent(match=match, version=0, claim=claim, by=by)


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
