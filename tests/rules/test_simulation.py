"""Whole events played purely, with corrections and withdrawals; invariants after every step."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rules.errors import BadInput
from rules.formulas import FORMULAS
from rules.plans import ROUND_ROBIN, start_places
from rules.results import Result, Winner, two_player_result, two_seats
from rules.stages.base import STAGE_KINDS, Pairing, StageState, is_complete, stage_kind
from rules.stages.knockout import matches_by_number
from tests.effort import examples
from tests.rules.formulas.test_every_formula import values_of
from tests.rules.play import PlayedEvent, add_round

MOST = {"single-group": 8}
"""The most players of a formula whose rounds grow with them; twenty of every other."""


def result_of(pairing: Pairing, outcome: str, score: int) -> Result:
    """Return a result; a draw where draws are not possible becomes a win of the first."""
    winner = Winner.A if outcome == "draw" and not pairing.draws else Winner(outcome)
    scores = {Winner.A: (score + 1, score), Winner.B: (score, score + 1)}
    made = scores.get(winner, (score, score))
    return two_player_result(
        *pairing.seats, winner=winner, score=None if winner is Winner.NONE else made
    )


class WholeEvents(RuleBasedStateMachine):
    """One event: rounds, results, corrections, withdrawals, second legs, lots, advancement."""

    @initialize(data=st.data())
    def start(self, data: st.DataObject) -> None:
        formula = data.draw(st.sampled_from(list(FORMULAS)))
        players = data.draw(st.integers(formula.minimum, MOST.get(formula.key, 20)))
        options = {
            option.key: data.draw(st.sampled_from([option.default, *values_of(option)]))
            for option in formula.options
        }
        try:
            plan = formula.plan(players, options)
        except BadInput:  # some options do not fit some numbers of players
            plan = formula.plan(players)
        self.event = PlayedEvent(plan, list(range(1, players + 1)))

    @property
    def state(self) -> StageState:
        return self.event.state

    def open_matches(self) -> list[tuple[int, int]]:
        return [
            (number, index)
            for number, played in enumerate(self.state.rounds)
            for index, (_pairing, result) in enumerate(played)
            if result.winner is None
        ]

    def store(self, number: int, index: int, result: Result) -> None:
        rounds = [list(played) for played in self.state.rounds]
        pairing, _old = rounds[number][index]
        rounds[number][index] = (pairing, replace(result, round=number + 1))
        self.event.state = replace(self.state, rounds=tuple(tuple(played) for played in rounds))

    @precondition(lambda self: not self.open_matches() and not is_complete(self.state))
    @rule(outcomes=st.lists(st.sampled_from(["a", "b", "draw"]), min_size=20, max_size=20))
    def play_round(self, outcomes: list[str]) -> None:
        self.event.state = add_round(
            self.state, lambda pairing: result_of(pairing, outcomes[pairing.number % 20], 1)
        )

    @precondition(lambda self: not self.open_matches() and not is_complete(self.state))
    @rule()
    def make_round(self) -> None:
        self.event.state = add_round(self.state)

    @precondition(lambda self: self.open_matches())
    @rule(outcome=st.sampled_from(["a", "b", "draw", "none"]), score=st.integers(0, 2))
    def enter_result(self, outcome: str, score: int) -> None:
        number, index = self.open_matches()[0]
        pairing = self.state.rounds[number][index][0]
        self.store(number, index, result_of(pairing, outcome, score))

    @precondition(lambda self: self.state.rounds)
    @rule(data=st.data(), outcome=st.sampled_from(["a", "b", "draw"]))
    def correct_result(self, data: st.DataObject, outcome: str) -> None:
        last = len(self.state.rounds) - 1
        first = last if stage_kind(self.state.plan).has_bracket else 0
        number = data.draw(st.integers(first, last))
        index = data.draw(st.integers(0, len(self.state.rounds[number]) - 1))
        pairing, old = self.state.rounds[number][index]
        if pairing.outcome is None and old.winner is not None:
            self.store(number, index, result_of(pairing, outcome, 1))

    @precondition(lambda self: len(self.state.withdrawn) < 3)
    @rule(data=st.data())
    def withdraw(self, data: st.DataObject) -> None:
        player = data.draw(st.sampled_from(list(self.event.order)))
        gone = self.state.withdrawn | {player}
        self.event.state = replace(self.state, withdrawn=gone)
        for number, index in self.open_matches():
            pairing = self.state.rounds[number][index][0]
            if player in two_seats(pairing.seats, None):
                winner = Winner.B if player == pairing.seats[0] else Winner.A
                self.store(number, index, two_player_result(*pairing.seats, winner=winner))

    @precondition(lambda self: self.state.legs == 1 and self.state.plan.kind == ROUND_ROBIN)
    @rule()
    def decide_second_leg(self) -> None:
        self.event.state = replace(self.state, legs=2)

    @precondition(lambda self: is_complete(self.state) and not self.event.is_last)
    @rule()
    def advance(self) -> None:
        self.event.draw_lots()
        offered = {place.name for place in self.state.plan.places}
        used = offered & self.event.plan.used_places(self.event.index)
        decided = self.event.outcome
        assert decided.lots_needed == ()
        holders = [decided.places[name] for name in used if name in decided.places]
        assert not set(holders) & self.state.withdrawn
        assert len(holders) == len(set(holders)), "a player holds one place"
        full = all(None not in seats for seats in self.state.seats.values())
        if full and not self.state.withdrawn and not self.no_winner():
            assert len(holders) == len(used)
        self.event.advance()

    @rule()
    def look(self) -> None:
        """Do nothing: an event that is over can only be looked at."""

    def no_winner(self) -> bool:
        if not stage_kind(self.state.plan).has_bracket:
            return False
        return any(r.winner is Winner.NONE for _p, r in matches_by_number(self.state).values())

    @invariant()
    def nobody_plays_twice_in_a_round(self) -> None:
        for played in self.state.rounds:
            seated = [
                player
                for pairing, _r in played
                for player in two_seats(pairing.seats, None)
                if player
            ]
            assert len(seated) == len(set(seated))

    @invariant()
    def each_pair_meets_once_a_leg(self) -> None:
        if self.state.plan.kind != ROUND_ROBIN:
            return
        for group in self.state.plan.groups:
            met = Counter(
                frozenset(two_seats(result.seats, None))
                for result in self.state.results_of(group.name)
            )
            assert all(count <= self.state.legs for count in met.values())
            if is_complete(self.state):
                seated = [player for player in self.state.seats[group.name] if player]
                pairs = {frozenset(pair) for pair in combinations(seated, 2)}
                assert met == dict.fromkeys(pairs, self.state.legs)

    @invariant()
    def points_handed_out_add_up(self) -> None:
        for name, standings in self.event.outcome.standings.items():
            results = [result for result in self.state.results_of(name) if result.winner]
            worth = {Winner.DRAW: 2, Winner.NONE: 0}
            given = sum(worth.get(result.winner, 3) for result in results if result.winner)
            assert sum(row.values["points"] for row in standings.rows) == given

    @invariant()
    def rankings_name_nobody_twice_and_only_who_is_out(self) -> None:
        ranked = [player for level in self.event.ranking() for player in level]
        assert len(ranked) == len(set(ranked))
        if self.event.is_last and is_complete(self.state):
            assert set(ranked) == set(self.event.order)
        else:
            open_ = {p for n, i in self.open_matches() for p in self.players_of(n, i)}
            assert not open_ & set(ranked)

    def players_of(self, number: int, index: int) -> set[int | str]:
        pairing = self.state.rounds[number][index][0]
        return {player for player in two_seats(pairing.seats, None) if player is not None}

    @invariant()
    def the_same_facts_give_the_same_answer(self) -> None:
        if not self.open_matches():
            kind = STAGE_KINDS.get(self.state.plan.kind)
            assert kind.next_round(self.state) == kind.next_round(self.state)
        assert set(start_places(len(self.event.order))) <= set(self.event.places)


WholeEvents.TestCase.settings = settings(
    examples(0.6),
    stateful_step_count=60,
    phases=[Phase.explicit, Phase.generate],
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestWholeEvents = WholeEvents.TestCase
