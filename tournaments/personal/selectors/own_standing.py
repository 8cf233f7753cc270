"""Where a player stands, as their own page shows it."""

from dataclasses import dataclass

from django.utils.translation import get_language

from tournaments.core.event_state import EventFacts
from tournaments.core.labels import group_label, round_label
from tournaments.core.round_words import counted_rounds, stage_and_round
from tournaments.core.told_ranks import rank_figure, rank_ordinal
from tournaments.core.values_cache import cached
from tournaments.models import Entry
from tournaments.standings.selectors.round_standings import of_rounds
from tournaments.standings.selectors.rows import Column, StandingRow, columns, standing_rows
from tournaments.standings.selectors.told import FEW, ToldRow, told_row

NEAR = 2
"""Rows shown before and after the player's own in a longer one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnStanding:
    """The player's row and those near it.

    ``after`` is the label of the last round that counts, empty where all of it counts
    (``standings.selectors.told``); ``open``: matches of what counts are still played. ``held``: the
    standings are held back, so later results don't count.
    """

    caption: str
    first: Column
    row: StandingRow
    rows: tuple[StandingRow, ...]
    after: str
    open: bool
    held: bool

    @property
    def table(self) -> str:
        """Return which table it is, with the round after which it stood so: "Swiss · Round 4"."""
        return stage_and_round(self.caption, self.after)

    @property
    def rank(self) -> str:
        """Return the player's rank as a figure."""
        return rank_figure(self.row.rank, shared=self.row.shared)

    @property
    def ordinal(self) -> str:
        """Return the player's rank as an ordinal."""
        return rank_ordinal(self.row.rank, shared=self.row.shared)


def own_standing(facts: EventFacts, entry: Entry) -> OwnStanding | None:
    """Return a player's row of their latest table; no query beyond ``facts``.

    None before a match of it has been played: nobody has a rank yet.
    """
    told = told_row(facts, entry.number)
    return _standing(facts, told, entry) if told is not None else None


def _standing(facts: EventFacts, told: ToldRow, entry: Entry) -> OwnStanding:
    stage, last = told.stage, told.rounds.last

    def make() -> tuple[StandingRow, ...]:
        earlier = last is not None
        return standing_rows(facts, stage, told.standings, across=False, earlier=earlier)

    key = ("rows", stage.stage.pk, told.group, get_language())
    if last is None:
        rows = cached(facts, key, make)
    else:
        rows = of_rounds(facts, stage, told.rounds.count, key, make)
    index = next(i for i, row in enumerate(rows) if row.entry.number == entry.number)
    counted = counted_rounds(stage) if stage.held else []
    after = last or (counted[-1] if counted else None)
    near = rows if len(rows) <= FEW else rows[max(0, index - NEAR) : index + NEAR + 1]
    return OwnStanding(
        caption=group_label(stage.plan, told.group),
        first=columns(facts)[0],
        row=rows[index],
        rows=near,
        after=round_label(stage, after) if after is not None else "",
        open=told.rounds.open,
        held=bool(stage.held),
    )
