"""Where a player stands, as their own page shows it."""

from dataclasses import dataclass, replace

from django.utils.translation import get_language

from rules.advancement.outcome import outcome
from rules.standings.table import Standings
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import group_label, round_label
from tournaments.core.mapping import points_of
from tournaments.core.once import once
from tournaments.models import Entry, Match, Stage
from tournaments.standings.selectors.standings import Column, StandingRow, columns, standing_rows

FEW = 8
"""Rows of a table that is shown whole, as it stands now."""
NEAR = 2
"""Rows shown before and after the player's own in a longer one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnStanding:
    """The player's row and those near it.

    ``after`` is the label of the last round that counts: the standings of a crowd are those after
    a whole round, so that a page does not change with every result. Empty where all of it counts.
    """

    caption: str
    first: Column
    row: StandingRow
    rows: tuple[StandingRow, ...]
    after: str


def own_standing(facts: EventFacts, entry: Entry) -> OwnStanding | None:
    """Return where a player stands in their latest table; no query beyond ``facts``."""
    for stage in reversed(facts.stages):
        if stage.stage.state == Stage.State.PENDING or stage.kind.has_bracket:
            continue
        for group, seats in stage.state.seats.items():
            if entry.number in seats:
                return _standing(facts, stage, group, entry)
    return None


def _standing(facts: EventFacts, stage: StageFacts, group: str, entry: Entry) -> OwnStanding | None:
    after = ""
    standings = stage.outcome.standings[group]
    if len(standings.rows) > FEW:
        whole = once(stage, "whole", lambda: whole_rounds(stage))
        if whole < len(stage.regular_rounds):
            standings = _after(stage, whole)[group]
            after = round_label(stage, stage.regular_rounds[whole - 1]) if whole else ""
            if not whole:
                return None
    key = ("rows", stage.stage.pk, group, get_language())
    rows = once(facts, key, lambda: standing_rows(facts, stage, standings, across=False))
    index = next((i for i, row in enumerate(rows) if row.entry.number == entry.number), None)
    if index is None:
        return None
    near = rows if len(rows) <= FEW else rows[max(0, index - NEAR) : index + NEAR + 1]
    return OwnStanding(
        caption=group_label(stage.plan, group),
        first=once(facts, ("first", get_language()), lambda: columns(facts.event)[0]),
        row=rows[index],
        rows=near,
        after=after,
    )


def whole_rounds(stage: StageFacts) -> int:
    """Return how many rounds from the first on have all their results."""
    for index, item in enumerate(stage.regular_rounds):
        if any(match.state != Match.State.FINAL for match in stage.matches_of(item)):
            return index
    return len(stage.regular_rounds)


def _after(stage: StageFacts, rounds: int) -> dict[str, Standings]:
    """Return the standings after the first rounds of a stage."""

    def make() -> dict[str, Standings]:
        found = outcome(
            replace(stage.state, rounds=stage.state.rounds[:rounds]),
            criteria=tuple(stage.event.criteria),
            points=points_of(stage.event),
            lots=stage.lots,
            used=stage.used,
            penalties=stage.penalties,
        )
        return dict(found.standings)

    return once(stage, ("after", rounds), make)
