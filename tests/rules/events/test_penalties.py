"""Penalties, infractions and checks of decks."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import RuleError
from rules.events.deck_checks import (
    MOST_MINUTES,
    SHUFFLE_MINUTES,
    eligible_tables,
    extension_due,
    pick_table,
    players_to_check,
)
from rules.events.penalties import (
    INFRACTIONS,
    LADDER,
    Infraction,
    PastPenalty,
    PenaltyProposal,
    propose_level,
    propose_upgrade,
    translate_infractions,
)

SLOW = PastPenalty("warning", "Gioco lento")
SLEEVE = PastPenalty("caution", "Bustina rovinata")


def test_a_first_penalty_is_what_the_judge_says():
    assert propose_upgrade((), "warning", "Gioco lento") is None
    assert propose_upgrade((SLOW,), "caution", "Bustina rovinata") is None


@pytest.mark.parametrize("words", ["Gioco lento", "gioco  LENTO", "Gioco lento.", " gioco lento!"])
def test_the_same_again_is_one_step_more(words):
    found = propose_upgrade((SLEEVE, SLOW), "warning", words)
    assert found == PenaltyProposal(level="game_loss", because=(1,), same_infraction=True)


def test_the_same_level_again_is_one_step_more():
    found = propose_upgrade((SLEEVE, SLOW), "warning", "Ritardo")
    assert found == PenaltyProposal(level="game_loss", because=(1,), same_infraction=False)


def test_the_gravest_for_the_same_counts():
    past = (SLOW, PastPenalty("game_loss", "Gioco lento"))
    found = propose_upgrade(past, "caution", "Gioco lento")
    assert found == PenaltyProposal(level="match_loss", because=(0, 1), same_infraction=True)


def test_a_higher_level_needs_no_proposal():
    assert propose_upgrade((SLOW,), "match_loss", "Gioco lento") is None


def test_a_judge_is_proposed_no_disqualification():
    past = (PastPenalty("match_loss", "Gioco lento"),)
    assert propose_upgrade(past, "warning", "Gioco lento").level == "disqualification"
    assert (
        propose_upgrade(past, "warning", "Gioco lento", highest="match_loss").level == "match_loss"
    )
    assert propose_upgrade(past, "match_loss", "Gioco lento", highest="match_loss") is None


def test_there_is_nothing_above_the_gravest():
    past = (PastPenalty("disqualification", "Rissa"),)
    assert propose_upgrade(past, "disqualification", "Rissa") is None


@pytest.mark.parametrize("level", LADDER)
def test_words_without_letters_are_no_repetition(level):
    assert (
        propose_upgrade((PastPenalty("caution", "..."),), level, "!") is None or level == "caution"
    )


LATE = Infraction("late", "Lateness", "caution")


def test_each_infraction_begins_with_a_caution_or_a_warning() -> None:
    assert len({one.key for one in INFRACTIONS}) == len(INFRACTIONS)
    for one in INFRACTIONS:
        first = propose_level((), one, words=one.label)
        assert first == one.level
        assert LADDER.index(first) < LADDER.index("game_loss")


def test_the_same_again_is_one_step_more_up_to_what_the_judge_may_give() -> None:
    past = (PastPenalty("caution", "Lateness"),)
    assert propose_level(past, LATE, words="Lateness") == "warning"
    past += (PastPenalty("match_loss", "Lateness"),)
    assert propose_level(past, LATE, words="Lateness") == "disqualification"
    assert propose_level(past, LATE, words="Lateness", highest="match_loss") == "match_loss"


def test_penalties_in_another_language_are_the_same_infraction() -> None:
    past = (PastPenalty("warning", "Ritardo"), PastPenalty("caution", "Bustina rovinata"))
    known = translate_infractions(past, {"Ritardo": "Lateness", "Lateness": "Lateness"})
    assert known == (PastPenalty("warning", "Lateness"), PastPenalty("caution", "Bustina rovinata"))
    assert propose_level(past[:1], LATE, words="Lateness") == "caution"
    assert propose_level(known[:1], LATE, words="Lateness") == "game_loss"


TABLES = {1: (1, 2), 2: (3, 4), 3: (5, 6)}
NOON = datetime(2026, 5, 9, 12, tzinfo=UTC)
numbers = st.sets(st.integers(1, 40))
seeds = st.text(max_size=64)


def span(begin: float, end: float) -> tuple[datetime, datetime]:
    return NOON + timedelta(minutes=begin), NOON + timedelta(minutes=end)


def test_everybody_may_be_picked_at_first():
    assert eligible_tables(TABLES, checked=(), busy=()) == (1, 2, 3)


def test_a_table_stays_in_while_one_of_its_players_is_unchecked():
    assert eligible_tables(TABLES, checked={1, 3, 4}, busy=()) == (1, 3)
    assert players_to_check(TABLES[1], checked={1, 3, 4}, busy=()) == (2,)


def test_a_table_at_which_somebody_is_checked_is_out():
    assert eligible_tables(TABLES, checked=(), busy={2}) == (2, 3)
    assert eligible_tables(TABLES, checked={2}, busy={2}, again=True) == (2, 3)


def test_again_brings_the_checked_ones_back():
    everybody = range(1, 7)
    assert eligible_tables(TABLES, checked=everybody, busy=()) == ()
    assert eligible_tables(TABLES, checked=everybody, busy=(), again=True) == (1, 2, 3)


def test_the_pick_is_the_lowest_ticket_as_anybody_can_compute_it():
    tickets = {sha256(f"luna:{table}".encode()).hexdigest(): table for table in TABLES}
    assert pick_table("luna", (1, 2, 3)) == tickets[min(tickets)]


def test_without_a_table_left_it_says_so():
    with pytest.raises(RuleError) as refused:
        pick_table("luna", ())
    assert refused.value.code == "no_table_left"


@st.composite
def halls(draw: st.DrawFn) -> dict[int, tuple[int, int]]:
    """Return tables with two players each, everybody at one table."""
    players = draw(st.lists(st.integers(1, 40), unique=True, max_size=24))
    pairs = list(zip(players[::2], players[1::2], strict=False))
    tables = draw(
        st.lists(st.integers(1, 99), unique=True, min_size=len(pairs), max_size=len(pairs))
    )
    return dict(zip(tables, pairs, strict=True))


@given(halls(), numbers, seeds)
def test_picks_continue_until_all_players_are_checked_once(hall, already, seed):
    checked, seen = set(already), []
    while eligible := eligible_tables(hall, checked=checked, busy=()):
        table = pick_table(seed, eligible)
        assert table in eligible
        assert table == pick_table(seed, eligible[::-1])
        found = players_to_check(hall[table], checked=checked, busy=())
        seen += found
        checked |= set(found)
    assert len(seen) == len(set(seen))
    assert set(seen) == {player for pair in hall.values() for player in pair} - already


@given(halls(), numbers, numbers, st.booleans())
def test_only_eligible_players_are_checked(hall, checked, busy, again):
    for table in eligible_tables(hall, checked=checked, busy=busy, again=again):
        found = players_to_check(hall[table], checked=checked, busy=busy, again=again)
        assert found
        assert not busy & set(hall[table])
        assert again or not checked & set(found)


@pytest.mark.parametrize(
    ("spans", "due"),
    [
        ([span(0, 6)], 7),
        ([span(0, 5.01)], 7),
        ([span(0, 0)], 1),
        ([span(0, 6), span(0, 8)], 9),
        ([span(0, 6), span(6, 8)], 9),
        ([span(0, 6), span(10, 12)], 10),
        ([span(0, 600)], MOST_MINUTES),
        ([], 0),
    ],
)
def test_minutes_taken_rounded_up_and_one_more(spans, due):
    assert extension_due(spans, 0) == due


def test_what_was_given_already_is_not_given_twice():
    assert extension_due([span(0, 6), span(0, 8)], 7) == 2
    assert extension_due([span(0, 8), span(0, 6)], 9) == 0
    assert extension_due([span(0, 6)], 20) == 0


minutes = st.integers(0, 90)


@given(st.lists(st.tuples(minutes, minutes).map(sorted).map(lambda pair: span(*pair)), max_size=6))
def test_a_table_is_owed_the_time_lost_and_nothing_beyond_the_sum(spans):
    each = [(end - begin) // timedelta(minutes=1) + SHUFFLE_MINUTES for begin, end in spans]
    due = extension_due(spans, 0)
    assert min(max(each, default=0), MOST_MINUTES) <= due <= min(sum(each), MOST_MINUTES)
    given_so_far = 0
    for at in range(len(spans)):
        given_so_far += extension_due(spans[: at + 1], given_so_far)
    assert given_so_far >= due
