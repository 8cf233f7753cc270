"""What each kind of stage promises; groups and Swiss rounds."""

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import BadInput, RuleError
from rules.formulas.custom import read_definition
from rules.plans import KNOCKOUT, GroupPlan, StagePlan
from rules.results import (
    BYE,
    HALF_BYE,
    MISSED,
    MatchEnding,
    Outcome,
    PlayerId,
    Result,
    Winner,
    outcome_by_winner,
    two_player_result,
    two_seats,
)
from rules.stages import STAGE_KINDS
from rules.stages.base import (
    LEGS,
    Pairing,
    Setting,
    StageKind,
    StageState,
    TiebreakerRound,
    custom_stage_kinds,
    is_complete,
    is_paired_by_hand,
    paired_matches,
    stage_kind,
    state_before_round,
)
from rules.stages.knockout import ROUNDS, match_winner, matches_by_number, round_label
from rules.stages.round_robin import ROUND_ROBIN, round_robin_schedule, rounds_per_leg
from rules.stages.swiss import SWISS, entrants
from rules.wording import Sentence
from tests.effort import examples
from tests.rules.formulas import definitions as make
from tests.rules.play import add_round, lower_wins, one_group, opening, play_out

KINDS = pytest.mark.parametrize("kind", list(custom_stage_kinds()), ids=lambda kind: kind.key)
sizes = st.integers(2, 20)
chance = st.randoms(use_true_random=False)


def opening_state(kind: StageKind, size: int, random: Random) -> StageState:
    seats = tuple(f"S{number}" for number in range(1, size + 1))
    plan = StagePlan(
        key="stage",
        label=Sentence("Stage"),
        kind=kind.key,
        groups=(GroupPlan(name="A", seats=seats),),
        legs=random.choice((1, 1, 2, 3, 4)),
        third_place=random.choice((True, False)),
        rounds=random.randrange(1, 7),
        second_final=random.choice((True, False)),
    )
    return one_group(range(1, size + 1), plan)


def at_random(random: Random, pairing: Pairing) -> Result:
    winners = [Winner.A, Winner.B, Winner.NONE]
    if pairing.draws:
        winners.append(Winner.DRAW)
    return two_player_result(*pairing.seats, winner=random.choice(winners))


def players_of(pairings: tuple[Pairing, ...]) -> list[int | str]:
    return [p for pairing in pairings for p in two_seats(pairing.seats, None) if p is not None]


@KINDS
@given(size=sizes, random=chance)
@examples(0.6)
def test_it_ends_as_announced_and_seats_nobody_twice(
    kind: StageKind, size: int, random: Random
) -> None:
    state = opening_state(kind, size, random)
    announced = kind.total_rounds(state)
    while pairings := kind.next_round(state):
        seated = players_of(pairings)
        assert len(seated) == len(set(seated))
        assert str(kind.describe_round(state, len(state.rounds) + 1))
        state = add_round(state, lambda pairing: at_random(random, pairing))
        assert len(state.rounds) <= kind.total_rounds(state) <= announced
    assert is_complete(state)
    assert kind.total_rounds(state) in (announced, len(state.rounds))


@KINDS
@given(size=sizes, random=chance)
@examples(0.4)
def test_the_same_facts_give_the_same_round(kind: StageKind, size: int, random: Random) -> None:
    state = add_round(opening_state(kind, size, random), lambda pairing: at_random(random, pairing))
    assert kind.next_round(state) == kind.next_round(replace(state))


@KINDS
@given(size=sizes, random=chance)
@examples(0.6)
def test_it_survives_withdrawals(kind: StageKind, size: int, random: Random) -> None:
    state = opening_state(kind, size, random)
    numbers: list[int] = []
    while pairings := kind.next_round(state):
        for pairing in pairings:
            gone = {*two_seats(pairing.seats, None)} & state.withdrawn
            if len(pairing.seats) == 2 and gone:
                assert pairing.outcome is not None
                kept = dict(zip((Winner.A, Winner.B), pairing.seats, strict=True))
                assert kept.get(pairing.outcome.winner) not in state.withdrawn
        numbers += [pairing.number for pairing in pairings]
        state = add_round(state, lambda pairing: at_random(random, pairing))
        if random.random() < 0.5:
            left = random.choice(state.players)
            state = replace(state, withdrawn=state.withdrawn | {left})
    assert numbers == sorted(set(numbers))


@given(size=sizes, random=chance)
@examples(0.6)
def test_a_knock_out_never_recalls_who_is_out(size: int, random: Random) -> None:
    state = opening_state(STAGE_KINDS.get(KNOCKOUT), size, random)
    state = replace(state, plan=replace(state.plan, third_place=False))
    while pairings := STAGE_KINDS.get(KNOCKOUT).next_round(state):
        out = {
            player
            for pairing, result in matches_by_number(state).values()
            for player in two_seats(pairing.seats, None)
            if player != match_winner(result)
        }
        assert not out & set(players_of(pairings))
        state = add_round(state, lambda pairing: at_random(random, pairing))


RUNGS = Setting(key="rungs", label=Sentence("rungs"), usual=2, least=1, most=9)
BACK = Setting(key="way_back", label=Sentence("the way back"), usual=False)


class Ladder(StageKind):
    """A kind that says nothing of brackets; its rounds are never made."""

    key = "ladder"
    label = Sentence("Ladder")
    settings = (LEGS, RUNGS, BACK)

    def next_round(self, state: StageState) -> tuple[Pairing, ...]:
        """Return no pairings."""
        return ()

    def total_rounds(self, state: StageState) -> int:
        """Return the number of rungs."""
        return int(self.value_of(state.plan, "rungs"))

    def describe_round(self, state: StageState, number: int) -> Sentence:
        """Return the label of a rung."""
        return Sentence("Rung")


def plan_of(**own: int | bool) -> StagePlan:
    return StagePlan(
        key="ladder",
        label=Sentence("Ladder"),
        kind="ladder",
        groups=(GroupPlan(name="A", seats=("S1", "S2", "S3")),),
        own=tuple(own.items()),
    )


def test_a_kind_has_no_bracket_unless_it_says_so() -> None:
    ladder, plan = Ladder(), plan_of()
    assert ladder.has_table
    assert ladder.matches(plan) == ()
    assert ladder.named_matches(3, plan) == ()
    assert ladder.game_parts(3) == ()
    assert [str(each) for each in ladder.describe(plan, 2)] == ["Ladder · Players: 3 · Rounds: 2"]


def test_a_stage_is_called_as_its_kind_but_round_robins_are_groups() -> None:
    assert [str(kind.usual_name) for kind in (Ladder(), ROUND_ROBIN)] == ["Ladder", "Groups"]


def test_settings_of_a_kind_alone_have_their_usual_value_unless_given() -> None:
    ladder = Ladder()
    assert ladder.own_settings == (RUNGS, BACK)
    assert [setting.is_flag for setting in ladder.own_settings] == [False, True]
    assert [ladder.value_of(plan_of(), key) for key in ("rungs", "way_back")] == [2, False]
    assert ladder.value_of(plan_of(rungs=5), "rungs") == 5


def test_settings_of_a_kind_alone_are_read_in_a_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = {kind.key: kind for kind in (*STAGE_KINDS, Ladder())}
    monkeypatch.setattr(STAGE_KINDS, "_items", kinds)
    data = make.formula(make.stage("One", "ladder", make.group("A"), rungs=7), lowest=3)
    (stage,) = read_definition(data).stages
    assert stage.own == (("rungs", 7), ("way_back", False))
    data["stages"][0]["rungs"] = 10
    with pytest.raises(BadInput) as refused:
        read_definition(data)
    assert refused.value.sentence.values["field"] == "stages[0].rungs"


def test_rounds_of_more_than_256_have_the_number_of_players():
    assert round_label(1) == ROUNDS[0]
    far = round_label(len(ROUNDS) + 1)
    assert far.values == {"players": 2 ** (len(ROUNDS) + 2)}


def group(name: str, *players: str | int) -> tuple[GroupPlan, tuple[str | int, ...]]:
    seats = tuple(f"S{number}" for number in range(1, len(players) + 1))
    return GroupPlan(name=name, seats=seats), players


def stage(*groups: tuple[GroupPlan, tuple[str | int, ...]], legs: int = 1) -> StageState:
    plan = StagePlan(
        key="groups",
        label=Sentence("Groups"),
        kind="round_robin",
        groups=tuple(plan for plan, _players in groups),
        legs=legs,
    )
    return opening(plan, {plan.name: players for plan, players in groups})


def shown(pairings: tuple[Pairing, ...]) -> str:
    return " ".join("–".join(map(str, pairing.seats)) for pairing in pairings)


def rounds_of(state: StageState) -> list[str]:
    return [shown(tuple(p for p, _r in played)) for played in play_out(state, lower_wins).rounds]


@pytest.mark.parametrize(
    ("players", "order", "expected"),
    [
        (4, "standard", (((1, 2), (3, 4)), ((1, 3), (2, 4)), ((1, 4), (2, 3)))),
        (3, "standard", (((1, 2),), ((1, 3),), ((2, 3),))),
        (4, "repechage", (((1, 4), (2, 3)), ((1, 3), (2, 4)), ((1, 2), (3, 4)))),
        (3, "repechage", (((1, 2),), ((1, 3),), ((2, 3),))),
        (2, "standard", (((1, 2),),)),
        (1, "standard", ()),
        (0, "standard", ()),
    ],
)
def test_published_orders(
    players: int, order: str, expected: tuple[tuple[tuple[int, int], ...], ...]
) -> None:
    assert round_robin_schedule(players, order) == expected


@pytest.mark.parametrize("players", range(2, 21))
def test_everybody_meets_everybody_once(players: int) -> None:
    rounds = round_robin_schedule(players)
    assert len(rounds) == players - 1 + players % 2
    pairs = [pair for pairings in rounds for pair in pairings]
    assert sorted(pairs) == list(combinations(range(1, players + 1), 2))
    assert all(len({seat for pair in r for seat in pair}) == 2 * len(r) for r in rounds)


@pytest.mark.parametrize("order", ["standard", "repechage"])
@pytest.mark.parametrize("players", range(40))
def test_the_number_of_rounds_needs_no_schedule(players: int, order: str) -> None:
    assert rounds_per_leg(players) == len(round_robin_schedule(players, order))


def test_the_second_leg_swaps_seats() -> None:
    state = stage(group("A", 1, 2, 3, 4), legs=2)
    assert rounds_of(state) == ["1–2 3–4", "1–3 2–4", "1–4 2–3", "2–1 4–3", "3–1 4–2", "4–1 3–2"]
    assert str(ROUND_ROBIN.describe_round(state, 3)) == "Round 3, first leg"
    assert str(ROUND_ROBIN.describe_round(state, 4)) == "Round 4, second leg"


def test_every_further_leg_swaps_seats_once_more() -> None:
    state = stage(group("A", 1, 2, 3), group("B", 4, 5), legs=4)
    assert ROUND_ROBIN.total_rounds(state) == 12
    assert ROUND_ROBIN.matches_by_round(state) == [2, 1, 1] * 4
    there, back = ["1–2 4–5", "1–3", "2–3"], ["2–1 5–4", "3–1", "3–2"]
    assert rounds_of(state) == [*there, *back, *there, *back]
    legs = [pairing.leg for ((pairing, _result), *_more) in play_out(state, lower_wins).rounds]
    assert legs == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
    said = [str(ROUND_ROBIN.describe_round(state, number)) for number in (1, 4, 6, 12)]
    assert said == ["Round 1, leg 1", "Round 4, leg 2", "Round 6, leg 2", "Round 12, leg 4"]


def test_the_second_leg_may_be_decided_while_the_first_runs() -> None:
    state = add_round(stage(group("A", 1, 2, 3, 4)), lower_wins)
    assert ROUND_ROBIN.total_rounds(state) == 3
    state = play_out(replace(state, legs=2), lower_wins)
    assert len(state.rounds) == 6
    assert [pairing.leg for pairing, _result in state.rounds[3]] == [2, 2]


def test_a_smaller_group_is_ready_earlier() -> None:
    state = stage(group("A", 1, 2, 3, 4, 5), group("B", 6, 7, 8))
    assert rounds_of(state)[2:] == ["1–4 3–5 7–8", "1–3 2–4", "1–2 4–5"]
    assert ROUND_ROBIN.total_rounds(state) == 5


def test_matches_are_numbered_through_the_stage() -> None:
    state = play_out(stage(group("A", 1, 2, 3, 4), group("B", 5, 6, 7)), lower_wins)
    numbers = [pairing.number for played in state.rounds for pairing, _result in played]
    assert numbers == list(range(1, 10))


def test_an_empty_seat_makes_a_smaller_group() -> None:
    plan, _players = group("A", 1, 2, 3, 4)
    state = replace(stage((plan, (1, 2, 3, 4))), seats={"A": (1, None, 3, 4)})
    assert rounds_of(state) == ["1–3", "1–4", "3–4"]


def test_matches_of_withdrawn_players_are_forfeits() -> None:
    state = replace(stage(group("A", 1, 2, 3, 4)), withdrawn=frozenset({1, 2}))
    both, _other = ROUND_ROBIN.next_round(state)
    assert both.outcome == outcome_by_winner(Winner.NONE, MatchEnding.DOUBLE_LOSS)
    first, second = ROUND_ROBIN.next_round(add_round(state, lower_wins))
    conceded = outcome_by_winner(Winner.B, MatchEnding.CONCESSION)
    assert first.outcome == second.outcome == conceded


def swiss(players: int, rounds: int = 3) -> StageState:
    plan = StagePlan(
        key="swiss",
        label=Sentence("Swiss rounds"),
        kind="swiss",
        groups=(GroupPlan(name="A", seats=tuple(f"S{n}" for n in range(1, players + 1))),),
        rounds=rounds,
    )
    return replace(one_group(range(1, players + 1), plan), seed="seed")


def test_the_next_round_needs_the_results() -> None:
    with pytest.raises(RuleError) as refused:
        SWISS.next_round(add_round(swiss(4)))
    assert refused.value.code == "results_missing"


def test_a_round_is_paired_again_from_the_state_before_it() -> None:
    state = play_out(swiss(6), lower_wins)
    gone = replace(state, withdrawn=frozenset({6}))
    for index in range(3):
        before = state_before_round(gone, index)
        assert before.withdrawn == frozenset()
        again = SWISS.next_round(before)
        assert again == tuple(pairing for pairing, _result in state.rounds[index])
        assert paired_matches(gone, index) == {(p.group, p.number, p.seats) for p in again}


def test_a_round_with_a_pair_by_hand_is_not_the_rules_own() -> None:
    state = add_round(swiss(4), lower_wins)
    assert not is_paired_by_hand(state, 0, draft=False)
    assert not is_paired_by_hand(state, 0, draft=True)
    ((first, result), other) = state.rounds[0]
    changed = replace(state, rounds=(((replace(first, by_hand=True), result), other),))
    assert is_paired_by_hand(changed, 0, draft=False)


def awarded(players: int, rounds: int = 3, **byes: int) -> StageState:
    """Return Swiss rounds in which p1, p2 … have so many byes."""
    state = swiss(players, rounds)
    given = tuple((int(key[1:]), number) for key, number in byes.items())
    return replace(state, plan=replace(state.plan, byes=given))


def resting(state: StageState) -> list[set[PlayerId]]:
    return [
        {pairing.seats[0] for pairing, result in played if result.ended_by is MatchEnding.BYE}
        for played in play_out(state, lower_wins).rounds
    ]


def test_awarded_byes_are_given_first_and_count_when_somebody_has_to_rest() -> None:
    state = awarded(8, rounds=4, p3=2, p5=1)
    first = SWISS.next_round(state)
    assert [(*two_seats(p.seats, None), str(p.reason)) for p in first[-2:]] == [
        (3, None, "Bye in rounds 1 to 2, awarded before the start."),
        (5, None, "Bye: awarded before the start."),
    ]
    assert [p.number for p in first] == [1, 2, 3, 4, 5]
    rested = resting(state)
    assert rested[0] == {3, 5}
    assert 3 in rested[1]
    assert len(rested[1]) == 2  # seven are left for the second round, and one of them rests
    assert not rested[1] & {5}
    assert rested[2:] == [set(), set()]


def test_who_left_has_no_bye_and_all_but_one_may_have_one() -> None:
    gone = replace(awarded(6, p1=1, p2=1), withdrawn=frozenset({1}))
    assert [p.seats[0] for p in SWISS.next_round(gone) if len(p.seats) == 1] == [2]
    alone = awarded(3, p1=1, p2=1)
    assert [two_seats(p.seats, None) for p in SWISS.next_round(alone)] == [
        (3, None),
        (1, None),
        (2, None),
    ]
    everybody = awarded(2, p1=1, p2=1)
    assert [two_seats(p.seats, None)[1] for p in SWISS.next_round(everybody)] == [None, None]


def test_a_round_is_what_it_was_where_nobody_has_a_bye_in_it() -> None:
    plain, later = swiss(9), awarded(9, p4=0)
    assert SWISS.next_round(plain) == SWISS.next_round(later)
    once = play_out(awarded(9, p4=1), lower_wins)
    for index in (1, 2):
        before = state_before_round(once, index)
        plan = replace(before.plan, byes=())
        assert SWISS.next_round(before) == SWISS.next_round(replace(before, plan=plan))


def test_a_draft_with_somebody_unpaired_is_by_hand() -> None:
    state = add_round(swiss(4), lower_wins)
    (_broken, other) = state.rounds[0]
    alone = replace(state, rounds=((other,),))
    assert is_paired_by_hand(alone, 0, draft=True)
    assert not is_paired_by_hand(alone, 0, draft=False)


def alone(state: StageState, player: PlayerId, outcome: Outcome, **how: bool) -> StageState:
    """Return the state with a match of one seat more in its last round."""
    *earlier, last = state.rounds
    pairing = Pairing(group="A", number=90 + len(last), seats=(player,), outcome=outcome, **how)
    result = Result(seats=(player,), round=len(state.rounds), outcome=outcome)
    return replace(state, rounds=(*earlier, (*last, (pairing, result))))


def taken(state: StageState) -> tuple[PlayerId, ...] | None:
    found = stage_kind(state.plan).openings(state)
    return found[0].seats if found else None


def test_the_bye_of_the_last_round_can_be_taken_while_its_player_is_there() -> None:
    state = swiss(5)
    assert taken(state) is None
    state = add_round(state, lower_wins)
    (rests,) = (p.seats for p in SWISS.next_round(swiss(5)) if len(p.seats) == 1)
    assert taken(state) == rests
    assert taken(replace(state, withdrawn=frozenset(rests))) is None
    assert (
        taken(replace(state, tiebreaker_rounds=(TiebreakerRound(level=(1, 2), played=()),))) is None
    )
    two = add_round(state, lower_wins)
    assert taken(two) not in (None, rests)


@pytest.mark.parametrize(
    ("outcome", "how", "can"),
    [
        (BYE, {}, True),
        (BYE, {"by_hand": True}, True),
        (HALF_BYE, {"by_hand": True}, False),
        (BYE, {"missed": True}, True),
        (MISSED, {"missed": True}, True),
    ],
)
def test_a_whole_bye_of_the_pairing_or_a_missed_round_can_be_taken(
    outcome: Outcome, how: dict[str, bool], can: bool
) -> None:
    state = alone(add_round(swiss(4), lower_wins), 5, outcome, **how)
    assert taken(state) == ((5,) if can else None)


def test_an_awarded_bye_cannot_be_taken_and_one_given_by_hand_comes_last() -> None:
    assert taken(add_round(awarded(6, p3=1, p4=1), lower_wins)) is None
    given = alone(add_round(awarded(7, p3=1), lower_wins), 7, BYE, by_hand=True)
    given = alone(given, 8, BYE)
    given = alone(given, 9, MISSED, missed=True)
    assert [found.seats for found in SWISS.openings(given)] == [(8,), (7,), (9,)]
    assert taken(replace(given, plan=replace(given.plan, kind="knockout"))) is None


def test_whoever_missed_a_round_rests_after_those_who_sat_out_none() -> None:
    missed = alone(add_round(swiss(4), lower_wins), 5, MISSED, missed=True)
    late = replace(missed, seats={"A": (1, 2, 3, 4, 5)})
    late = replace(late, plan=replace(late.plan, groups=swiss(5).plan.groups))
    assert {one.player: one.byes for one in entrants(late)} == {1: 0, 2: 0, 3: 0, 4: 0, 5: 1}
    (rests,) = (p.seats[0] for p in SWISS.next_round(late) if len(p.seats) == 1)
    assert rests != 5
