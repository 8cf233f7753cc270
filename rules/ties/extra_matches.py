"""Extra matches: level players play each other again, only to decide their order.

Two players play one match; three or more play a single round robin. No tiebreaker match ends drawn.
Source: tournament rules, Standings order, random draw; for the order after tiebreaker matches see
docs/rules-sources.md.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rules.criteria import Criterion, TiebreakerSplit
from rules.criteria.of_tables import find_criterion
from rules.errors import RuleError
from rules.results import MISSED, PlayerId, Result
from rules.stages.base import Pairing, StageState, TiebreakerRound, scheduled_pairing
from rules.stages.knockout import match_winner
from rules.stages.round_robin import round_robin_schedule
from rules.wording import Sentence

EXTRA_MATCH = Criterion(
    key="extra_match",
    label=Sentence("Tiebreaker match"),
    short=Sentence("Extra"),
    explains=Sentence("Matches between tied players, instead of a random draw."),
    split=lambda _history, level: TiebreakerSplit(classes=(tuple(level),)),  # nobody
)
"""For labels in tables and proofs; it cannot be chosen, so it is not in the catalogue."""


CriterionNamed = Callable[[str], Criterion]
"""Finds the criterion that a key stands for in standings of one sort: of events, of series."""


def tiebreaker_by_key(key: str) -> Criterion:
    """Return a tiebreaker of an event by key, including that of tiebreaker matches.

    Raises BadInput ``unknown_criterion``.
    """
    return EXTRA_MATCH if key == EXTRA_MATCH.key else find_criterion(key)


@dataclass(frozen=True, slots=True)
class TiebreakerSeries:
    """The rounds of tiebreaker matches in which a set of tied players (``level``) meets."""

    level: tuple[PlayerId, ...]
    rounds: tuple[TiebreakerRound, ...] = ()

    @property
    def key(self) -> str:
        """Return the key used as the reason of a rank."""
        return EXTRA_MATCH.key

    @property
    def after(self) -> int:
        """Return the number of lots drawn in the event before its last round was made."""
        return self.rounds[-1].after if self.rounds else 0

    @property
    def away(self) -> tuple[PlayerId, ...]:
        """Return the players who had left before the first round, and play no match."""
        first = self.rounds[0].played if self.rounds else ()
        return tuple(
            player for pairing, _result in first if pairing.missed for player in pairing.seats
        )

    @property
    def total(self) -> int:
        """Return the number of rounds."""
        return len(round_robin_schedule(len(self.level) - len(self.away)))

    @property
    def all_made(self) -> bool:
        return len(self.rounds) >= self.total

    @property
    def results(self) -> Iterator[Result]:
        """Yield the results of all its matches."""
        for item in self.rounds:
            for pairing, result in item.played:
                if not pairing.missed:
                    yield result

    @property
    def over(self) -> bool:
        """Return whether all rounds have been made and played."""
        return self.all_made and all(result.is_played for result in self.results)

    def split(self, level: Sequence[PlayerId]) -> TiebreakerSplit | None:
        """Return level players split by matches won against each other.

        Absent players come last. None if it is not over, or if it does not cover all of these
        players.
        """
        inside = set(level)
        if not self.over or not inside <= set(self.level):
            return None
        won = dict.fromkeys(level, 0)
        for result in self.results:
            winner = match_winner(result)
            if winner is not None and inside.issuperset(result.seats):
                won[winner] += 1
        away = tuple(player for player in level if player in self.away)
        there = [player for player in level if player not in away]
        classes = tuple(
            tuple(player for player in there if won[player] == most)
            for most in sorted({won[player] for player in there}, reverse=True)
        )
        figures = {player: (number,) for player, number in won.items()}
        return TiebreakerSplit(classes=(*classes, away) if away else classes, figures=figures)

    def pairs(self, index: int) -> tuple[tuple[PlayerId, PlayerId], ...]:
        """Return the pairs of the round with this index (from 0); () after the last."""
        players = [player for player in self.level if player not in self.away]
        rounds = round_robin_schedule(len(players))
        if index >= len(rounds):
            return ()
        return tuple((players[a - 1], players[b - 1]) for a, b in rounds[index])


def group_rounds_into_series(rounds: Iterable[TiebreakerRound]) -> tuple[TiebreakerSeries, ...]:
    """Return the series that rounds of tiebreaker matches form, ordered by their last rounds.

    Rounds of the same players continue a series until it is complete; the next one starts another.
    """
    found: list[TiebreakerSeries] = []
    for item in rounds:
        same = _incomplete_series(found, item.level)
        if same is not None:
            found.remove(same)
        found.append(TiebreakerSeries(item.level, (*(same.rounds if same else ()), item)))
    return tuple(found)


def _incomplete_series(
    found: Iterable[TiebreakerSeries], level: Sequence[PlayerId]
) -> TiebreakerSeries | None:
    same = (series for series in found if set(series.level) == set(level))
    return next((series for series in same if not series.all_made), None)


def current_tiebreaker_series(state: StageState, level: Sequence[PlayerId]) -> TiebreakerSeries:
    """Return the series that the next tiebreaker round of these players will belong to.

    It has the rounds made so far. A new series includes the players who are present.
    """
    running = _incomplete_series(group_rounds_into_series(state.tiebreaker_rounds), level)
    return running or TiebreakerSeries(
        tuple(player for player in level if player not in state.withdrawn)
    )


def next_tiebreaker_round(
    state: StageState, sets: Sequence[Sequence[PlayerId]]
) -> tuple[Pairing, ...]:
    """Return the pairings of the next tiebreaker round for one or more sets of tied players.

    Each set plays its own next round. Raises RuleError ``sets_overlap`` if a player is in two sets,
    ``nobody_to_play`` if fewer than two of a set are present.
    """
    players = [player for level in sets for player in level]
    if len(set(players)) != len(players):
        raise RuleError(
            "sets_overlap",
            "A player is in two of these tied groups. Let one group play first.",
        )
    count = sum(
        len(played)
        for played in (*state.rounds, *(item.played for item in state.tiebreaker_rounds))
    )
    made: list[Pairing] = []
    for level in sets:
        made += _next_matches(state, level, count + len(made))
    return tuple(made)


def _next_matches(state: StageState, level: Sequence[PlayerId], count: int) -> list[Pairing]:
    """Return the matches of the next round of one set, numbered from ``count`` + 1.

    Players who have left before a series begins play no match; later on their matches are
    forfeits. Raises RuleError ``nobody_to_play`` if fewer than two are present.
    """
    series = current_tiebreaker_series(state, level)
    away = tuple(player for player in level if player not in series.level)
    if series.total == 0:
        raise RuleError(
            "nobody_to_play",
            "Fewer than two of the tied players can still play. Make a random draw.",
        )
    home = {player: group for group, seats in state.seats.items() for player in seats}
    made = [
        scheduled_pairing(state, home[a], count + number, a, b, draws=False)
        for number, (a, b) in enumerate(series.pairs(len(series.rounds)), start=1)
    ]
    made += [
        Pairing(
            group=home[player],
            number=count + len(made) + number,
            seats=(player,),
            outcome=MISSED,
            missed=True,
        )
        for number, player in enumerate(away, start=1)
    ]
    return made
