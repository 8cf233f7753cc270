"""Results of tables: typed, claimed, settled, compared, and decided by more than half.

Source: tables, 3, 7, 8, 12 (examples 2, 6 and 13).
"""

from dataclasses import replace

import pytest

from rules.errors import BadInput
from rules.matches.agreement import (
    Statement,
    Told,
    agree,
    contradiction,
    decided_by,
    needed,
    without_absent,
)
from rules.matches.match_rules import Claim, MatchRules
from rules.matches.settling import settle
from rules.matches.shorthand import parse_shorthand
from rules.matches.tables.settling import (
    absent_so_far,
    settled_by_leaving,
    with_own_concession,
)
from rules.matches.tables.shorthand import typed_as
from rules.results import EndedBy, Mark, Marks, Outcome, Places, Winner, outcome_by_places

ABSENT, CONCEDED, DISQUALIFIED = Mark


def rules(size: int, gone: tuple[tuple[int, Mark], ...] = ()) -> MatchRules:
    return MatchRules(best_of=1, draws=True, score="games", timed=True, size=size, gone=gone)


def told(
    places: Places | None,
    marks: Marks = (),
    ended_by: EndedBy = EndedBy.PLAYED,
    seats: int = 4,
) -> Outcome:
    return outcome_by_places(places, marks, ended_by, seats=seats)


def typed(text: str, size: int = 4) -> Outcome:
    outcome = settle(rules(size), parse_shorthand(text, rules(size)))
    assert isinstance(outcome, Outcome)
    assert contradiction(rules(size), outcome) is None
    return outcome


def test_what_is_typed_is_read_as_the_specification_says():
    read = {
        "2": (2, 1, 2, 2),
        "3124": (2, 3, 1, 4),
        "3-1 2-4": (2, 3, 1, 4),
        "21=43": (2, 1, 4, 2),
        "=": (1, 1, 1, 1),
        "p": (1, 1, 1, 1),
        "=13": (1, 3, 1, 3),
        "0": (2, 2, 2, 2),
        "2 a3": (2, 1, None, 2),
        "=12 r4": (1, 1, 3, 3),
        "r134": (2, 1, 2, 2),
        "s 10 7 7 2": (1, 2, 2, 4),
        "s -10 7 7 2": (4, 1, 1, 3),
        "13 a24": (1, None, 2, None),
        "31 r24": (2, 3, 1, 3),
        "=12 r2": (1, 2, 2, 2),
        "a134": (None, 1, None, None),
        "a1234": (None, None, None, None),
        "1 d3 a4": (1, 2, None, None),
    }
    assert {text: typed(text).places for text in read} == read
    assert typed("321", 3).places == (3, 2, 1)
    assert typed("54321", 5).places == (5, 4, 3, 2, 1)


def test_how_a_table_ended_follows_from_what_is_said():
    ends = {
        "2": EndedBy.PLAYED,
        "=13": EndedBy.TIME,
        "0": EndedBy.DOUBLE_LOSS,
        "r134": EndedBy.CONCESSION,
        "a134": EndedBy.NO_SHOW,
        "d134": EndedBy.DISQUALIFICATION,
        "2 a3": EndedBy.PLAYED,
        "a1234": EndedBy.DOUBLE_LOSS,
    }
    assert {text: typed(text).ended_by for text in ends} == ends
    assert typed("=12 r4").marks == ((4, CONCEDED),)
    void = settle(rules(4), Claim(winner=Winner.VOID, by_staff=True))
    assert void == told(places=None, ended_by=EndedBy.VOID)
    assert agree(void, void)
    assert not agree(void, typed("0"))


@pytest.mark.parametrize(
    ("text", "size", "words"),
    [
        ("25", 4, "“25” names seat 5; this table has 4 seats. Possible: a seat (1–4)"),
        ("22", 4, "Seat 2 is named twice."),
        ("31", 4, "“31” leaves out seat 2"),
        ("a3", 4, "Two or more play on"),
        ("=1", 4, "A draw is between two or more."),
        ("2 a2", 4, "Seat 2 had left the table"),
        ("2 r2", 4, "Seat 2 had left the table"),
        ("=23 a3", 4, "Seat 3 was not there"),
        ("s 1 2 3", 4, "There are 3 scores; this table has 4 seats."),
        ("4", 3, "names seat 4; this table has 3 seats"),
        ("x", 4, "“x” cannot be read as a result."),
        ("", 4, "cannot be read as a result."),
        ("2=", 4, "cannot be read as a result."),
        ("a2r2", 4, "Seat 2 is named twice."),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(text, size, words):
    with pytest.raises(BadInput) as refused:
        typed(text, size)
    assert refused.value.code == "impossible_result"
    assert words in str(refused.value)
    assert "Possible: a seat (1–" in str(refused.value)


@pytest.mark.parametrize(
    "claim",
    [
        {"order": (1, 3, 3, 3)},
        {"order": (1, 2, 2)},
        {"order": (None, None, None, None)},
        {"order": (1, 2, 3, 4), "first": 1},
        {"first": 5},
        {"drawn": (1, 1)},
        {"drawn": (1, 7)},
        {"drawn": (1, 2), "marks": ((1, CONCEDED), (2, CONCEDED))},
        {"scores": (1, 2, None, 3)},
        {"scores": (1, 2, 3, 10_000)},
        {"first": 1, "ended_by": EndedBy.VOID},
        {"first": 1, "ended_by": EndedBy.NO_SHOW},
        {"first": 1, "ended_by": EndedBy.BYE},
        {"marks": ((5, ABSENT),)},
        {},
    ],
)
def test_claims_by_programs_that_cannot_be_are_refused(claim):
    with pytest.raises(BadInput, match="Possible") as refused:
        settle(rules(4), Claim(by_staff=True, **claim))
    assert refused.value.code == "impossible_result"


def test_scores_and_games_of_two_are_refused_at_tables_and_the_other_way_round():
    with pytest.raises(BadInput, match="At a table of 4 there are places"):
        settle(rules(4), Claim(score=(2, 1), by_staff=True))
    with pytest.raises(BadInput, match="of tables of three and more"):
        settle(rules(2), Claim(first=1, by_staff=True))


def test_players_say_order_winner_draw_and_their_own_concession_only():
    assert settle(rules(3), Claim(first=2)).places == (2, 1, 2)
    own = with_own_concession(Claim(first=2, marks=((1, CONCEDED),), by_staff=True), 1)
    assert settle(rules(3), own).marks == ((1, CONCEDED),)
    with pytest.raises(BadInput, match="own concession only"):
        with_own_concession(Claim(first=2, marks=((3, CONCEDED),)), 1)
    staffs = ({"winner": Winner.NONE}, {"winner": Winner.VOID}, {"order": (2, 2, 2)})
    for said in (*staffs, {"first": 1, "marks": ((2, ABSENT),)}):
        with pytest.raises(BadInput, match="Only the staff can enter this"):
            settle(rules(3), Claim(**said))


def test_who_has_left_is_marked_and_the_others_play_on():
    gone = ((2, CONCEDED), (3, DISQUALIFIED))
    won = settle(rules(4, gone), Claim(first=1))
    assert (won.places, won.marks) == ((1, 2, None, 2), gone)
    assert settle(rules(4, gone), parse_shorthand("14", rules(4, gone))).places == (1, 3, None, 2)
    assert settled_by_leaving(4, gone) is None
    left = settled_by_leaving(4, (*gone, (4, CONCEDED)))
    assert left is not None
    assert (left.places, left.ended_by) == ((1, 2, None, 2), EndedBy.CONCESSION)
    nobody = settled_by_leaving(3, ((1, CONCEDED), (2, CONCEDED), (3, CONCEDED)))
    assert nobody is not None
    assert (nobody.places, nobody.ended_by) == ((2, 2, 2), EndedBy.DOUBLE_LOSS)


def test_reports_agree_on_places_and_marks_and_time_is_played():
    one, other = typed("2"), told(places=(2, 1, 2, 2), ended_by=EndedBy.TIME)
    assert agree(one, other)
    assert not agree(one, typed("1"))
    assert not agree(one, typed("2 r3"))
    of_two = settle(rules(2), Claim(winner=Winner.A, by_staff=True))
    assert not agree(one, of_two)


def test_who_is_gone_by_now_is_left_out_where_reports_are_compared():
    drawn, without = typed("="), typed("= a4")
    assert not agree(drawn, without)
    assert agree(drawn, without, {4})
    assert agree(typed("3124"), typed("324 a1"), {1})
    assert not agree(typed("4"), typed("=123 a4"), {4}), "nobody of the others was first"
    assert without_absent(drawn, ((4, ABSENT),)) == replace(without, ended_by=EndedBy.TIME)
    assert without_absent(typed("3124"), ((1, DISQUALIFIED),)).places == (None, 2, 1, 3)
    assert without_absent(typed("4"), ((4, ABSENT),)) is None, "for a judge"
    assert without_absent(typed("4"), ((4, CONCEDED),)) == typed("4"), "they left later"
    void = told(places=None, ended_by=EndedBy.VOID)
    assert without_absent(void, ((4, ABSENT),)) == void


def test_who_is_absent_while_the_others_play():
    def absent(text: str, *gone: tuple[int, Mark]) -> object:
        return absent_so_far(rules(4, gone), parse_shorthand(text, rules(4)))

    assert absent("a3") == (3,)
    assert absent("a3", (1, ABSENT)) == (1, 3)
    assert absent("a3", (1, CONCEDED)) == (3,)
    assert absent("a234") is absent("a3", (1, CONCEDED), (2, ABSENT)) is None, "one is left"
    assert absent("r3") is absent("a2 d3") is absent("1 a3") is absent("0 a3") is None
    back = Claim(there=(1, 2, 4), marks=((3, ABSENT),))
    assert absent_so_far(rules(4, ((1, ABSENT),)), back) == (3,)
    assert absent_so_far(rules(4), back) is not None
    assert absent_so_far(rules(2), Claim(winner=Winner.A)) is None


def test_more_than_half_have_to_agree():
    assert [needed(size) for size in (2, 3, 4, 5)] == [2, 2, 3, 3]
    assert needed(4, {2}) == 2
    won, lost = typed("1"), typed("2")

    def told(*said: tuple[int, object], gone: tuple[int, ...] = ()) -> Told:
        kinds = {"yes": (won, False), "no": (won, True), "else": (lost, False)}
        statements = [
            Statement(seat=seat, outcome=kinds[how][0], denies=kinds[how][1]) for seat, how in said
        ]
        return decided_by(statements, size=4, gone=gone)

    assert told((1, "yes")) is Told.REPORTED
    assert told((1, "yes"), (3, "yes")) is Told.REPORTED
    assert told((1, "yes"), (3, "yes"), (4, "yes")) is Told.FINAL
    assert told((1, "yes"), (3, "yes"), (2, "no")) is Told.DISPUTED
    assert told((1, "yes"), (3, "yes"), (2, "no"), (4, "yes")) is Told.DISPUTED
    assert told((1, "yes"), (2, "else")) is Told.DISPUTED
    assert told((1, "yes"), (3, "yes"), gone=(2,)) is Told.FINAL
    assert told((1, "yes"), (2, "else"), gone=(2,)) is Told.REPORTED


@pytest.mark.parametrize(
    "outcome",
    [
        told(places=(1, 3, 3, 3)),
        told(places=(1, 2, 2), seats=3),
        told(places=(1, 2, None, 2)),
        told(places=(1, 2, 2, 2), marks=((3, ABSENT),)),
        told(places=(1, 2, 2, 2), marks=((5, CONCEDED),)),
        told(places=(1, 1, 3, 3), marks=((1, CONCEDED),)),
        told(places=(2, 2, 2, 2)),
        told(places=(1, 2, 2, 2), ended_by=EndedBy.DOUBLE_LOSS),
        told(places=(1, 2, 2, 2), ended_by=EndedBy.BYE),
        told(places=None),
    ],
)
def test_a_stored_result_that_contradicts_itself_is_told(outcome):
    assert contradiction(rules(4), outcome) is not None


def test_scores_of_those_present_are_enough():
    claim = Claim(by_staff=True, scores=(10, 7, 9), marks=((2, ABSENT),))
    outcome = settle(rules(4), claim)
    assert isinstance(outcome, Outcome)
    assert outcome.places == (1, None, 3, 2)


@pytest.mark.parametrize(
    ("text", "shortest"),
    [
        *[(text, text) for text in ("2", "3124", "21=43", "=", "=13", "0", "2 a3", "=12 r4")],
        *[("r134", "2 r1 r3 r4"), ("13 a24", "1 a2 a4"), ("21=4=3", "2"), ("1=243", "1=243")],
        *[("s 10 7 7 2", "12=34"), ("1=2=3=4", "=")],
    ],
)
def test_a_result_is_typed_again_as_it_was(text: str, shortest: str) -> None:
    outcome = typed(text)
    assert typed_as(outcome) == shortest
    assert typed(typed_as(outcome)).places == outcome.places


def test_what_does_not_count_is_not_typed() -> None:
    assert typed_as(told(places=None, ended_by=EndedBy.VOID)) == ""
