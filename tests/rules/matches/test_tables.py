"""Results of tables, battle cards and results typed as shorthand.

Source: tables, 3, 7, 8, 12 (examples 2, 6 and 13).
"""

from dataclasses import replace

import pytest

from rules.errors import BadInput
from rules.matches.agreement import (
    ReportState,
    SeatReport,
    combine_reports,
    find_contradiction,
    remove_absent_players,
    reports_agree,
    required_report_count,
)
from rules.matches.match_rules import (
    Claim,
    MatchRules,
    add_battle_cards,
    points_with_battle_cards,
    totals_with_battle_cards,
)
from rules.matches.settling import (
    outcome_after_drops,
    player_claim,
    resolve_claim,
    seats_absent_so_far,
)
from rules.matches.shorthand import format_shorthand, parse_shorthand
from rules.results import Marks, MatchEnding, Outcome, Places, SeatMark, Winner, outcome_by_places
from tests.rules.matches.test_settling import DRAW, DUEL, GROUP, ONE_GAME, PLAYED, SWISS, TIME, A, B

ABSENT, CONCEDED, DISQUALIFIED = SeatMark


def rules(size: int, gone: tuple[tuple[int, SeatMark], ...] = ()) -> MatchRules:
    return MatchRules(best_of=1, draws=True, score="games", timed=True, size=size, gone=gone)


def told(
    places: Places | None,
    marks: Marks = (),
    ended_by: MatchEnding = MatchEnding.PLAYED,
    seats: int = 4,
) -> Outcome:
    return outcome_by_places(places, marks, ended_by, seats=seats)


def typed(text: str, size: int = 4) -> Outcome:
    outcome = resolve_claim(rules(size), parse_shorthand(text, rules(size)))
    assert isinstance(outcome, Outcome)
    assert find_contradiction(rules(size), outcome) is None
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
        "2": MatchEnding.PLAYED,
        "=13": MatchEnding.TIME,
        "0": MatchEnding.DOUBLE_LOSS,
        "r134": MatchEnding.CONCESSION,
        "a134": MatchEnding.NO_SHOW,
        "d134": MatchEnding.DISQUALIFICATION,
        "2 a3": MatchEnding.PLAYED,
        "a1234": MatchEnding.DOUBLE_LOSS,
    }
    assert {text: typed(text).ended_by for text in ends} == ends
    assert typed("=12 r4").marks == ((4, CONCEDED),)
    void = resolve_claim(rules(4), Claim(winner=Winner.VOID, by_staff=True))
    assert void == told(places=None, ended_by=MatchEnding.VOID)
    assert reports_agree(void, void)
    assert not reports_agree(void, typed("0"))


@pytest.mark.parametrize(
    ("text", "size", "words"),
    [
        ("25", 4, "There is no seat 5. Possible: 1–4: winning seat"),
        ("22", 4, "Seat 2 is entered twice."),
        ("31", 4, "Seat 2 is missing."),
        ("a3", 4, "Enter the winner."),
        ("=1", 4, "A drawn match needs at least two players."),
        ("2 a2", 4, "The player in seat 2 has left or is absent."),
        ("2 r2", 4, "The player in seat 2 has left or is absent."),
        ("=23 a3", 4, "The player in seat 3 has left or is absent."),
        ("s 1 2 3", 4, "Enter 4 values, one per seat."),
        ("4", 3, "There is no seat 4."),
        ("x", 4, "“x” is not a result."),
        ("", 4, "is not a result."),
        ("2=", 4, "is not a result."),
        ("a2r2", 4, "Seat 2 is entered twice."),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(text, size, words):
    with pytest.raises(BadInput) as refused:
        typed(text, size)
    assert refused.value.code == "impossible_result"
    assert words in str(refused.value)
    assert "Possible: 1–" in str(refused.value)


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
        {"first": 1, "ended_by": MatchEnding.VOID},
        {"first": 1, "ended_by": MatchEnding.NO_SHOW},
        {"first": 1, "ended_by": MatchEnding.BYE},
        {"marks": ((5, ABSENT),)},
        {},
    ],
)
def test_claims_by_programs_that_cannot_be_are_refused(claim):
    with pytest.raises(BadInput, match="Possible") as refused:
        resolve_claim(rules(4), Claim(by_staff=True, **claim))
    assert refused.value.code == "impossible_result"


def test_scores_and_games_of_two_are_refused_at_tables_and_the_other_way_round():
    with pytest.raises(BadInput, match="isn’t valid for this match"):
        resolve_claim(rules(4), Claim(score=(2, 1), by_staff=True))
    with pytest.raises(BadInput, match="isn’t valid for this match"):
        resolve_claim(rules(2), Claim(first=1, by_staff=True))


def test_players_say_order_winner_draw_and_their_own_concession_only():
    assert resolve_claim(rules(3), Claim(first=2)).places == (2, 1, 2)
    own = player_claim(Claim(first=2, marks=((1, CONCEDED),), by_staff=True), 1)
    assert resolve_claim(rules(3), own).marks == ((1, CONCEDED),)
    with pytest.raises(BadInput, match="Only staff can enter this"):
        player_claim(Claim(first=2, marks=((3, CONCEDED),)), 1)
    staffs = ({"winner": Winner.NONE}, {"winner": Winner.VOID}, {"order": (2, 2, 2)})
    for said in (*staffs, {"first": 1, "marks": ((2, ABSENT),)}):
        with pytest.raises(BadInput, match="Only staff can enter this"):
            resolve_claim(rules(3), Claim(**said))


def test_who_has_left_is_marked_and_the_others_play_on():
    gone = ((2, CONCEDED), (3, DISQUALIFIED))
    won = resolve_claim(rules(4, gone), Claim(first=1))
    assert (won.places, won.marks) == ((1, 2, None, 2), gone)
    assert resolve_claim(rules(4, gone), parse_shorthand("14", rules(4, gone))).places == (
        1,
        3,
        None,
        2,
    )
    assert outcome_after_drops(4, gone) is None
    left = outcome_after_drops(4, (*gone, (4, CONCEDED)))
    assert left is not None
    assert (left.places, left.ended_by) == ((1, 2, None, 2), MatchEnding.CONCESSION)
    nobody = outcome_after_drops(3, ((1, CONCEDED), (2, CONCEDED), (3, CONCEDED)))
    assert nobody is not None
    assert (nobody.places, nobody.ended_by) == ((2, 2, 2), MatchEnding.DOUBLE_LOSS)


def test_reports_agree_on_places_and_marks_and_time_is_played():
    one, other = typed("2"), told(places=(2, 1, 2, 2), ended_by=MatchEnding.TIME)
    assert reports_agree(one, other)
    assert not reports_agree(one, typed("1"))
    assert not reports_agree(one, typed("2 r3"))
    of_two = resolve_claim(rules(2), Claim(winner=Winner.A, by_staff=True))
    assert not reports_agree(one, of_two)


def test_who_is_gone_by_now_is_left_out_where_reports_are_compared():
    drawn, without = typed("="), typed("= a4")
    assert not reports_agree(drawn, without)
    assert reports_agree(drawn, without, {4})
    assert reports_agree(typed("3124"), typed("324 a1"), {1})
    assert not reports_agree(typed("4"), typed("=123 a4"), {4}), "nobody of the others was first"
    assert remove_absent_players(drawn, ((4, ABSENT),)) == replace(
        without, ended_by=MatchEnding.TIME
    )
    assert remove_absent_players(typed("3124"), ((1, DISQUALIFIED),)).places == (None, 2, 1, 3)
    assert remove_absent_players(typed("4"), ((4, ABSENT),)) is None, "for a judge"
    assert remove_absent_players(typed("4"), ((4, CONCEDED),)) == typed("4"), "they left later"
    void = told(places=None, ended_by=MatchEnding.VOID)
    assert remove_absent_players(void, ((4, ABSENT),)) == void


def test_who_is_absent_while_the_others_play():
    def absent(text: str, *gone: tuple[int, SeatMark]) -> object:
        return seats_absent_so_far(rules(4, gone), parse_shorthand(text, rules(4)))

    assert absent("a3") == (3,)
    assert absent("a3", (1, ABSENT)) == (1, 3)
    assert absent("a3", (1, CONCEDED)) == (3,)
    assert absent("a234") is absent("a3", (1, CONCEDED), (2, ABSENT)) is None, "one is left"
    assert absent("r3") is absent("a2 d3") is absent("1 a3") is absent("0 a3") is None
    back = Claim(there=(1, 2, 4), marks=((3, ABSENT),))
    assert seats_absent_so_far(rules(4, ((1, ABSENT),)), back) == (3,)
    assert seats_absent_so_far(rules(4), back) is not None
    assert seats_absent_so_far(rules(2), Claim(winner=Winner.A)) is None


def test_more_than_half_have_to_agree():
    assert [required_report_count(size) for size in (2, 3, 4, 5)] == [2, 2, 3, 3]
    assert required_report_count(4, {2}) == 2
    won, lost = typed("1"), typed("2")

    def told(*said: tuple[int, object], gone: tuple[int, ...] = ()) -> ReportState:
        kinds = {"yes": (won, False), "no": (won, True), "else": (lost, False)}
        statements = [
            SeatReport(seat=seat, outcome=kinds[how][0], denies=kinds[how][1]) for seat, how in said
        ]
        return combine_reports(statements, size=4, gone=gone)

    assert told((1, "yes")) is ReportState.REPORTED
    assert told((1, "yes"), (3, "yes")) is ReportState.REPORTED
    assert told((1, "yes"), (3, "yes"), (4, "yes")) is ReportState.FINAL
    assert told((1, "yes"), (3, "yes"), (2, "no")) is ReportState.DISPUTED
    assert told((1, "yes"), (3, "yes"), (2, "no"), (4, "yes")) is ReportState.DISPUTED
    assert told((1, "yes"), (2, "else")) is ReportState.DISPUTED
    assert told((1, "yes"), (3, "yes"), gone=(2,)) is ReportState.FINAL
    assert told((1, "yes"), (2, "else"), gone=(2,)) is ReportState.REPORTED


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
        told(places=(1, 2, 2, 2), ended_by=MatchEnding.DOUBLE_LOSS),
        told(places=(1, 2, 2, 2), ended_by=MatchEnding.BYE),
        told(places=None),
    ],
)
def test_a_stored_result_that_contradicts_itself_is_told(outcome):
    assert find_contradiction(rules(4), outcome) is not None


def test_scores_of_those_present_are_enough():
    claim = Claim(by_staff=True, scores=(10, 7, 9), marks=((2, ABSENT),))
    outcome = resolve_claim(rules(4), claim)
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
    assert format_shorthand(outcome) == shortest
    assert typed(format_shorthand(outcome)).places == outcome.places


def test_what_does_not_count_is_not_typed() -> None:
    assert format_shorthand(told(places=None, ended_by=MatchEnding.VOID)) == ""


@pytest.mark.parametrize(
    ("points", "in_play", "at_time", "totals", "changed"),
    [
        ((40, 32), (False, True), False, (40, 42), True),
        ((40, 30), (False, True), False, (40, 40), True),
        ((40, 20), (True, True), False, (50, 30), False),
        ((30, 22), (True, True), True, (35, 29), False),
        ((44, 30), (True, True), True, (51, 40), False),
        ((30, 30), (False, False), True, (30, 30), False),
    ],
)
def test_battle_cards_add_ten_or_a_quarter(points, in_play, at_time, totals, changed):
    assert points_with_battle_cards(points, in_play, at_time=at_time) == (totals, changed)


@pytest.mark.parametrize(
    ("rules", "claim", "in_play", "score", "winner", "ended_by"),
    [
        (GROUP, Claim(score=(38, 20)), (True, False), (43, 20), A, TIME),
        (GROUP, Claim(score=(36, 36)), (True, True), (45, 45), DRAW, TIME),
        (DUEL, Claim(score=(38, 20)), (True, False), (43, 20), A, TIME),
        (GROUP, Claim(score=(40, 20)), (True, False), (50, 20), A, PLAYED),
        (GROUP, Claim(score=(40, 20), ended_by=TIME), (True, False), (45, 20), A, TIME),
        (GROUP, Claim(score=(38, 20), ended_by=PLAYED), (True, False), (43, 20), A, PLAYED),
    ],
)
def test_what_only_battle_cards_bring_to_the_target_ended_by_time(
    rules, claim, in_play, score, winner, ended_by
):
    outcome = resolve_claim(rules, add_battle_cards(rules, claim, in_play))
    assert (outcome.score, outcome.winner, outcome.ended_by) == (score, winner, ended_by)


def test_without_battle_cards_everything_stays() -> None:
    claim = Claim(score=(38, 20))
    assert add_battle_cards(GROUP, claim, (False, False)) is claim
    assert totals_with_battle_cards(GROUP, (38, 20), (False, False), None) == ((38, 20), False)
    assert totals_with_battle_cards(GROUP, (38, 20), (False, True), None) == ((38, 29), False)


@pytest.mark.parametrize(
    ("rules", "claim"), [(GROUP, Claim(winner=A)), (SWISS, Claim(score=(2, 1)))]
)
def test_battle_cards_add_to_promotion_points_only(rules, claim) -> None:
    with pytest.raises(BadInput, match="points of both players") as refused:
        add_battle_cards(rules, claim, (True, False))
    assert refused.value.code == "impossible_result"


def test_who_won_is_asked_where_battle_cards_change_the_leader() -> None:
    with pytest.raises(BadInput, match="With battle cards: 40–42") as refused:
        add_battle_cards(GROUP, Claim(score=(40, 32)), (False, True))
    assert refused.value.code == "impossible_result"
    told = add_battle_cards(GROUP, Claim(score=(40, 32), winner=B), (False, True))
    assert (told.score, told.winner) == ((40, 42), B)


@pytest.mark.parametrize(
    ("typed", "rules", "winner", "games_won"),
    [
        ("2-1", SWISS, A, (2, 1, 0)),
        ("21", SWISS, A, (2, 1, 0)),
        (" 0 2 ", SWISS, B, (0, 2, 0)),
        ("1-1-1", SWISS, DRAW, (1, 1, 1)),
        ("211", SWISS, A, (2, 1, 1)),
        ("0-0-3", SWISS, DRAW, (0, 0, 3)),
        ("2-1-0", SWISS, A, (2, 1, 0)),
        ("+abda", SWISS, A, (2, 1, 1)),
        ("+ a b d a", SWISS, A, (2, 1, 1)),
        ("+b=b", SWISS, B, (0, 2, 1)),
        ("+ab", SWISS, DRAW, (1, 1, 0)),
        ("+a", ONE_GAME, A, (1, 0, 0)),
        ("a", ONE_GAME, A, (1, 0, 0)),
        ("2", ONE_GAME, B, (0, 1, 0)),
        ("0", ONE_GAME, DRAW, (0, 0, 1)),
        ("1-0", ONE_GAME, A, (1, 0, 0)),
        ("40-22", GROUP, A, None),
        ("30 30", GROUP, DRAW, None),
        ("30 30 b w", DUEL, B, None),
    ],
)
def test_results_are_typed_without_the_mouse(typed, rules, winner, games_won):
    outcome = resolve_claim(rules, parse_shorthand(typed, rules))
    assert (outcome.winner, outcome.games_won) == (winner, games_won)


@pytest.mark.parametrize("typed", ["ab", "a b", "aba", "dd", "b=b"])
def test_letters_alone_are_no_result_of_several_games(typed):
    with pytest.raises(BadInput, match=r"in order, begin with a plus: \+"):
        parse_shorthand(typed, SWISS)


@pytest.mark.parametrize("rules", [SWISS, GROUP, ONE_GAME])
@pytest.mark.parametrize(
    "typed",
    ["+", "+a?", "", "?", "4", "7", "2-1-1-1", "a?", "²-1", "40 22 q", "1 2 3 4 5", "-1 3", "–2-1"],
)
def test_what_cannot_be_read_is_refused(typed, rules):
    with pytest.raises(BadInput, match="is not a result"):
        parse_shorthand(typed, rules)


@pytest.mark.parametrize("rules", [SWISS, GROUP, ONE_GAME, DUEL])
@pytest.mark.parametrize(
    ("typed", "winner", "ended_by"),
    [
        ("a1", B, MatchEnding.NO_SHOW),
        ("A2", A, MatchEnding.NO_SHOW),
        ("a12", Winner.NONE, MatchEnding.DOUBLE_LOSS),
        ("r1", B, MatchEnding.CONCESSION),
        ("r2", A, MatchEnding.CONCESSION),
    ],
)
def test_who_is_absent_or_concedes_is_two_keys(rules, typed, winner, ended_by):
    outcome = resolve_claim(rules, parse_shorthand(typed, rules))
    assert (outcome.winner, outcome.ended_by) == (winner, ended_by)


def test_p_is_the_usual_draw_where_there_is_one():
    assert resolve_claim(SWISS, parse_shorthand("p", SWISS)).games_won == (1, 1, 0)
    assert resolve_claim(ONE_GAME, parse_shorthand("p", ONE_GAME)).winner == DRAW
    for rules in (GROUP, DUEL):
        with pytest.raises(BadInput, match="is not a result"):
            parse_shorthand("p", rules)
