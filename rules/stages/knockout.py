"""Single elimination, labels of brackets, and who won and lost each match, walkovers included."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rules.brackets import BracketMatch, BracketPart, MatchSource, Source, bracket, knockout_rounds
from rules.plans import FormulaPlan, LoserPlace, StagePlan, WinnerPlace
from rules.results import BYE, PlayerId, Result
from rules.stages.base import (
    APART,
    STAGE_KINDS,
    SURVIVORS,
    THIRD_PLACE,
    ConfiguredStage,
    Matches,
    Pairing,
    StageKind,
    StageState,
    bracket_matches,
    forfeit_outcome,
    require_results,
)
from rules.wording import Sentence


def final_label(plan: StagePlan) -> Sentence:
    """Return the label of a knock-out's last match.

    "Final", or the place it is played for if better players continue elsewhere.
    """
    if plan.ranks_from > 1:
        return Sentence("For place %(place)s", {"place": plan.ranks_from})
    return Sentence("Final")


def match_label(plan: StagePlan, match: BracketMatch) -> Sentence:
    """Return the label of a bracket match.

    The grand final and a match for third place are named so, others have their number.
    """
    if match.third_place and plan.ranks_from > 1:
        return Sentence("For place %(place)s", {"place": plan.ranks_from + 2})
    return match.label


ROUNDS = (
    *(Sentence("Semi-finals"), Sentence("Quarter-finals"), Sentence("Round of 16")),
    *(Sentence("Round of 32"), Sentence("Round of 64"), Sentence("Round of 128")),
)
"""The labels of rounds by their distance from the last one, from 1."""


def round_label(distance: int) -> Sentence:
    """Return the label of a knock-out's round before the last, such as "Quarter-finals".

    ``distance`` is the number of rounds to the last one, from 1.
    """
    if distance <= len(ROUNDS):
        return ROUNDS[distance - 1]
    return Sentence("Round of %(players)s", {"players": 2 ** (distance + 1)})


def games_label(match: Sentence, stage: StagePlan) -> Sentence:
    """Return a message on how many games the last match of a bracket has, after its label."""
    games = Sentence("Best of %(games)s", {"games": stage.best_of[0]})
    if stage.best_of[0] == 1:
        games = Sentence("One game")
    return Sentence("%(label)s: %(value)s", {"label": match, "value": games})


NAMED_PARTS = (
    Sentence("Final and third place"),
    Sentence("Semi-finals"),
    Sentence("Quarter-finals"),
)


class Knockout(StageKind):
    """The kind of stage with one bracket, or one per survivor in a play-in; one group."""

    key = "knockout"
    label = Sentence("Knock-out")
    settings = (THIRD_PLACE, SURVIVORS, APART)
    most = 512
    has_bracket = True
    games_asked = len(NAMED_PARTS)

    def next_round(self, state: StageState) -> tuple[Pairing, ...]:
        """Return the matches of the next round, () after the last.

        Players without an opponent, because a seat is vacant or both players lost the match
        before, have a bye. Raises RuleError ``results_missing``.
        """
        require_results(state)
        number, known = len(state.rounds) + 1, matches_by_number(state)
        matches = (match for match in bracket_matches(state.plan) if match.round == number)
        pairings = (_pairing(state, match, known) for match in matches)
        return tuple(pairing for pairing in pairings if pairing is not None)

    def total_rounds(self, state: StageState) -> int:
        """Return the number of rounds of the bracket."""
        return knockout_rounds(len(state.seats[state.plan.groups[0].name]), state.plan.survivors)

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
        rounds = knockout_rounds(seats, stage.survivors)
        return _full_bracket(rounds, stage.survivors, stage.third_place)

    def game_parts(self, asked: int) -> tuple[Sentence, ...]:
        """Return the labels of the rounds from the final back; the last covers all earlier ones."""
        count = max(self.games_asked, asked)
        parts = list(NAMED_PARTS)
        parts += [
            Sentence("Round of %(players)s", {"players": 2 ** (at + 1)})
            for at in range(len(NAMED_PARTS), count)
        ]
        parts[count - 1] = Sentence("Earlier rounds")
        return tuple(parts)

    def describe(self, plan: StagePlan, rounds: int) -> Iterator[Sentence]:
        """Yield the facts of a single elimination or play-in; of a single match its games alone."""
        if plan.size > 2 or plan.survivors > 1:
            yield from super().describe(plan, rounds)
        if plan.survivors > 1:
            yield Sentence("Advancing: %(count)s", {"count": plan.survivors})
            return
        yield games_label(final_label(plan), plan)
        if not plan.timed:
            yield Sentence("No time limit")
        if plan.third_place and plan.ranks_from > 1:
            yield Sentence("For place %(place)s", {"place": plan.ranks_from + 2})
        elif plan.third_place:
            yield Sentence("Match for third place")


@lru_cache(maxsize=64)
def _full_bracket(rounds: int, survivors: int, third_place: bool) -> Matches:
    return bracket(survivors * 2**rounds, survivors, third_place)


def _last_round(state: StageState) -> Sentence:
    if not any(match.third_place for match in bracket_matches(state.plan)):
        return final_label(state.plan)
    if state.plan.ranks_from > 1:
        values = {"place": state.plan.ranks_from, "other": state.plan.ranks_from + 2}
        return Sentence("Matches for places %(place)s and %(other)s", values)
    return Sentence("Final and third place")


def matches_by_number(state: StageState) -> dict[int, tuple[Pairing, Result]]:
    """Return (pairing, result) of each match of the rounds made so far, by match number.

    Matches not played yet are included; those without players are missing.
    """
    return {
        pairing.number: (pairing, result) for played in state.rounds for pairing, result in played
    }


def match_winner(result: Result) -> PlayerId | None:
    """Return the player who advances from a match, None for nobody or an open match."""
    return _placed(result, 1)


def match_loser(result: Result) -> PlayerId | None:
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
    """Return the pairing of a bracket match, a bye with one player; None without any.

    Withdrawn players lose by forfeit. ``best_of`` is in games.
    """
    seats = tuple(player for player in (one, other) if player is not None)
    if not seats:
        return None
    return Pairing(
        group=state.plan.groups[0].name,
        number=match.number,
        seats=seats,
        best_of=best_of,
        draws=False,
        outcome=BYE if len(seats) == 1 else forfeit_outcome(seats, state.withdrawn),
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
    if isinstance(source, MatchSource):
        if source.match not in known:
            return None
        _pairing, result = known[source.match]
        return match_winner(result) if source.winner else match_loser(result)
    seats = state.seats[state.plan.groups[0].name]
    return seats[source.number - 1] if source.number <= len(seats) else None


KNOCKOUT = STAGE_KINDS.add(Knockout())


def is_third_place_only(plan: FormulaPlan, index: int, number: int) -> bool:
    """Return whether a match is for third place and no later stage seats its players.

    ``index`` is the stage's in the plan, from 0; ``number`` the match's.
    """
    stage, used = plan.stages[index], plan.used_places(index)
    third = {match.number for match in bracket_matches(stage) if match.third_place}
    places = (
        p for p in stage.places if isinstance(p, (WinnerPlace, LoserPlace)) and p.name in used
    )
    return number in third and all(place.match != number for place in places)


Known = Mapping[int, tuple[Pairing, Result]]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchProgress:
    """Who has advanced from a bracket match so far: winner and loser, None for nobody.

    If it is not ``decided``, two players may still meet in it, or its result is missing.
    """

    winner: PlayerId | None = None
    loser: PlayerId | None = None
    decided: bool = True


OPEN = MatchProgress(decided=False)
Progress = Mapping[int, MatchProgress]


def bracket_progress(state: StageState) -> dict[int, MatchProgress]:
    """Return the progress of each match of a stage's bracket, by match number.

    Players without an opponent advance without a match. If a round was made without a match that
    had both players, as after a correction, neither of them advances. If a correction left a round
    in place in which the loser plays on as the winner, the winner has the other seat. A second
    match of the grand final that is not needed has the result of the first.
    """
    shape, known = bracket_matches(state.plan), matches_by_number(state)
    made = max((match.round for match in shape if match.number in known), default=0)
    takers = _takers(shape) if any(match.part is BracketPart.LOWER for match in shape) else {}
    progress: dict[int, MatchProgress] = {}
    for match in shape:
        ended = _match_progress(state, match, known, progress, made)
        if match.number in known and ended.winner is not None and ended.loser is not None:
            ended = _as_seated(ended, match.number, takers, known)
        progress[match.number] = ended
    return progress


def _takers(shape: Matches) -> dict[tuple[int, bool], int]:
    """Return {(match, of its winner): the match in which that player has a seat}, by number."""
    return {
        (source.match, source.winner): match.number
        for match in shape
        for source in match.sources
        if isinstance(source, MatchSource)
    }


def _as_seated(
    ended: MatchProgress, number: int, takers: Mapping[tuple[int, bool], int], known: Known
) -> MatchProgress:
    """Return the progress of a match with winner and loser as its next matches seat them."""
    upper, lower = takers.get((number, True)), takers.get((number, False))
    if upper is None or lower is None or (upper in known) == (lower in known):
        return ended
    comes, other = ended.winner, ended.loser
    if lower in known:
        comes, other = other, comes
    pairing, _result = known[upper if upper in known else lower]
    if other in pairing.seats and comes not in pairing.seats:
        return MatchProgress(winner=ended.loser, loser=ended.winner)
    return ended


def final_progress(state: StageState) -> dict[int, MatchProgress]:
    """Return the progress of each match of a bracket, by match number.

    Both matches of a grand final have the result of the second.
    """
    progress = bracket_progress(state)
    for match in bracket_matches(state.plan):
        source = match.sources[0]
        if match.part is BracketPart.AGAIN and isinstance(source, MatchSource):
            progress[source.match] = progress[match.number]
    return progress


def match_sides(
    state: StageState, match: BracketMatch, progress: Progress
) -> tuple[tuple[PlayerId | None, bool], tuple[PlayerId | None, bool]]:
    """Return (player, whether the side is decided) for both sides of a bracket match.

    The player is None for nobody.
    """
    a, b = match.sources
    return _player_from(state, a, progress), _player_from(state, b, progress)


def _is_needed(state: StageState, match: BracketMatch, progress: Progress) -> bool:
    """Return whether the second match of a grand final has to be played as far as is known.

    No other match can be unnecessary with both players known.
    """
    source = match.sources[0]
    if not isinstance(source, MatchSource) or source.match not in matches_by_number(state):
        return False
    upper, _result = matches_by_number(state)[source.match]
    return progress[source.match].winner not in (None, upper.seats[0])


def possible_matches(state: StageState) -> tuple[BracketMatch, ...]:
    """Return the matches not paired yet in which two players may still meet."""
    known, progress = matches_by_number(state), bracket_progress(state)
    possible: dict[tuple[int, bool], bool] = {}
    found = []
    for match in bracket_matches(state.plan):
        ended = progress[match.number]
        if ended.decided:
            both, one = ended.loser is not None, ended.winner is not None
        elif match.number in known:
            both = one = True
        else:
            sides = [
                possible[source.match, source.winner]
                if isinstance(source, MatchSource)
                else player is not None
                for source, (player, _sure) in zip(
                    match.sources, match_sides(state, match, progress), strict=True
                )
            ]
            both, one = all(sides), any(sides)
            if both:
                found.append(match)
        possible[match.number, True], possible[match.number, False] = one, both
    return tuple(found)


def remaining_players(state: StageState) -> frozenset[PlayerId]:
    """Return the players who have not been eliminated from a bracket that has begun.

    That is those known to have a match to play, and the winner.
    """
    last, progress = bracket_matches(state.plan)[-1:], bracket_progress(state)
    winners = {progress[match.number].winner for match in last if progress[match.number].decided}
    return players_with_match(state) | {player for player in winners if player is not None}


def players_with_match(state: StageState) -> frozenset[PlayerId]:
    """Return the players known to have a match to play in a bracket."""
    known, progress = matches_by_number(state), bracket_progress(state)
    found: set[PlayerId | None] = set()
    for match in bracket_matches(state.plan):
        if progress[match.number].decided:
            continue
        if match.number in known:
            pairing, _result = known[match.number]
            found.update(pairing.seats)
        else:
            found.update(player for player, _sure in match_sides(state, match, progress))
    return frozenset(player for player in found if player is not None)


def _match_progress(
    state: StageState, match: BracketMatch, known: Known, progress: Progress, made: int
) -> MatchProgress:
    if match.number in known:
        _pairing, result = known[match.number]
        if not result.is_played:
            return OPEN
        return MatchProgress(winner=match_winner(result), loser=match_loser(result))
    (a, a_known), (b, b_known) = match_sides(state, match, progress)
    if not (a_known and b_known):
        return OPEN
    if match.part is BracketPart.AGAIN and not _is_needed(state, match, progress):
        return MatchProgress(
            winner=b, loser=a
        )  # the second player is the winner of the first match
    if a is None or b is None:
        return MatchProgress(winner=b if a is None else a)
    return MatchProgress() if match.round <= made else OPEN


def _player_from(
    state: StageState, source: Source, progress: Progress
) -> tuple[PlayerId | None, bool]:
    if isinstance(source, MatchSource):
        ended = progress[source.match]
        return (ended.winner if source.winner else ended.loser), ended.decided
    seats = state.seats[state.plan.groups[0].name]
    return (seats[source.number - 1] if source.number <= len(seats) else None), True
