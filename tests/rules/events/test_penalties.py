"""What is proposed for a player who was penalised before."""

import pytest

from rules.events.penalties import LADDER, Past, Proposal, proposed

SLOW = Past("warning", "Gioco lento")
SLEEVE = Past("caution", "Bustina rovinata")


def test_a_first_penalty_is_what_the_judge_says():
    assert proposed((), "warning", "Gioco lento") is None
    assert proposed((SLOW,), "caution", "Bustina rovinata") is None


@pytest.mark.parametrize("words", ["Gioco lento", "gioco  LENTO", "Gioco lento.", " gioco lento!"])
def test_the_same_again_is_one_step_more(words):
    found = proposed((SLEEVE, SLOW), "warning", words)
    assert found == Proposal(level="game_loss", because=(1,), same_infraction=True)


def test_the_same_level_again_is_one_step_more():
    found = proposed((SLEEVE, SLOW), "warning", "Ritardo")
    assert found == Proposal(level="game_loss", because=(1,), same_infraction=False)


def test_the_gravest_for_the_same_counts():
    past = (SLOW, Past("game_loss", "Gioco lento"))
    found = proposed(past, "caution", "Gioco lento")
    assert found == Proposal(level="match_loss", because=(0, 1), same_infraction=True)


def test_a_higher_level_needs_no_proposal():
    assert proposed((SLOW,), "match_loss", "Gioco lento") is None


def test_a_judge_is_proposed_no_disqualification():
    past = (Past("match_loss", "Gioco lento"),)
    assert proposed(past, "warning", "Gioco lento").level == "disqualification"
    assert proposed(past, "warning", "Gioco lento", highest="match_loss").level == "match_loss"
    assert proposed(past, "match_loss", "Gioco lento", highest="match_loss") is None


def test_there_is_nothing_above_the_gravest():
    past = (Past("disqualification", "Rissa"),)
    assert proposed(past, "disqualification", "Rissa") is None


@pytest.mark.parametrize("level", LADDER)
def test_words_without_letters_are_no_repetition(level):
    assert proposed((Past("caution", "..."),), level, "!") is None or level == "caution"
