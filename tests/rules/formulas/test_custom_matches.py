"""What a formula of one's own takes from matches of a bracket: winners, losers, byes."""

from tests.rules.formulas import definitions as make
from tests.rules.formulas.definitions import told


def test_a_play_in_names_its_winners() -> None:
    def play_in(*matches: int, lowest: int = 9) -> list[str]:
        winners = [make.winner(1, match) for match in matches]
        return told(
            make.formula(
                make.stage("Play-in", "knockout", make.group("P"), survivors=8),
                make.stage("Knock-out", "knockout", make.group("KO", *winners)),
                lowest=lowest,
                highest=16,
            )
        )

    assert play_in(*range(1, 9)) == []
    assert play_in(*range(1, 10)) == [
        "Stage 2, Knock-out, group KO: With 9 players nobody is the winner of match 9 in stage 1."
    ]
    assert play_in(*range(1, 9), lowest=8) == [
        "Stage 1, Play-in, group P: With 8 players it has 8, so it can't bring them to 8.",
        *(
            f"Stage 2, Knock-out, group KO: With 8 players nobody is the winner of match {match} "
            "in stage 1."
            for match in range(1, 9)
        ),
    ]


def test_a_match_that_is_a_bye_has_no_loser() -> None:
    def losers(lowest: int) -> list[str]:
        entrants = [make.winner(1, 7), make.loser(1, 7), make.loser(1, 1)]
        return told(
            make.formula(
                make.stage("First", "knockout", make.group("P")),
                make.stage("Then", "round_robin", make.group("A", *entrants)),
                lowest=lowest,
                highest=8,
            )
        )

    assert losers(8) == []
    assert losers(7) == [
        "Stage 2, Then, group A: With 7 players nobody is the loser of match 1 in stage 1."
    ]


def test_one_way_through_a_bracket_is_taken_once() -> None:
    entrants = [make.winner(1, 5), make.winner(1, 7), make.loser(1, 6)]
    data = make.formula(
        make.stage("First", "knockout", make.group("P")),
        make.stage("Then", "round_robin", make.group("A", *entrants)),
        lowest=8,
    )
    assert told(data) == [
        "Stage 1, First: the winner of match 5 in stage 1 and the winner of match 7 in stage 1 "
        "may be the same player; both go on."
    ]


def test_two_ways_from_one_match_to_another_are_one_player() -> None:
    """Who wins match 1 reaches the grand final, match 6, by the upper or by the lower bracket."""
    entrants = [make.winner(1, 1), make.winner(1, 6), make.loser(1, 5)]
    data = make.formula(
        make.stage("First", "double_elimination", make.group("P")),
        make.stage("Then", "round_robin", make.group("A", *entrants)),
        lowest=4,
    )
    assert told(data) == [
        "Stage 1, First: the winner of match 1 in stage 1 and the loser of match 5 in stage 1 may "
        "be the same player; both go on.",
        "Stage 1, First: the winner of match 1 in stage 1 and the winner of match 6 in stage 1 "
        "may be the same player; both go on.",
    ]


def test_the_loser_of_a_match_gets_no_further_than_its_winner() -> None:
    first = [make.winner(1, 3), {"start": 1}]
    second = [{"start": 2}, {"start": 3}]
    data = make.formula(
        make.stage("First", "knockout", make.group("P")),
        make.stage("Then", "round_robin", make.group("A", *first), make.group("B", *second)),
        make.stage("Last", "knockout", make.group("F", make.loser(1, 3), make.rank(2, "B", 1))),
        lowest=7,
    )
    assert told(data) == [
        "Stage 1, First: the loser of match 3 in stage 1 can get further than the winner of match "
        "3 in stage 1. The last stage ranks highest: let the better player get as far."
    ]


def test_a_round_more_gives_matches_other_numbers() -> None:
    """Nine players have a bracket of sixteen, whose match 7 is one of the first round."""
    data = make.formula(
        make.stage("First", "knockout", make.group("P")),
        make.stage("Then", "knockout", make.group("F", make.winner(1, 7), make.loser(1, 7))),
        lowest=5,
        highest=9,
    )
    assert told(data) == [
        "Stage 2, Then, group F: With 9 players nobody is the loser of match 7 in stage 1."
    ]
