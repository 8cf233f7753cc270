"""A stage opened: its groups and who sits where."""

import secrets
from collections.abc import Mapping, Sequence

from django.utils import timezone

from rules.advancement.outcome import seat
from rules.events.lifecycle import after
from rules.plans.plan import StagePlan
from rules.results import PlayerId
from rules.stages import kind_of
from tournaments.models import Event, Group, Seat, Stage


def open_stage(
    event: Event,
    number: int,
    plan: StagePlan,
    places: Mapping[str, PlayerId],
    origins: Mapping[PlayerId, str],
) -> Stage:
    """Open a stage and seat its groups; ``places`` say who holds which, inside a transaction.

    ``origins`` are the groups that players come from, for plans that keep these apart.
    """
    stage = event.stages.get(number=number)
    stage.state = after("stage", stage.state, "open")
    stage.opened_at = timezone.now()
    stage.seed = secrets.token_hex(16) if kind_of(plan).needs_seed else ""
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
