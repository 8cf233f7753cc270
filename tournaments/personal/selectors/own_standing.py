"""Where a player stands, as their own page shows it."""

from dataclasses import dataclass

from django.utils.translation import get_language

from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import group_label, round_label
from tournaments.core.values_cache import cached
from tournaments.models import Entry, Stage
from tournaments.standings.selectors.round_standings import of_rounds, standings_after, whole_rounds
from tournaments.standings.selectors.rows import Column, StandingRow, columns, standing_rows

FEW = 8
"""Rows of a table that is shown whole, as it stands now."""
FEW_TABLES = 8
"""Open matches of a stage's last round with which a longer table is shown as it stands now, too."""
NEAR = 2
"""Rows shown before and after the player's own in a longer one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnStanding:
    """The player's row and those near it.

    ``after`` is the label of the last round that counts: the standings of a crowd are those after
    a whole round, so that a page does not change with every result. Empty where all of it counts.
    ``held``: the standings are held back, so later results don't count.
    """

    caption: str
    first: Column
    row: StandingRow
    rows: tuple[StandingRow, ...]
    after: str
    held: bool


def own_standing(facts: EventFacts, entry: Entry) -> OwnStanding | None:
    """Return a player's row of their latest table; no query beyond ``facts``.

    None before a match of it has been played: nobody has a rank yet.
    """
    for stage in reversed(facts.stages):
        if stage.stage.state == Stage.State.PENDING or stage.kind.has_bracket:
            continue
        for group, seats in stage.state.seats.items():
            if entry.number in seats:
                return _standing(facts, stage, group, entry)
    return None


def _standing(facts: EventFacts, stage: StageFacts, group: str, entry: Entry) -> OwnStanding | None:
    after = ""
    rounds = len(stage.state.rounds)
    if sum(player is not None for player in stage.state.seats[group]) > FEW:
        whole = whole_rounds(stage)
        if whole < len(stage.regular_rounds) and not _nearly_over(stage):
            if not whole:
                return None
            rounds, after = whole, round_label(stage, stage.regular_rounds[whole - 1])

    def make() -> tuple[StandingRow, ...]:
        standings = standings_after(facts, stage, rounds)[group]
        return standing_rows(facts, stage, standings, across=False, earlier=bool(after))

    key = ("rows", stage.stage.pk, group, get_language())
    rows = of_rounds(facts, stage, rounds, key, make) if after else cached(facts, key, make)
    index = next((i for i, row in enumerate(rows) if row.entry.number == entry.number), None)
    if index is None or not any(row.played for row in rows):
        return None
    near = rows if len(rows) <= FEW else rows[max(0, index - NEAR) : index + NEAR + 1]
    return OwnStanding(
        caption=group_label(stage.plan, group),
        first=columns(facts)[0],
        row=rows[index],
        rows=near,
        after=after,
        held=bool(stage.held),
    )


def _nearly_over(stage: StageFacts) -> bool:
    """Return whether the last round is played but for a few tables."""
    last = len(stage.regular_rounds) >= stage.total_rounds
    return last and len(stage.missing) <= FEW_TABLES
