"""Stages: the start of an event, advancing from one stage to the next, and the way back."""

import secrets
from collections.abc import Collection, Mapping, Sequence

from django.db import transaction
from django.utils import timezone

from decks.services_house import lock_house_format
from rules.errors import RuleError
from rules.lifecycle import after
from rules.outcome import seat
from rules.places import start_places
from rules.plan import SWISS, StagePlan
from rules.results import PlayerId
from rules.wording import gettext_noop as _
from tournaments.models import DeckSubmission, Draw, Event, Group, Seat, Stage
from tournaments.permissions import Actor, can_manage, can_run_rounds, require
from tournaments.selectors.advance import known_places, origins_of
from tournaments.selectors.deck_rules import format_of_event
from tournaments.selectors.facts import EventFacts, StageFacts, load_facts
from tournaments.selectors.formulas import plan_for
from tournaments.selectors.start import decklist_faults
from tournaments.services.draws import start_entrants
from tournaments.services.kept import keep, rows_of
from tournaments.services.log import locked, record
from tournaments.services.reopening import reopen_previous


@transaction.atomic
def start_event(
    *,
    event: Event,
    draw_number: int,
    override: str = "",
    seen: Collection[int] | None = None,
    by: Actor,
) -> Stage:
    """Start with the order of a draw: registration closes, decklists lock, stage 1 opens.

    ``override`` is the reason for starting though lists are missing or illegal; it holds for
    the players whose numbers were ``seen`` (None: for all), and is recorded with their names.
    Raises RuleError ``draw_outdated``, ``decklists_not_ready``; BadInput ``too_few_players``.
    """
    event = locked(event)
    require(can_manage(by, event))
    state = after("event", event.state, "start")
    lock_house_format(event.format)
    draw = _usable_draw(event, draw_number)
    overridden = _check_decklists(event, override, seen)
    _pin_rules(event)
    plan = plan_for(event, len(draw.order))
    before, now, rows = event.state, timezone.now(), rows_of(event)
    event.plan, event.state, event.started_at = plan.to_json(), state, now
    event.save()
    Stage.objects.bulk_create(
        Stage(event=event, number=number, key=item.key, kind=item.kind, legs=item.legs)
        for number, item in enumerate(plan.stages, start=1)
    )
    DeckSubmission.objects.filter(current_of__event=event).update(locked_at=now)
    places = dict(zip(start_places(len(draw.order)), draw.order, strict=True))
    stage = _open(event, 1, plan.stages[0], places, origins={})
    line = record(
        event,
        "event.start",
        by=by,
        before={"state": before},
        after={"state": state, "draw": draw.number, "players": len(draw.order)}
        | ({"override": overridden} if overridden else {}),
        reason=override if overridden else "",
    )
    keep(event, line, rows)
    return stage


@transaction.atomic
def close_stage(*, event: Event, expected_stage: int, by: Actor) -> Stage | None:
    """Close the stage in progress and seat the next one; return the next, None after the last.

    Raises RuleError ``event_not_running``, ``stale`` when another stage is in progress,
    ``rounds_missing``, ``results_missing``, ``lots_needed``.
    """
    event = locked(event)
    require(can_run_rounds(by, event))
    after("event", event.state, "play")
    facts = load_facts(event)
    current = _stage_in_progress(facts, expected_stage)
    check_complete(current, facts)
    places = known_places(facts)
    stage = current.stage
    stage.state = after("stage", stage.state, "close")
    stage.closed_at = timezone.now()
    stage.places = dict(current.outcome.places)
    stage.save()
    following = None
    if stage.number < len(facts.stages):
        plan = facts.stages[stage.number].plan
        following = _open(
            event, stage.number + 1, plan, places, origins_of(facts.stages[: stage.number])
        )
    record(
        event,
        "stage.closed",
        by=by,
        subject=stage.key,
        after={"places": stage.places, "next": following.key if following else None},
    )
    return following


@transaction.atomic
def decide_second_leg(*, event: Event, expected_stage: int, by: Actor) -> Stage:
    """Play the second leg too, decided while the first runs.

    Raises RuleError ``event_not_running``, ``second_leg_decided``, ``one_leg_only``,
    ``extra_matches_made`` or ``lots_drawn``.
    """
    event = locked(event)
    require(can_run_rounds(by, event))
    after("event", event.state, "play")
    current = _stage_in_progress(load_facts(event), expected_stage)
    stage = current.stage
    after("stage", stage.state, "second_leg")
    if current.plan.one_leg_only or current.plan.kind != "round_robin":
        raise RuleError("one_leg_only", _("This stage has one leg. Nothing was changed."))
    if current.extra_rounds:
        raise RuleError(
            "extra_matches_made",
            _("Extra matches were made already, so it stays at one leg. Nothing was changed."),
        )
    if any(current.lots):
        raise RuleError(
            "lots_drawn",
            _("Lots were drawn for this stage already, so it stays at one leg. Nothing changed."),
        )
    if stage.legs == 2:
        raise RuleError(
            "second_leg_decided", _("The second leg is decided already. Nothing was changed.")
        )
    stage.legs = 2
    stage.save(update_fields=["legs"])
    record(
        event, "stage.second_leg", by=by, subject=stage.key, before={"legs": 1}, after={"legs": 2}
    )
    return stage


@transaction.atomic
def take_back_stage(*, event: Event, expected_stage: int, by: Actor) -> Stage:
    """Take back the opening of a stage that has no round yet; the one before is open again."""
    event = locked(event)
    require(can_manage(by, event))
    after("event", event.state, "play")
    facts = load_facts(event)
    current = _stage_in_progress(facts, expected_stage)
    if current.rounds or current.stage.number == 1:
        raise RuleError(
            "stage_has_rounds",
            _("Only a stage without rounds can be taken back. Nothing was changed."),
        )
    return reopen_previous(facts, current, by=by)


def check_complete(current: StageFacts, facts: EventFacts) -> None:
    """Raise RuleError with what keeps a stage from closing."""
    if current.missing:
        raise RuleError(
            "results_missing",
            _("Results are missing at these tables: %(tables)s. Nothing was changed."),
            tables=tuple(str(match.table or match.number) for match in current.missing),
            matches=tuple(match.pk for match in current.missing),
        )
    if not current.rounds_done:
        raise RuleError(
            "rounds_missing",
            _("Rounds made: %(made)s of %(total)s. Nothing was changed: play the rest first."),
            made=len(current.rounds),
            total=current.total_rounds,
        )
    if current.outcome.lots_needed:
        raise RuleError(
            "lots_needed",
            _("Lots must decide between level players first: %(names)s. Nothing was changed."),
            tied=current.outcome.lots_needed,
            names=tuple(
                " = ".join(facts.entries[number].name for number in group)
                for group in current.outcome.lots_needed
            ),
        )


def _open(
    event: Event,
    number: int,
    plan: StagePlan,
    places: Mapping[str, PlayerId],
    origins: Mapping[PlayerId, str],
) -> Stage:
    stage = event.stages.get(number=number)
    stage.state = after("stage", stage.state, "open")
    stage.opened_at = timezone.now()
    stage.seed = secrets.token_hex(16) if plan.kind == SWISS else ""
    stage.save()
    seats = seat(plan, places, origins)
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


def _pin_rules(event: Event) -> None:
    """Keep by which lists the event is played, and its house format as it is now."""
    rules = format_of_event(event)
    event.card_lists, event.lists_dated = rules.card_lists, rules.lists_dated


def _usable_draw(event: Event, number: int) -> Draw:
    draw = event.draws.filter(kind=Draw.Kind.START).order_by("-number").first()
    entrants = [list(pair) for pair in start_entrants(event)]
    if draw is None or draw.number != number or draw.entrants != entrants:
        raise RuleError(
            "draw_outdated",
            _("The draw doesn't fit the players any more. Nothing was started: draw again."),
        )
    return draw


def _check_decklists(event: Event, override: str, seen: Collection[int] | None) -> list[str]:
    """Return whose lists are missing or illegal, all of them overridden; raise otherwise."""
    faults = [fault.entry for fault in decklist_faults(event)]
    if faults and not override.strip():
        raise RuleError(
            "decklists_not_ready",
            _(
                "Decklists are missing or illegal: %(names)s. Nothing was started: mend them, or "
                "start with a reason."
            ),
            names=tuple(entry.name for entry in faults),
        )
    fresh = [entry.name for entry in faults if seen is not None and entry.number not in seen]
    if fresh:
        raise RuleError(
            "decklists_not_ready",
            _(
                "Since you looked, these decklists are missing or illegal too: %(names)s. Nothing "
                "was started: look at them first."
            ),
            names=tuple(fresh),
        )
    return [entry.name for entry in faults]


def _stage_in_progress(facts: EventFacts, expected: int) -> StageFacts:
    current = facts.open_stage
    if current is None or current.stage.number != expected:
        raise RuleError(
            "stale",
            _("Another stage is in progress by now. Nothing was changed: load the page again."),
        )
    return current
