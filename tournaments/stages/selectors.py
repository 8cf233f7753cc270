"""Who goes where when a stage closes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from config.wording import translate
from rules.advancement.outcome import seat_players
from rules.results import PlayerId
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.kept_places import decided_places, uneven_groups_note
from tournaments.core.labels import group_label, place_text
from tournaments.core.rows import AnyEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRow:
    """A seat of the next stage, for display.

    ``place``: text, the place that fills it; ``entry``: the player, if decided; ``origin``: label
    of the player's last group, or "".
    """

    number: int
    place: str
    entry: AnyEntry | None
    origin: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AdvancePage:
    """The preview of closing the open stage.

    ``groups``: (label, seats) of the next stage. ``straight``: (label of a later stage, players who
    skip the next one for it); ``left_out``: players without a place; ``out``: other players
    eliminated. ``uneven``: text on how groups of different sizes are compared, or "".
    """

    stage: StageFacts
    label: str
    left_out: tuple[AnyEntry, ...]
    next_label: str = ""
    groups: tuple[tuple[str, tuple[SeatRow, ...]], ...] = ()
    straight: tuple[tuple[str, tuple[AnyEntry, ...]], ...] = ()
    out: tuple[AnyEntry, ...] = ()
    uneven: str = ""

    @property
    def ready(self) -> bool:
        """Return whether the stage can be closed."""
        stage = self.stage
        return stage.rounds_done and not stage.missing and not stage.outcome.lots_needed

    @property
    def several_origins(self) -> bool:
        """Return whether the players of the next stage come from different groups."""
        return len({row.origin for _group, rows in self.groups for row in rows if row.origin}) > 1

    @property
    def is_last(self) -> bool:
        """Return whether it is the last stage."""
        return not self.next_label


def advance_page(facts: EventFacts) -> AdvancePage | None:
    """Return the preview of closing the open stage, None if no stage is open; no query."""
    current = facts.open_stage
    if current is None:
        return None
    label = translate(current.plan.label)
    left_out = tuple(facts.entries[number] for number in current.outcome.left_out)
    if current.stage.number == len(facts.stages):
        return AdvancePage(stage=current, label=label, left_out=left_out)
    ahead = next_stages(facts, current)
    return AdvancePage(
        stage=current,
        label=label,
        next_label=translate(facts.stages[current.stage.number].plan.label),
        groups=_next_groups(facts, current),
        left_out=left_out,
        straight=_players_skipping_next(facts, current, ahead),
        uneven=uneven_groups_note(current),
        out=tuple(
            facts.entries[number]
            for number in current.state.players
            if number not in ahead and number not in current.outcome.left_out
        ),
    )


def next_stages(facts: EventFacts, current: StageFacts) -> dict[PlayerId, int]:
    """Return {player: index of the later stage that they advance to}; no query.

    Only for players for whom that is decided; indexes count from 0.
    """
    if facts.plan is None:
        return {}
    return facts.plan.next_stages(current.stage.number - 1, decided_places(facts))


def _players_skipping_next(
    facts: EventFacts, current: StageFacts, next_stage_of: Mapping[PlayerId, int]
) -> tuple[tuple[str, tuple[AnyEntry, ...]], ...]:
    """Return the players who skip the next stage, by the stage where they enter."""
    found: dict[int, list[AnyEntry]] = {}
    for number in current.state.players:
        index = next_stage_of.get(number, current.stage.number)
        if index > current.stage.number:
            found.setdefault(index, []).append(facts.entries[number])
    return tuple(
        (
            _("Straight to “%(stage)s”") % {"stage": translate(facts.stages[index].plan.label)},
            tuple(found[index]),
        )
        for index in sorted(found)
    )


def _next_groups(
    facts: EventFacts, current: StageFacts
) -> tuple[tuple[str, tuple[SeatRow, ...]], ...]:
    plan = facts.stages[current.stage.number].plan
    stages = [stage.plan for stage in facts.stages]
    before = facts.stages[: current.stage.number]
    places, origins = decided_places(facts), origin_groups(before)
    labels = {
        _group_key(stage, name): group_label(stage.plan, name)
        for stage in before
        for name in stage.state.seats
    }
    names = {number: name for name, number in places.items()}
    seats = seat_players(plan, places, origins)
    rows = []
    for group in plan.groups:
        holders = seats[group.name]
        named = [
            names.get(player, name) if player is not None else name
            for player, name in zip(holders, group.seats, strict=False)
        ]
        rows.append(
            (
                group_label(plan, group.name),
                tuple(
                    SeatRow(
                        number=number,
                        place=capfirst(place_text(stages, place)),
                        entry=facts.entries[player] if player is not None else None,
                        origin=labels[origins[player]] if player in origins else "",
                    )
                    for number, (player, place) in enumerate(
                        zip(holders, named, strict=False), start=1
                    )
                ),
            )
        )
    return tuple(rows)


def origin_groups(stages: Iterable[StageFacts]) -> dict[PlayerId, str]:
    """Return {player: "STAGE:GROUP", the last group they were in} for these stages; no query."""
    return {
        player: _group_key(stage, group)
        for stage in stages
        for group, players in stage.state.seats.items()
        for player in players
        if player is not None
    }


def _group_key(stage: StageFacts, group: str) -> str:
    return f"{stage.stage.number}:{group}"
