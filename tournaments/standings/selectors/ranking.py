"""The final ranking, and as far as it is known while the event runs."""

from dataclasses import dataclass

from tournaments.core.event_state import EventFacts
from tournaments.core.rows import AnyEntry
from tournaments.standings.selectors.rows import OnePlayer


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingRow(OnePlayer):
    """A player's final rank; ``shared`` if another player has the same."""

    rank: int
    shared: bool
    entry: AnyEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingPage:
    """The ranking, best first, and the number of players still in the event."""

    rows: tuple[RankingRow, ...]
    podium: tuple[RankingRow, ...]
    still_in: int

    @property
    def has_clubs(self) -> bool:
        """Return whether any player has a club."""
        return any(row.entry.club for row in self.rows)


def ranking_page(facts: EventFacts) -> RankingPage:
    """Return the ranking; while the event runs, of the eliminated players only.

    No query beyond ``facts``.
    """
    if facts.plan is None:
        return RankingPage(rows=(), podium=(), still_in=0)
    classes = facts.ranking
    still_in = facts.plan.players - sum(len(level) for level in classes)
    rows: list[RankingRow] = []
    for level in classes:
        rank = still_in + len(rows) + 1
        rows.extend(
            RankingRow(rank=rank, shared=len(level) > 1, entry=facts.entries[player])
            for player in level
        )
    podium = () if still_in else tuple(row for row in rows if row.rank <= 3)
    return RankingPage(rows=tuple(rows), podium=podium, still_in=still_in)
