"""The examples to begin one's own formula with can be played as they are."""

from dataclasses import replace

import pytest

from rules.formulas import FORMULAS, describe
from rules.formulas.custom import custom_formula, faults, read_definition, write_definition
from rules.formulas.custom.definition import GroupDefinition, MatchWinner
from rules.formulas.examples import CONSOLATION, EXAMPLES, TWO_GROUPS, Example
from rules.plans import FormulaPlan
from rules.results import Winner, of_two
from rules.stages.kind import shape_of
from rules.stages.knockout import KNOCKOUT
from tests.rules.play import PlayedEvent, lower_wins, play_out


def played(example: Example, players: int) -> PlayedEvent:
    plan = custom_formula("custom_example", example.definition(str)).plan(players)
    event = PlayedEvent(plan, list(range(1, players + 1)))
    event.play(lower_wins)
    return event


@pytest.mark.parametrize("example", list(EXAMPLES), ids=EXAMPLES.keys())
def test_an_example_has_no_fault_and_survives_a_round_trip(example: Example) -> None:
    definition = example.definition(str)
    assert faults(definition) == ()
    assert read_definition(write_definition(definition)) == definition
    assert example.key not in FORMULAS


@pytest.mark.parametrize("example", list(EXAMPLES), ids=EXAMPLES.keys())
def test_an_example_is_played_to_a_ranking_of_everybody(example: Example) -> None:
    for players in {example.lowest, example.lowest + 1, example.highest}:
        ranking = played(example, players).ranking()
        assert sorted(p for level in ranking for p in level) == list(range(1, players + 1))
        assert ranking[0] == (1,)


def test_the_losers_of_quarter_finals_play_for_the_fifth_place() -> None:
    event = played(CONSOLATION, 12)
    assert list(event.ranking()[:8]) == [(place,) for place in range(1, 9)]
    quarters, losers, finals = event.states[1:]
    assert losers.players == tuple(
        result.seats[-1] if result.winner is Winner.A else result.seats[0]
        for _pairing, result in sorted(quarters.rounds[0], key=lambda each: each[0].number)
    )
    assert set(finals.players).isdisjoint(losers.players)


def test_matches_for_the_fifth_and_the_seventh_place_are_called_so() -> None:
    plan = custom_formula("custom_example", CONSOLATION.definition(str)).plan(12)
    assert FormulaPlan.from_json(plan.to_json()) == plan
    assert [stage.ranks_from for stage in plan.stages] == [1, 1, 5, 1]
    assert "ranks_from" not in plan.to_json()["stages"][3]
    event = played(CONSOLATION, 12)
    losers, finals = event.states[2:]
    assert str(KNOCKOUT.describe_round(losers, 2)) == "For places 5 and 7"
    assert str(KNOCKOUT.describe_round(finals, 2)) == "Final and third place"
    labels = [str(KNOCKOUT.describe_match(losers.plan, match)) for match in shape_of(losers.plan)]
    assert labels == ["Match 1", "Match 2", "For place 7", "Match 4"]
    told = [str(sentence) for sentence in describe(plan)]
    assert "The match for place 5: one game." in told
    assert "The losers of the semi-finals play for place 7." in told


def test_a_bracket_whose_winner_plays_on_has_a_final() -> None:
    definition = CONSOLATION.definition(str)
    semis = replace(
        definition.stages[3],
        groups=(
            GroupDefinition(
                name="F",
                entrants=(
                    MatchWinner(stage=3, winner=4),
                    *(MatchWinner(stage=2, winner=match) for match in (1, 2, 3, 4)),
                ),
            ),
        ),
    )
    changed = replace(definition, stages=(*definition.stages[:3], semis))
    plan = custom_formula("custom_example", changed).plan(12)
    assert [stage.ranks_from for stage in plan.stages] == [1, 1, 1, 1]


def test_nobody_sits_twice_when_the_winner_of_a_quarter_final_leaves() -> None:
    """Their loser has a place already, so the semi-final of the free one is not played."""
    plan = custom_formula("custom_example", CONSOLATION.definition(str)).plan(12)
    event = PlayedEvent(plan, list(range(1, 13)))
    event.state = play_out(event.state, lower_wins)
    event.draw_lots()
    event.advance()
    event.state = replace(play_out(event.state, lower_wins), withdrawn=frozenset({1}))
    assert event.outcome.left_out == (1,)
    event.play(lower_wins)
    seated = [{p for seats in state.seats.values() for p in seats} for state in event.states[2:]]
    assert seated[0] & seated[1] == set()
    assert [None in seats for seats in seated] == [False, True]
    ranking = event.ranking()
    assert sorted(p for level in ranking for p in level) == list(range(1, 13))
    assert ranking[0] == (2,)


def test_firsts_meet_the_seconds_of_the_other_group() -> None:
    plan = custom_formula("custom_example", TWO_GROUPS.definition(str)).plan(8)
    event = PlayedEvent(plan, list(range(1, 9)))
    event.play(lower_wins)
    tables = event.outcome_of(0).standings
    a, b = ([row.player for row in tables[group].rows] for group in "AB")
    first = {frozenset(of_two(p.seats, None)) for p, _result in event.states[1].rounds[0]}
    assert first == {frozenset((a[0], b[1])), frozenset((b[0], a[1]))}
