"""Single elimination."""

from collections.abc import Iterator
from functools import lru_cache

from rules.brackets import BracketMatch, FromMatch, Source, bracket, rounds_of
from rules.plans import StagePlan
from rules.results import BYE, PlayerId, Result
from rules.stages.base import (
    APART,
    SURVIVORS,
    THIRD_PLACE,
    ConfiguredStage,
    Pairing,
    StageState,
    forfeit,
    require_results,
)
from rules.stages.kind import (
    STAGE_KINDS,
    Matches,
    StageKind,
    describe_knockout,
    final_label,
    round_label,
    shape_of,
)
from rules.wording import Sentence

BRACKET_FIXED = Sentence("The bracket says who meets whom; tables can be exchanged.")
BRACKET_NOT_BY_HAND = Sentence(
    "The bracket says who meets whom: exchanged players would stand in the wrong half. "
    "Nothing was changed: only tables can be exchanged."
)
NAMED_PARTS = (
    Sentence("final and third place"),
    Sentence("semi-finals"),
    Sentence("quarter-finals"),
)


class Knockout(StageKind):
    """One bracket, or one per survivor in a play-in, in one group of seats."""

    key = "knockout"
    label = Sentence("Knock-out")
    settings = (THIRD_PLACE, SURVIVORS, APART)
    most = 512
    has_bracket = True
    games_asked = len(NAMED_PARTS)
    why_fixed = BRACKET_FIXED
    not_by_hand = BRACKET_NOT_BY_HAND

    def next_round(self, state: StageState) -> tuple[Pairing, ...]:
        """Return the matches of the next round, () after the last.

        Players without an opponent, because a seat is vacant or both players lost the match
        before, have a bye. Raises RuleError ``results_missing``.
        """
        require_results(state)
        number, known = len(state.rounds) + 1, played_matches(state)
        matches = (match for match in shape_of(state.plan) if match.round == number)
        pairings = (_pairing(state, match, known) for match in matches)
        return tuple(pairing for pairing in pairings if pairing is not None)

    def total_rounds(self, state: StageState) -> int:
        """Return the number of rounds of the bracket."""
        return rounds_of(len(state.seats[state.plan.groups[0].name]), state.plan.survivors)

    def describe_round(self, state: StageState, number: int) -> Sentence:
        """Return a round's label by the number of players left, or as a round of a play-in."""
        distance = self.total_rounds(state) - number
        if state.plan.survivors > 1:
            return Sentence("Preliminary, round %(round)s", {"round": number})
        if distance == 0:
            return _last_round(state)
        return round_label(distance)

    def matches(self, plan: StagePlan) -> Matches:
        """Return the bracket of the plan's seats."""
        return bracket(len(plan.groups[0].seats), plan.survivors, plan.third_place)

    def named_matches(self, seats: int, stage: ConfiguredStage) -> Matches:
        """Return the matches of a full bracket with the same number of rounds."""
        rounds = rounds_of(seats, stage.survivors)
        return _full_bracket(rounds, stage.survivors, stage.third_place)

    def game_parts(self, asked: int) -> tuple[Sentence, ...]:
        """Return the labels of the rounds from the final back; the last covers all earlier ones."""
        count = max(self.games_asked, asked)
        parts = list(NAMED_PARTS)
        parts += [
            Sentence("round of %(players)s", {"players": 2 ** (at + 1)})
            for at in range(len(NAMED_PARTS), count)
        ]
        parts[count - 1] = Sentence("earlier rounds")
        return tuple(parts)

    def describe(self, plan: StagePlan, rounds: int) -> Iterator[Sentence]:
        """Return the description of a single elimination or play-in."""
        return describe_knockout(plan, rounds)


@lru_cache(maxsize=64)
def _full_bracket(rounds: int, survivors: int, third_place: bool) -> Matches:
    return bracket(survivors * 2**rounds, survivors, third_place)


def _last_round(state: StageState) -> Sentence:
    if not any(match.third_place for match in shape_of(state.plan)):
        return final_label(state.plan)
    if state.plan.ranks_from > 1:
        values = {"place": state.plan.ranks_from, "other": state.plan.ranks_from + 2}
        return Sentence("For places %(place)s and %(other)s", values)
    return Sentence("Final and third place")


def played_matches(state: StageState) -> dict[int, tuple[Pairing, Result]]:
    """Return the matches made so far by number; those without players are missing."""
    return {
        pairing.number: (pairing, result) for played in state.rounds for pairing, result in played
    }


def winner_of(result: Result) -> PlayerId | None:
    """Return the player who advances from a match, None for nobody or an open match."""
    return _placed(result, 1)


def loser_of(result: Result) -> PlayerId | None:
    """Return the loser of a match, None after a bye or a double loss."""
    return _placed(result, 2)


def _placed(result: Result, place: int) -> PlayerId | None:
    """Return who alone has a place, None for nobody or for two."""
    places = result.places or ()
    return result.seats[places.index(place)] if places.count(place) == 1 else None


def bracket_pairing(
    state: StageState,
    match: BracketMatch,
    one: PlayerId | None,
    other: PlayerId | None,
    best_of: int,
) -> Pairing | None:
    """Return the pairing of a match of a bracket, a bye with one player; None without any."""
    seats = tuple(player for player in (one, other) if player is not None)
    if not seats:
        return None
    return Pairing(
        group=state.plan.groups[0].name,
        number=match.number,
        seats=seats,
        best_of=best_of,
        draws=False,
        outcome=BYE if len(seats) == 1 else forfeit(seats, state.withdrawn),
    )


def _pairing(
    state: StageState, match: BracketMatch, known: dict[int, tuple[Pairing, Result]]
) -> Pairing | None:
    best_of = state.plan.best_of
    games = best_of[min(match.distance, len(best_of) - 1)]
    one, other = (_player(state, source, known) for source in match.sources)
    return bracket_pairing(state, match, one, other, games)


def _player(
    state: StageState, source: Source, known: dict[int, tuple[Pairing, Result]]
) -> PlayerId | None:
    if isinstance(source, FromMatch):
        if source.match not in known:
            return None
        _pairing, result = known[source.match]
        return winner_of(result) if source.winner else loser_of(result)
    seats = state.seats[state.plan.groups[0].name]
    return seats[source.number - 1] if source.number <= len(seats) else None


KNOCKOUT = STAGE_KINDS.add(Knockout())
