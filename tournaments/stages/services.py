"""Close a stage and open the next, decide a second leg, reopen a stage; what undoes these acts."""

import secrets
from collections.abc import Mapping, Sequence

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from config import transaction
from rules.advancement.outcome import seat_players
from rules.errors import RuleError
from rules.events.lifecycle import next_state
from rules.plans import StagePlan
from rules.results import PlayerId
from rules.stages import stage_kind
from tournaments.core.acts import Act, CacheEffect, Inverse, RowUndo
from tournaments.core.event_state import (
    EventFacts,
    StageFacts,
    load_facts,
    no_withheld_standings_error,
    store_withheld_stage,
    withheld_rounds,
)
from tournaments.core.kept_places import decided_places
from tournaments.core.permissions import Actor, can_manage, can_run_rounds
from tournaments.core.visibility import (
    are_lists_open_until_close,
    check_lists_can_be_withheld,
    keep_standings_public,
    public_content,
    store_withheld_lists_stage,
)
from tournaments.judging.services import close_earlier_calls
from tournaments.log.services import begin_act, record
from tournaments.models import Event, Group, LogLine, Round, Seat, Stage
from tournaments.players.services.late_entries import record_missed_rounds_of_rejoined
from tournaments.stages.selectors import origin_groups
from tournaments.undo.services import undoable

CLOSED = Act(
    key="stage.closed",
    words=_("Stage closed"),
    may=can_run_rounds,
    state="play",
    undo=Inverse("tournaments.stages.services.undo_closing"),
    shows=CacheEffect.ADDS,
    ask_undo=_("Reopen the previous stage? This removes the seats of the current stage."),
)
SECOND_LEG_DECIDED = Act(
    key="stage.second_leg",
    words=_("Second leg decided"),
    may=can_run_rounds,
    state="play",
    undo=Inverse("tournaments.stages.services.undo_second_leg"),
    shows=CacheEffect.ADDS,
)
TAKEN_BACK = Act(
    key="stage.taken_back",
    words=_("Stage removed"),
    may=can_manage,
    state="play",
    undo=RowUndo(),
    shows=CacheEffect.TAKES_AWAY,
    ask_redo=_("Reopen the previous stage? This removes the seats of the current stage."),
)


def open_stage(
    event: Event,
    number: int,
    plan: StagePlan,
    places: Mapping[str, PlayerId],
    origins: Mapping[PlayerId, str],
) -> Stage:
    """Open a stage, seat its groups, and return it; inside a transaction.

    ``places``: {place: player}; ``origins``: {player: last group}, as some plans keep players of
    one group apart. Raises RuleError ``stage_open``.
    """
    stage = event.stages.get(number=number)
    stage.state = next_state("stage", stage.state, "open")
    stage.opened_at = timezone.now()
    stage.seed = secrets.token_hex(16) if stage_kind(plan).needs_seed else ""
    stage.save()
    seats = seat_players(plan, places, origins)
    entries: dict[PlayerId, int] = dict(event.entries.values_list("number", "pk"))
    for position, group in enumerate(plan.groups, start=1):
        row = Group.objects.create(stage=stage, number=position, name=group.name)
        Seat.objects.bulk_create(_seats(stage, row, seats[group.name], entries))
    return stage


def _seats(
    stage: Stage, group: Group, players: Sequence[PlayerId | None], entries: Mapping[PlayerId, int]
) -> list[Seat]:
    return [
        Seat(
            stage=stage,
            group=group,
            number=number,
            entry_id=None if player is None else entries[player],
        )
        for number, player in enumerate(players, start=1)
    ]


def check_expected_round(facts: EventFacts, expected: int) -> None:
    """Raise RuleError unless ``expected`` is the ordinal of the next round to draft.

    ``round_exists`` if that round was drafted already, else ``stale``.
    """
    if expected == facts.last_ordinal + 1:
        return
    made = next((item for item in facts.rounds if item.ordinal == expected), None)
    if made is None:
        raise RuleError("stale")
    raise RuleError(
        "round_exists",
        "%(who)s has already prepared round %(number)s.",
        number=expected,
        who=str(Round.objects.select_related("drafted_by").get(pk=made.pk).drafted_by or "?"),
    )


def stage_ready_for_round(facts: EventFacts) -> StageFacts:
    """Return the open stage, checking that its next round can be drafted.

    Raises RuleError ``stage_not_open``, ``round_not_published``, ``results_missing``.
    """
    current = facts.open_stage
    if current is None:
        raise RuleError("stage_not_open")
    last = current.last_round
    if last is not None and last.state == Round.State.DRAFT:
        raise RuleError(
            "round_not_published",
            "Publish the round first.",
            number=last.ordinal,
        )
    _check_results(current)
    return current


def check_stage_complete(current: StageFacts, facts: EventFacts) -> None:
    """Raise RuleError unless a stage can be closed.

    ``results_missing``, ``rounds_missing`` or ``lots_needed`` (a tie that matters).
    """
    _check_results(current)
    if not current.rounds_done:
        raise RuleError(
            "rounds_missing",
            "Rounds paired: %(made)s of %(total)s.",
            made=len(current.rounds),
            total=current.total_rounds,
        )
    if current.outcome.lots_needed:
        raise RuleError(
            "lots_needed",
            "Make a random draw for these tied players first: %(names)s.",
            tied=current.outcome.lots_needed,
            names=tuple(
                " = ".join(facts.entries[number].display_name for number in group)
                for group in current.outcome.lots_needed
            ),
        )


def _check_results(current: StageFacts) -> None:
    if current.missing:
        raise RuleError(
            "results_missing",
            "Tables without a result: %(tables)s.",
            tables=tuple(str(match.plays_at or match.number) for match in current.missing),
            matches=tuple(match.pk for match in current.missing),
        )


def undo_stage_opening(facts: EventFacts, current: StageFacts, *, by: Actor) -> Stage:
    """Undo the opening of a stage: delete its groups, reopen the stage before it.

    Logs it and returns the reopened stage; call it inside a transaction. Raises RuleError
    ``stage_not_open``, ``stage_not_closed``.
    """
    stage, previous = current.stage, facts.stages[current.stage.number - 2].stage
    opened = {"open": previous.key}
    with undoable(facts.event, TAKEN_BACK, by=by, subject=stage.key, after=opened) as act:
        reset_open_stage(stage)
        reopen_stage(facts.event, previous)
        act.after |= record_missed_rounds_of_rejoined(facts.event, by=by)
    return previous


def reset_open_stage(stage: Stage) -> None:
    """Delete the groups of an open stage without rounds, and make it pending again."""
    stage.groups.all().delete()
    stage.state, stage.opened_at = next_state("stage", stage.state, "unopen"), None
    stage.save()


def reopen_last_stage(facts: EventFacts, *, by: Actor) -> None:
    """Reopen the last stage of an event, and log it; call it inside a transaction."""
    stage = facts.stages[-1].stage
    opened = {"open": stage.key}
    with undoable(facts.event, TAKEN_BACK, by=by, subject=stage.key, after=opened) as act:
        reopen_stage(facts.event, stage)
        act.after |= record_missed_rounds_of_rejoined(facts.event, by=by)


def reopen_stage(event: Event, stage: Stage) -> None:
    """Reopen a closed stage of a locked event, and delete its places.

    Standings that closing made public stay public. Raises RuleError ``stage_not_closed``.
    """
    shown_before = public_content(event) if event.standings_held else None
    stage.state, stage.closed_at = next_state("stage", stage.state, "reopen"), None
    stage.places = {}
    stage.save()
    if shown_before is not None:
        keep_standings_public(shown_before, event)


@transaction.atomic
def close_stage(
    *,
    event: Event,
    expected_stage: int,
    by: Actor,
    hold: bool = False,
    lists_held: bool = False,
) -> Stage | None:
    """Close the open stage and seat the next one; return the next, None after the last.

    ``hold`` keeps hidden standings hidden, ``lists_held`` the decklists that the next stage would
    open. Raises RuleError ``event_not_running``, ``stale`` if another stage is open,
    ``rounds_missing``, ``results_missing``, ``lots_needed``; ``nothing_held``, ``no_lists_held`` if
    there is nothing to keep hidden.
    """
    event = begin_act(event, CLOSED, by=by)
    facts = load_facts(event)
    current = _stage_in_progress(facts, expected_stage)
    check_stage_complete(current, facts)
    places = decided_places(facts)
    stage, open_before = current.stage, are_lists_open_until_close(event, current.stage)
    if hold and not withheld_rounds(event, stage, current.state, current.rounds):
        raise no_withheld_standings_error()
    if lists_held:
        check_lists_can_be_withheld(
            event, [each.plan.key for each in facts.stages[stage.number :][:1]]
        )
    close_earlier_calls(event, by=by)
    stage.state = next_state("stage", stage.state, "close")
    stage.closed_at = timezone.now()
    stage.places = dict(current.outcome.places)
    stage.save()
    store_withheld_stage(event, stage.number if hold else None)
    store_withheld_lists_stage(event, stage.number + 1 if lists_held else None)
    following = None
    if stage.number < len(facts.stages):
        plan = facts.stages[stage.number].plan
        following = open_stage(
            event, stage.number + 1, plan, places, origin_groups(facts.stages[: stage.number])
        )
    after = {"places": stage.places, "next": following.key if following else None}
    if hold:
        after["held_stage"] = True
    if lists_held:
        after["held_lists"] = True
    if open_before:
        after["hides"] = ["open_lists"]
    record(event, CLOSED, by=by, subject=stage.key, after=after)
    return following


@transaction.atomic
def decide_second_leg(*, event: Event, expected_stage: int, by: Actor) -> Stage:
    """Add a second leg to the open round-robin stage, and return the stage.

    Raises RuleError ``event_not_running``, ``stale``, ``second_leg_decided``, ``one_leg_only``,
    ``extra_matches_made``, ``lots_drawn``.
    """
    event = begin_act(event, SECOND_LEG_DECIDED, by=by)
    current = _stage_in_progress(load_facts(event), expected_stage)
    stage = current.stage
    next_state("stage", stage.state, "second_leg")
    if current.plan.one_leg_only or not current.kind.all_meet:
        raise RuleError("one_leg_only")
    if current.extra_rounds:
        raise RuleError(
            "extra_matches_made",
        )
    if any(current.lots):
        raise RuleError(
            "lots_drawn",
        )
    if stage.legs > 1:
        raise RuleError("second_leg_decided")
    stage.legs = 2
    stage.save(update_fields=["legs"])
    record(
        event, SECOND_LEG_DECIDED, by=by, subject=stage.key, before={"legs": 1}, after={"legs": 2}
    )
    return stage


@transaction.atomic
def reopen_previous_stage(*, event: Event, expected_stage: int, by: Actor) -> Stage:
    """Reopen the stage before the open one, which must have no round; return it.

    Raises RuleError ``event_not_running``, ``stale`` if ``expected_stage`` is not the open one,
    ``stage_has_rounds``.
    """
    event = begin_act(event, TAKEN_BACK, by=by)
    facts = load_facts(event)
    current = _stage_in_progress(facts, expected_stage)
    if current.rounds or current.stage.number == 1:
        raise RuleError(
            "stage_has_rounds",
        )
    return undo_stage_opening(facts, current, by=by)


def _stage_in_progress(facts: EventFacts, expected: int) -> StageFacts:
    current = facts.open_stage
    if current is None or current.stage.number != expected:
        raise RuleError(
            "stale",
        )
    return current


def undo_closing(event: Event, line: LogLine, by: Actor) -> None:
    """Reopen the stage that a log line closed.

    Raises RuleError ``stage_has_rounds`` if the next one has a round.
    """
    next_state("event", event.state, "play")
    facts = load_facts(event)
    if facts.open_stage is not None:
        reopen_previous_stage(event=event, expected_stage=facts.open_stage.stage.number, by=by)
        return
    reopen_stage(event, facts.stages[-1].stage)


def undo_second_leg(event: Event, line: LogLine, by: Actor) -> None:
    """Remove the second leg that a log line added, if it has no round."""
    stage = event.stages.get(key=line.subject)
    next_state("stage", stage.state, "second_leg")
    stage.legs = line.before["legs"]
    stage.save(update_fields=["legs"])
