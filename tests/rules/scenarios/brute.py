"""What every score of a group's last matches would mean, by trying all of them."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from rules.results import PlayerId, Result, Winner, two_seats
from rules.scenarios import Margin, MarginMeasure
from rules.standings.table import DEFAULT_CRITERIA, rank
from tests.rules.play import judged

Score = tuple[int, int]


@dataclass(frozen=True)
class Tried:
    """One end of the group: who made and conceded how much in a last match, and the best and
    the worst place of everybody, whatever lots will say."""

    last: Mapping[PlayerId, Score]
    best: Mapping[PlayerId, int]
    worst: Mapping[PlayerId, int]

    def result_of(self, player: PlayerId) -> str:
        """Return how the player's last match ended; "now" without one to come."""
        if player not in self.last:
            return "now"
        made, conceded = self.last[player]
        return "draw" if made == conceded else "win" if made > conceded else "loss"

    def measured(self, margin: Margin) -> int:
        """Return what the margin measures."""
        made, conceded = self.last[margin.of]
        match margin.measure:
            case MarginMeasure.MADE:
                return made
            case MarginMeasure.MARGIN:
                return made - conceded
            case MarginMeasure.LEAD:
                return made - self.last[margin.than][0]
            case MarginMeasure.MARGIN_LEAD:
                theirs = self.last[margin.than]
                return made - conceded - (theirs[0] - theirs[1])


def every_end(
    results: Sequence[Result],
    highest: int,
    criteria: Sequence[str] = DEFAULT_CRITERIA,
) -> Iterator[Tried]:
    """Yield the ends of a group with every score of its open matches."""
    settled = [result for result in results if result.winner is not None]
    waiting = [result for result in results if result.winner is None]
    scores = list(product(range(highest + 1), repeat=2))
    for found in product(scores, repeat=len(waiting)):
        ended = [with_score(match, score) for match, score in zip(waiting, found, strict=True)]
        yield tried(settled, ended, criteria)


def tried(
    settled: Sequence[Result], ended: Sequence[Result], criteria: Sequence[str] = DEFAULT_CRITERIA
) -> Tried:
    """Return one end of a group, where its last matches have ended so."""
    results = [*settled, *ended]
    players = dict.fromkeys(player for found in results for player in two_seats(found.seats, None))
    rows = rank(players=tuple(players), results=results, criteria=criteria).rows
    shared = Counter(row.rank for row in rows)
    last = {}
    for match in ended:
        last |= {match.seats[0]: match.score, match.seats[-1]: match.score[::-1]}
    return Tried(
        last=last,
        best={row.player: row.rank for row in rows},
        worst={row.player: row.rank + shared[row.rank] - 1 for row in rows},
    )


def with_score(match: Result, score: Score) -> Result:
    """Return a match that ended as its score says."""
    a, b = score
    winner = Winner.DRAW if a == b else Winner.A if a > b else Winner.B
    return judged(match, winner, score=score)
