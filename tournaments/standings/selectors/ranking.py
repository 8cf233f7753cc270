"""The final ranking, and as far as it is known while the event runs."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.results import PlayerId
from rules.scenarios.playing_on import places_in_bracket
from rules.stages.kind import is_complete
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.rows import AnyEntry
from tournaments.core.values_cache import cached
from tournaments.standings.selectors.rows import OnePlayer


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingRow(OnePlayer):
    """A player's final rank; ``shared`` if another player has the same.

    Of who went out of a play-in in progress ``rank`` is the best one possible, ``last`` the worst.
    """

    rank: int
    last: int
    shared: bool
    entry: AnyEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingPage:
    """The ranking, best first, and the number of players still in the event."""

    rows: tuple[RankingRow, ...]
    podium: tuple[RankingRow, ...]
    still_in: int

    @property
    def is_open(self) -> bool:
        """Return whether a rank of somebody who is out is not known yet."""
        return any(row.last > row.rank for row in self.rows)

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
    stage = facts.open_stage
    places = places_of_eliminated(facts, stage) if stage is not None else {}
    rows: list[RankingRow] = []
    for level in classes:
        rank = still_in + len(rows) + 1
        for player in level:
            left = places.get(player, range(rank, rank + 1))
            rows.append(
                RankingRow(
                    rank=left[0],
                    last=left[-1],
                    shared=len(level) > 1,
                    entry=facts.entries[player],
                )
            )
    podium = () if still_in else tuple(row for row in rows if row.rank <= 3)
    return RankingPage(rows=tuple(rows), podium=podium, still_in=still_in)


def places_of_eliminated(facts: EventFacts, stage: StageFacts) -> Mapping[PlayerId, range]:
    """Return the final places left to whoever is out of an open bracket; no query.

    A round leads to one place, whoever else loses in it; after a play-in its losers are in order
    only when all of it is played.
    """
    if not stage.kind.has_bracket or is_complete(stage.state):
        return {}

    def make() -> Mapping[PlayerId, range]:
        return places_in_bracket(stage.state, players_above(facts, stage), stage.used)

    return cached(facts, "bracket_places", make)


def players_above(facts: EventFacts, stage: StageFacts) -> int:
    """Return the number of players who go on without sitting in the open stage."""
    sitting = set(stage.state.players)
    out = sum(player not in sitting for level in facts.ranking for player in level)
    return (facts.plan.players if facts.plan else 0) - out - len(sitting)
