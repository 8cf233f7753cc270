"""Swiss rounds: a fixed number of rounds between players with similar points.

Source: tournament rules, Other formulas to ship (Swiss) and Points (byes, withdrawals).
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace

from rules.results import BYE, PlayerId
from rules.stages.base import (
    ROUNDS,
    STAGE_KINDS,
    Pairing,
    StageKind,
    StageState,
    awarded_byes,
    require_results,
)
from rules.swiss.lineup import Entrant
from rules.swiss.rounds import SwissPair, pair_round
from rules.wording import Sentence
from rules.wording import gettext_noop as _


class Swiss(StageKind):
    """The kind of stage with Swiss rounds of two-player matches, in one group."""

    key = "swiss"
    label = Sentence("Swiss rounds")
    settings = (ROUNDS,)
    pairs_by_points = True
    honours_byes = True
    needs_seed = True
    admits_late = True

    def next_round(self, state: StageState) -> tuple[Pairing, ...]:
        """Return the pairings of the next round, () after the last.

        Raises RuleError ``results_missing``: pairings depend on all results.
        """
        if self.is_over(state):
            return ()
        require_results(state)
        made = sum(not pairing.missed for played in state.rounds for pairing, _result in played)
        byes = awarded_byes(state)
        field = (one for one in entrants(state) if one.player not in byes)
        found = (
            *pair_round(field, seed=f"{state.seed}:{len(state.rounds) + 1}"),
            *(_awarded_bye(player, rounds) for player, rounds in byes.items()),
        )
        return tuple(
            _pairing(state, made + number, pair) for number, pair in enumerate(found, start=1)
        )

    def total_rounds(self, state: StageState) -> int:
        """Return the plan's number of rounds; those made once fewer than two players are left."""
        enough = len(_players_present(state)) > 1
        return state.plan.rounds if enough else len(state.rounds)

    def describe_round(self, state: StageState, number: int) -> Sentence:
        """Return a round's label."""
        return Sentence("Round %(number)s", {"number": number})

    def openings(self, state: StageState) -> tuple[Pairing, ...]:
        """Return the byes of the last round whose players are there, then who came too late for it.

        A bye is a whole one that the pairing gave; of several, those given by hand come last. No
        awarded ones, and none after tiebreaker matches.
        """
        if not state.rounds or state.tiebreaker_rounds:
            return ()
        awarded = awarded_byes(replace(state, rounds=state.rounds[:-1]))
        stay = state.withdrawn | awarded.keys()
        found = (
            pairing
            for pairing, result in state.rounds[-1]
            if len(pairing.seats) == 1 and (result.is_bye or pairing.missed)
            if stay.isdisjoint(pairing.seats)
        )
        return tuple(sorted(found, key=lambda one: (one.missed, one.by_hand, one.number)))


def _pairing(state: StageState, number: int, pair: SwissPair) -> Pairing:
    one, other, reason = pair
    return Pairing(
        group=state.plan.groups[0].name,
        number=number,
        seats=(one,) if other is None else (one, other),
        best_of=state.plan.best_of[0],
        outcome=BYE if other is None else None,
        reason=reason,
    )


def _awarded_bye(player: PlayerId, rounds: int) -> SwissPair:
    words = _("Bye in rounds 1 to %(rounds)s, awarded before the start.")
    if rounds == 1:
        words = _("Bye: awarded before the start.")
    return SwissPair(a=player, b=None, reason=Sentence(words, {"rounds": rounds}))


def _players_present(state: StageState) -> list[PlayerId]:
    return [player for player in state.players if player not in state.withdrawn]


def entrants(state: StageState) -> Iterator[Entrant]:
    """Yield the players to pair in the next Swiss round.

    Each with points, opponents, byes and floats so far. A missed round counts as a bye here, so its
    player gets the next one later than others.
    """
    points: Counter[PlayerId] = Counter()
    byes: Counter[PlayerId] = Counter()
    floats: Counter[PlayerId] = Counter()
    met: dict[PlayerId, set[PlayerId]] = defaultdict(set)
    for played in state.rounds:
        before = points.copy()
        for pairing, result in played:
            seats = pairing.seats
            for player, made in zip(seats, state.points.of(result), strict=False):
                points[player] += made
            if len(seats) == 1:
                byes[seats[0]] += result.is_bye or pairing.missed
                continue
            one, other = seats
            met[one].add(other)
            met[other].add(one)
            if before[one] != before[other]:
                floats.update(seats)
    apart: dict[PlayerId, set[PlayerId]] = defaultdict(set)
    for pair in state.apart:
        for player in pair:
            apart[player] |= pair - {player}
    for player in _players_present(state):
        yield Entrant(
            player=player,
            points=points[player],
            met=frozenset(met[player]),
            apart=frozenset(apart[player]),
            byes=byes[player],
            floats=floats[player],
        )


SWISS = STAGE_KINDS.add(Swiss())
