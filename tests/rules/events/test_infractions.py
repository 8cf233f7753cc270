"""The usual step for an infraction, for a player with and without earlier penalties."""

from rules.events.penalties import (
    INFRACTIONS,
    LADDER,
    Infraction,
    PastPenalty,
    same_words,
    usual_step,
)

LATE = Infraction("late", "Lateness", "caution")


def test_each_infraction_begins_with_a_caution_or_a_warning() -> None:
    assert len({one.key for one in INFRACTIONS}) == len(INFRACTIONS)
    for one in INFRACTIONS:
        first = usual_step((), one, words=one.label)
        assert first == one.level
        assert LADDER.index(first) < LADDER.index("game_loss")


def test_the_same_again_is_one_step_more_up_to_what_the_judge_may_give() -> None:
    past = (PastPenalty("caution", "Lateness"),)
    assert usual_step(past, LATE, words="Lateness") == "warning"
    past += (PastPenalty("match_loss", "Lateness"),)
    assert usual_step(past, LATE, words="Lateness") == "disqualification"
    assert usual_step(past, LATE, words="Lateness", highest="match_loss") == "match_loss"


def test_penalties_in_another_language_are_the_same_infraction() -> None:
    past = (PastPenalty("warning", "Ritardo"), PastPenalty("caution", "Bustina rovinata"))
    known = same_words(past, {"Ritardo": "Lateness", "Lateness": "Lateness"})
    assert known == (PastPenalty("warning", "Lateness"), PastPenalty("caution", "Bustina rovinata"))
    assert usual_step(past[:1], LATE, words="Lateness") == "caution"
    assert usual_step(known[:1], LATE, words="Lateness") == "game_loss"
