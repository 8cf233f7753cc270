"""What the page of a correction says of matches: whether they were begun, and how they ended."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.utils.translation import override

from rules.results import EndedBy, Winner, result_of_two
from tests import factories as make
from tests.scenes.base import GROUP
from tests.tournaments.corrections.test_follow import corrections, two_groups
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import result_of
from tournaments.core.permissions import Actor
from tournaments.core.replays import replays
from tournaments.core.round_words import of_the_round, the_round_at
from tournaments.core.rows import ClockRow, MatchRow, RoundRow
from tournaments.corrections.selectors.choices import (
    ShortNames,
    is_running,
    lost_win,
    result_in_words,
)
from tournaments.corrections.selectors.page import choices_page, longest_of
from tournaments.corrections.selectors.wording import leave_and_come, what_was_played

pytestmark = pytest.mark.django_db
AGAIN = '[{"until": 1, "seats": [1, 2], "again": %s}]'
Told = Callable[[RoundRow, MatchRow], str]


@pytest.fixture
def published(by: Actor) -> tuple[RoundRow, MatchRow, Told]:
    """Return a round without a clock, its first match, and what is said of that."""
    facts = load_facts(make.playing(by, 6, **GROUP))
    (item,) = facts.rounds
    match = facts.stages[0].matches[0]

    def told(item: RoundRow, match: MatchRow) -> str:
        was = result_of(match, item.number, facts.numbers)
        words = what_was_played(item, match, was, ShortNames(facts.entries))
        return words.partition("–")[2].partition(": ")[2]

    return item, match, told


def clock(state: str) -> ClockRow:
    return ClockRow(minutes=50, state=state, used=0, since=None, ticks=None, machine="", version=1)


def test_a_table_is_said_to_be_idle_only_where_that_is_known(
    published: tuple[RoundRow, MatchRow, Told],
) -> None:
    item, match, told = published
    running = item._replace(clock=clock("running"))
    with override("en"):
        assert told(item, match) == "no result yet"
        assert told(item._replace(clock=clock("ready")), match) == "no result yet"
        assert told(running, match) == "being played"
        assert told(item._replace(clock=clock("paused")), match) == "being played"
        draft = item._replace(state="draft")
        assert told(draft, match) == "not begun, the round is a draft"
        reported = match._replace(state="reported")
        assert told(running, reported) == "reported, not confirmed yet"
        disputed = match._replace(state="disputed")
        assert told(running, disputed) == "reported in different ways, not decided yet"
        later = match._replace(earlier_text=AGAIN % 3)
        assert told(running, later) == "to be played again"


def test_the_time_of_matches_played_again_is_that_of_who_has_most_of_them() -> None:
    assert longest_of([]) == 0
    assert longest_of([((1, 2), 60), ((3, 4), 60)]) == 60
    assert longest_of([((1, 2), 60), ((3, 4), 60), ((5, 1), 60), ((1, 6), 30)]) == 150


def test_a_match_put_up_before_a_round_that_is_out_is_to_be_played_now(by: Actor) -> None:
    facts = load_facts(make.playing(by, 6, **GROUP))
    (stage,), (item,) = facts.stages, facts.rounds
    first, *others = stage.matches

    def told(again: int) -> str:
        waits = first._replace(earlier_text=AGAIN % again)
        put_up = replace(stage, by_round={item.pk: (waits, *others)})
        (found,) = replays(replace(facts, stages=(put_up,)))
        return found.when

    with override("en"):
        assert [told(again) for again in (0, 1, 2)] == ["now", "now", "before round 2"]


def test_what_is_to_be_played_again_does_not_run_by_the_clock_of_its_round(
    published: tuple[RoundRow, MatchRow, Told],
) -> None:
    item, match, _told = published
    running = item._replace(clock=clock("running"))
    waits = match._replace(earlier_text=AGAIN % 2)
    assert is_running(running, match)
    assert not is_running(running, waits)


@pytest.mark.parametrize(
    ("winner", "ended_by", "score", "words"),
    [
        (Winner.A, EndedBy.PLAYED, (40, 12), "Ada beat Bea 40–12"),
        (Winner.B, EndedBy.TIME, (12, 40), "Ada lost 12–40 to Bea"),
        (Winner.A, EndedBy.NO_SHOW, None, "Bea is absent, Ada wins"),
        (Winner.B, EndedBy.CONCESSION, (20, 10), "Ada concedes, Bea wins 10–20"),
        (Winner.NONE, EndedBy.NO_SHOW, None, "Ada–Bea: both lose"),
    ],
)
def test_a_match_that_was_not_played_out_is_not_told_as_beaten(
    by: Actor, winner: Winner, ended_by: EndedBy, score: tuple[int, int] | None, words: str
) -> None:
    names = ShortNames(load_facts(make.playing(by, 6, **GROUP)).entries)
    was = result_of_two(a=1, b=2, round=1, winner=winner, ended_by=ended_by, score=score)
    with override("en"):
        assert result_in_words(was, names) == words


def test_who_leaves_is_told_with_who_comes_and_an_open_seat_with_its_own_holder() -> None:
    """On the seats of four, 3 and 4 change places, 1 makes room for 5; who has 2's is open."""
    moves = [(4, 5), (2, None), (1, 3), (3, 4)]
    assert list(leave_and_come(moves)) == [(2, None), (1, 5)]
    assert list(leave_and_come([(1, 2), (2, 1)])) == []
    assert list(leave_and_come([(None, 1), (2, None)])) == [(None, 1), (2, None)]


@pytest.mark.parametrize(
    ("winner", "score", "words"),
    [
        (Winner.A, (40, 12), "Ada loses the win against Bea (40–12)"),
        (Winner.B, (12, 40), "Bea loses the win against Ada (40–12)"),
        (Winner.B, None, "Bea loses the win against Ada"),
        (Winner.DRAW, (10, 10), ""),
    ],
)
def test_whose_win_counts_no_more_is_told_with_result_and_opponent(
    by: Actor, winner: Winner, score: tuple[int, int] | None, words: str
) -> None:
    names = ShortNames(load_facts(make.playing(by, 6, **GROUP)).entries)
    was = result_of_two(a=1, b=2, round=1, winner=winner, ended_by=EndedBy.PLAYED, score=score)
    with override("en"):
        assert lost_win(was, names) == words


def test_the_page_names_whose_wins_go_before_anything_is_stored(by: Actor) -> None:
    event = two_groups(by)
    for match, shown in corrections(event, by):
        if shown.why_not is not None:
            continue
        names = ShortNames(shown.facts.entries)
        with override("en"):
            page = choices_page(shown, names)
            was = match.decision
            winner, loser = (
                match.players if was.winner == "a" else (match.players[1], match.players[0])
            )
            lost = f"{names.of(winner.number)} loses the win against {names.of(loser.number)} ("
            assert page["facts"][0].words.startswith(lost)
            gone = [each for each in shown.changes if each.begun]
            told = [lost_win(each.was, names) for each in gone]
        assert gone
        again = [words for words in page["becomes"] if words.endswith(" is played again")]
        assert [words.partition(": ")[0] for words in again] == told
        return
    raise AssertionError("no correction can follow")


@pytest.mark.parametrize(
    ("formula", "of", "di", "later"),
    [
        (
            "single-elimination",
            "of the semi-finals",
            "delle semifinali",
            "the final and the match for third place",
        ),
        ("double-elimination", "(Upper bracket, semi-finals)", "(", "round 2"),
        ("single-group", "of round 1", "del turno 1", "round 2"),
    ],
)
def test_sentences_call_rounds_as_pages_do(
    by: Actor, formula: str, of: str, di: str, later: str
) -> None:
    facts = load_facts(make.playing(by, 4, formula=formula))
    (stage,), (item,) = facts.stages, facts.rounds
    match = stage.matches[0]
    with override("en"):
        assert of_the_round(stage, item, match) == of
        assert the_round_at(stage, item.ordinal + 1) == later
    with override("it"):
        assert of_the_round(stage, item, match).startswith(di)
