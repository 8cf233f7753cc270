"""The final ranking, and as far as it is known while the event runs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rules.results import PlayerId
from rules.scenarios import Verdict
from rules.scenarios.playing_on import places_in_bracket, places_in_table
from rules.stages.kind import is_complete
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.rows import AnyEntry
from tournaments.core.values_cache import cached
from tournaments.players.selectors.returns import to_come
from tournaments.prospects.selectors.prospects import public_prospects
from tournaments.standings.selectors.rows import OnePlayer


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingRow(OnePlayer):
    """A player's final rank; ``shared`` if another player who is out has the same.

    Of who went out of a play-in in progress ``rank`` is the best one possible, ``last`` the worst.
    """

    rank: int
    last: int
    shared: bool
    entry: AnyEntry

    @property
    def places(self) -> str:
        """Return the places that are possible: "13–24", or the only one."""
        return f"{self.rank}–{self.last}" if self.last > self.rank else str(self.rank)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingPage:
    """The ranking, best first, and the number of players whose rank is still open."""

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
    """Return the ranking; while the event runs, of those who are out or whose place is certain.

    The winner of a final stands there while others still play for third place. No query beyond
    ``facts``.
    """
    if facts.plan is None:
        return RankingPage(rows=(), podium=(), still_in=0)
    classes = facts.ranking
    places = places_told(facts)
    rank = facts.plan.players - sum(len(level) for level in classes) + 1
    rows: list[RankingRow] = []
    for level in classes:
        rows += [
            _row(facts, player, places.get(player, range(rank, rank + 1)), shared=len(level) > 1)
            for player in level
        ]
        rank += len(level)
    known = {row.entry.number for row in rows}
    certain = {player: left for player, left in places.items() if player not in known}
    rows += [_row(facts, player, left, shared=False) for player, left in certain.items()]
    rows.sort(key=lambda row: (row.rank, row.last))
    still_in = facts.plan.players - len(rows)
    podium = () if still_in else tuple(row for row in rows if row.rank <= 3)
    return RankingPage(rows=tuple(rows), podium=podium, still_in=still_in)


def _row(facts: EventFacts, player: PlayerId, places: range, *, shared: bool) -> RankingRow:
    return RankingRow(rank=places[0], last=places[-1], shared=shared, entry=facts.entries[player])


def places_told(facts: EventFacts) -> Mapping[PlayerId, range]:
    """Return the final places that are known of players in the open stage; no query.

    In a bracket those left to whoever has no match to come; in a table the one place of whoever is
    certainly out and plays no more. They hold if nobody leaves.
    """
    stage = facts.open_stage
    if stage is None or is_complete(stage.state):
        return {}
    if stage.kind.has_bracket:
        return places_of_eliminated(facts, stage)
    return cached(facts, "places_in_table", lambda: dict(_certain_in_table(facts, stage)))


def _certain_in_table(facts: EventFacts, stage: StageFacts) -> Iterator[tuple[PlayerId, range]]:
    above, later, known = players_above(facts, stage), to_come(stage), public_prospects(facts)
    playing = {facts.numbers[key] for match in stage.missing for key in match.seats}
    for player in frozenset(stage.state.players) - later - playing:
        prospect = known.get(player)
        if prospect is not None and prospect.verdict is Verdict.OUT:
            places = places_in_table(stage.state, prospect, above)
            if len(places) == 1:
                yield player, places


def places_of_eliminated(facts: EventFacts, stage: StageFacts) -> Mapping[PlayerId, range]:
    """Return the final places left to whoever has no match to come in an open bracket; no query.

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
