"""What is proposed for a player who was penalised before."""

import pytest

from rules.events.penalties import LADDER, PastPenalty, PenaltyProposal, higher_penalty

SLOW = PastPenalty("warning", "Gioco lento")
SLEEVE = PastPenalty("caution", "Bustina rovinata")


def test_a_first_penalty_is_what_the_judge_says():
    assert higher_penalty((), "warning", "Gioco lento") is None
    assert higher_penalty((SLOW,), "caution", "Bustina rovinata") is None


@pytest.mark.parametrize("words", ["Gioco lento", "gioco  LENTO", "Gioco lento.", " gioco lento!"])
def test_the_same_again_is_one_step_more(words):
    found = higher_penalty((SLEEVE, SLOW), "warning", words)
    assert found == PenaltyProposal(level="game_loss", because=(1,), same_infraction=True)


def test_the_same_level_again_is_one_step_more():
    found = higher_penalty((SLEEVE, SLOW), "warning", "Ritardo")
    assert found == PenaltyProposal(level="game_loss", because=(1,), same_infraction=False)


def test_the_gravest_for_the_same_counts():
    past = (SLOW, PastPenalty("game_loss", "Gioco lento"))
    found = higher_penalty(past, "caution", "Gioco lento")
    assert found == PenaltyProposal(level="match_loss", because=(0, 1), same_infraction=True)


def test_a_higher_level_needs_no_proposal():
    assert higher_penalty((SLOW,), "match_loss", "Gioco lento") is None


def test_a_judge_is_proposed_no_disqualification():
    past = (PastPenalty("match_loss", "Gioco lento"),)
    assert higher_penalty(past, "warning", "Gioco lento").level == "disqualification"
    assert (
        higher_penalty(past, "warning", "Gioco lento", highest="match_loss").level == "match_loss"
    )
    assert higher_penalty(past, "match_loss", "Gioco lento", highest="match_loss") is None


def test_there_is_nothing_above_the_gravest():
    past = (PastPenalty("disqualification", "Rissa"),)
    assert higher_penalty(past, "disqualification", "Rissa") is None


@pytest.mark.parametrize("level", LADDER)
def test_words_without_letters_are_no_repetition(level):
    assert (
        higher_penalty((PastPenalty("caution", "..."),), level, "!") is None or level == "caution"
    )
