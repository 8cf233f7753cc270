"""How a match may end: rules of matches, reports that agree or contradict each other."""

from dataclasses import replace

import pytest

from rules.errors import BadInput
from rules.matches.match_rules import Claim, MatchRules, result_presets
from rules.matches.settling import resolve_claim
from rules.results import MatchEnding, TieBreak, Winner, void_outcome

ONE_GAME = MatchRules(best_of=1, draws=True, score="games", timed=True)
SWISS = MatchRules(best_of=3, draws=True, score="games", timed=True)
KNOCKOUT = MatchRules(best_of=3, draws=False, score="games", timed=True)
FINAL = MatchRules(best_of=3, draws=False, score="games", timed=False)
GROUP = MatchRules(best_of=1, draws=True, score="promotion", timed=True)
DUEL = MatchRules(best_of=1, draws=False, score="promotion", timed=True)
DOOM_FINAL = MatchRules(best_of=3, draws=False, score="promotion", timed=False)

A, B, DRAW, NONE, VOID = Winner.A, Winner.B, Winner.DRAW, Winner.NONE, Winner.VOID
TIME, PLAYED = MatchEnding.TIME, MatchEnding.PLAYED


@pytest.mark.parametrize(
    ("rules", "claim", "winner", "ended_by"),
    [
        (SWISS, Claim(score=(2, 1)), A, PLAYED),
        (SWISS, Claim(score=(0, 2)), B, PLAYED),
        (SWISS, Claim(score=(1, 0)), A, TIME),
        (SWISS, Claim(score=(1, 1)), DRAW, TIME),
        (SWISS, Claim(games=("a", "draw", "b", "a")), A, PLAYED),
        (SWISS, Claim(games=("draw", "draw", "draw")), DRAW, TIME),
        (SWISS, Claim(games=("a", "b", "draw")), DRAW, TIME),
        (KNOCKOUT, Claim(score=(1, 0)), A, TIME),
        (ONE_GAME, Claim(winner=A), A, PLAYED),
        (ONE_GAME, Claim(winner=DRAW), DRAW, TIME),
        (ONE_GAME, Claim(score=(0, 1)), B, PLAYED),
        (GROUP, Claim(score=(40, 22)), A, PLAYED),
        (GROUP, Claim(score=(30, 22)), A, TIME),
        (GROUP, Claim(score=(30, 30)), DRAW, TIME),
        (GROUP, Claim(score=(40, 40), ended_by=TIME), DRAW, TIME),
        (GROUP, Claim(score=(0, 0)), DRAW, TIME),
        (GROUP, Claim(score=(40, 22), ended_by=TIME), A, TIME),
        (GROUP, Claim(score=(30, 22), ended_by=PLAYED), A, PLAYED),
        (SWISS, Claim(score=(2, 0), ended_by=TIME), A, PLAYED),
        (DOOM_FINAL, Claim(games=("a", "b", "b")), B, PLAYED),
        (DOOM_FINAL, Claim(score=(2, 1)), A, PLAYED),
        (SWISS, Claim(winner=A, ended_by=MatchEnding.CONCESSION), A, MatchEnding.CONCESSION),
        (
            SWISS,
            Claim(games=("a",), winner=B, ended_by=MatchEnding.CONCESSION),
            B,
            MatchEnding.CONCESSION,
        ),
        (FINAL, Claim(winner=B, ended_by=MatchEnding.CONCESSION), B, MatchEnding.CONCESSION),
        (
            GROUP,
            Claim(score=(38, 2), winner=B, ended_by=MatchEnding.CONCESSION),
            B,
            MatchEnding.CONCESSION,
        ),
        (
            GROUP,
            Claim(score=(38, 2), winner=B, ended_by=MatchEnding.NO_WARRIORS),
            B,
            MatchEnding.NO_WARRIORS,
        ),
    ],
)
def test_a_players_claim_is_settled(rules, claim, winner, ended_by):
    outcome = resolve_claim(rules, claim)
    assert (outcome.winner, outcome.ended_by) == (winner, ended_by)
    assert not outcome.by_decision


@pytest.mark.parametrize(
    ("rules", "claim"),
    [
        (SWISS, Claim()),
        (SWISS, Claim(score=(3, 3))),
        (SWISS, Claim(score=(2, 2))),
        (SWISS, Claim(score=(3, 0))),
        (SWISS, Claim(score=(-1, 2))),
        (SWISS, Claim(score=(1.5, 0))),
        (SWISS, Claim(score=(True, False))),
        (SWISS, Claim(score=(2, 1, 0))),
        (SWISS, Claim(games=("a", "a", "b"))),
        (SWISS, Claim(games=("a", "c"))),
        (SWISS, Claim(games=("draw",) * 100)),
        (SWISS, Claim(score=(2, 0), games=("a", "b", "a"))),
        (SWISS, Claim(score=(1, 0), ended_by=PLAYED)),
        (SWISS, Claim(score=(1, 1), ended_by=PLAYED)),
        (SWISS, Claim(winner=A)),
        (SWISS, Claim(winner=A, ended_by=MatchEnding.NO_WARRIORS, by_staff=True)),
        (ONE_GAME, Claim()),
        (KNOCKOUT, Claim(score=(1, 1))),
        (KNOCKOUT, Claim(score=(1, 1), winner=DRAW, by_staff=True)),
        (KNOCKOUT, Claim(winner=DRAW, by_staff=True, note="agreed")),
        (KNOCKOUT, Claim(winner=VOID, by_staff=True)),
        (FINAL, Claim(score=(1, 0))),
        (GROUP, Claim()),
        (GROUP, Claim(winner=A)),
        (GROUP, Claim(winner=A, by_staff=True)),
        (GROUP, Claim(score=(1000, 0))),
        (GROUP, Claim(score=(40, 40))),
        (GROUP, Claim(score=(30, 30), ended_by=PLAYED)),
        (GROUP, Claim(games=("a",))),
        (DUEL, Claim(score=(30, 30))),
        (DUEL, Claim(score=(30, 30), winner=A)),
        (DUEL, Claim(score=(30, 30), winner=A, by_staff=True)),
        (DUEL, Claim(score=(30, 22), tie_break=TieBreak.WARRIORS)),
        (DUEL, Claim(score=(30, 30), winner=A, tie_break=TieBreak.JUDGE)),
        (KNOCKOUT, Claim(score=(1, 1), winner=A, tie_break=TieBreak.WARRIORS, by_staff=True)),
        (DUEL, Claim(winner=A, ended_by=MatchEnding.CONCESSION, tie_break=TieBreak.WARRIORS)),
        (SWISS, Claim(ended_by=MatchEnding.BYE, winner=A, by_staff=True)),
        (SWISS, Claim(winner=NONE, ended_by=MatchEnding.VOID, by_staff=True)),
        (SWISS, Claim(winner=A, ended_by=MatchEnding.DOUBLE_LOSS, by_staff=True)),
        (SWISS, Claim(ended_by=MatchEnding.NO_SHOW, by_staff=True)),
        (SWISS, Claim(ended_by=MatchEnding.NO_SHOW, winner=A, score=(2, 0), by_staff=True)),
        (SWISS, Claim(ended_by=MatchEnding.CONCESSION)),
        (SWISS, Claim(ended_by=MatchEnding.CONCESSION, winner=DRAW)),
        (SWISS, Claim(ended_by=MatchEnding.CONCESSION, winner=B, score=(2, 0))),
        (GROUP, Claim(ended_by=MatchEnding.CONCESSION, winner=B, score=(40, 22))),
        (SWISS, Claim(ended_by=MatchEnding.NO_WARRIORS, winner=A)),
    ],
)
def test_what_cannot_be_is_refused_with_what_can(rules, claim):
    with pytest.raises(BadInput) as refused:
        resolve_claim(rules, claim)
    assert refused.value.code == "impossible_result"
    assert "Possible: " in str(refused.value.sentence)


@pytest.mark.parametrize(
    "claim",
    [
        Claim(score=(2, 0), winner=B, note="wrong deck"),
        Claim(winner=NONE),
        Claim(winner=VOID),
        Claim(winner=A, ended_by=MatchEnding.NO_SHOW),
        Claim(winner=A, ended_by=MatchEnding.DISQUALIFICATION),
        Claim(ended_by=MatchEnding.DOUBLE_LOSS),
        Claim(ended_by=MatchEnding.VOID),
        Claim(winner=A, note="they left"),
    ],
)
def test_decisions_are_the_staffs(claim):
    with pytest.raises(BadInput, match=r"staff|games"):
        resolve_claim(SWISS, claim)


@pytest.mark.parametrize(
    ("score", "winner"),
    [((40, 22), B), ((22, 40), A), ((30, 30), A), ((30, 30), B), ((40, 40), A), ((40, 22), DRAW)],
)
def test_a_winner_beside_any_score_needs_a_reason(score, winner):
    with pytest.raises(BadInput, match="Add a note"):
        resolve_claim(GROUP, Claim(score=score, winner=winner, by_staff=True))
    outcome = resolve_claim(GROUP, Claim(score=score, winner=winner, by_staff=True, note="ruling"))
    assert (outcome.winner, outcome.score, outcome.by_decision) == (winner, score, True)


def test_a_match_by_which_nobody_goes_on_may_be_void_if_the_staff_says_so():
    rules = replace(KNOCKOUT, leads_nowhere=True)
    assert resolve_claim(rules, Claim(winner=VOID, by_staff=True)) == void_outcome(2)
    with pytest.raises(BadInput, match="Only staff"):
        resolve_claim(rules, Claim(winner=VOID))


@pytest.mark.parametrize(
    ("claim", "winner", "ended_by", "score"),
    [
        (Claim(winner=NONE), NONE, MatchEnding.DOUBLE_LOSS, None),
        (Claim(ended_by=MatchEnding.DOUBLE_LOSS), NONE, MatchEnding.DOUBLE_LOSS, None),
        (Claim(winner=NONE, score=(16, 40), note="fight"), NONE, MatchEnding.DOUBLE_LOSS, (16, 40)),
        (Claim(winner=VOID), VOID, MatchEnding.VOID, None),
        (Claim(ended_by=MatchEnding.VOID), VOID, MatchEnding.VOID, None),
        (Claim(winner=B, ended_by=MatchEnding.NO_SHOW), B, MatchEnding.NO_SHOW, None),
        (Claim(winner=B, ended_by=MatchEnding.CONCESSION), B, MatchEnding.CONCESSION, None),
        (
            Claim(winner=B, ended_by=MatchEnding.NO_WARRIORS, score=(38, 2)),
            B,
            MatchEnding.NO_WARRIORS,
            (38, 2),
        ),
        (Claim(winner=A, note="they left"), A, MatchEnding.CONCESSION, None),
    ],
)
def test_the_staff_enters_matches_that_were_not_played_out(claim, winner, ended_by, score):
    by_staff = Claim(
        score=claim.score,
        winner=claim.winner,
        ended_by=claim.ended_by,
        note=claim.note,
        by_staff=True,
    )
    outcome = resolve_claim(GROUP, by_staff)
    assert (outcome.winner, outcome.ended_by, outcome.score) == (winner, ended_by, score)


@pytest.mark.parametrize(
    ("rules", "claim"),
    [
        (GROUP, Claim(score=(30, 30))),
        (GROUP, Claim(score=(30, 30), winner=DRAW)),
        (GROUP, Claim(score=(30, 30), winner=A)),
        (GROUP, Claim(score=(40, 22))),
        (SWISS, Claim(score=(1, 1))),
        (DUEL, Claim(score=(40, 22))),
        (DUEL, Claim(score=(40, 22), winner=B)),
        (DUEL, Claim(winner=A)),
        (DUEL, Claim(winner=A, ended_by=MatchEnding.CONCESSION)),
        (DUEL, Claim(winner=A, ended_by=MatchEnding.CONCESSION, score=(30, 30))),
        (DUEL, Claim(winner=A, ended_by=MatchEnding.NO_SHOW)),
        (DUEL, Claim(winner=A, ended_by=MatchEnding.NO_WARRIORS)),
        (DUEL, Claim(winner=A, ended_by=MatchEnding.DISQUALIFICATION)),
        (DUEL, Claim(winner=NONE)),
        (GROUP, Claim(winner=VOID)),
    ],
)
@pytest.mark.parametrize("tie_break", TieBreak)
@pytest.mark.parametrize("note", ["", "ruling"])
def test_a_tie_break_that_decides_nothing_is_refused(rules, claim, tie_break, note):
    sent = replace(claim, tie_break=tie_break, note=note, by_staff=True)
    with pytest.raises(BadInput, match=r"needs a tiebreaker.*Possible: "):
        resolve_claim(rules, sent)


@pytest.mark.parametrize("tie_break", [TieBreak.WARRIORS, TieBreak.EXTRA_TURNS])
def test_a_level_knockout_match_of_doomtrooper_is_won_by_warriors_or_turns(tie_break):
    outcome = resolve_claim(DUEL, Claim(score=(30, 30), winner=B, tie_break=tie_break))
    assert (outcome.winner, outcome.tie_break, outcome.ended_by) == (B, tie_break, TIME)


def test_a_level_knockout_match_of_other_games_is_the_judges():
    claim = Claim(score=(1, 1), winner=A, tie_break=TieBreak.JUDGE, by_staff=True)
    outcome = resolve_claim(KNOCKOUT, claim)
    assert (outcome.winner, outcome.tie_break) == (A, TieBreak.JUDGE)


def test_a_judges_note_is_enough_for_a_level_knockout_match():
    outcome = resolve_claim(
        KNOCKOUT, Claim(score=(1, 1), winner=A, note="fewer cards", by_staff=True)
    )
    assert (outcome.winner, outcome.tie_break, outcome.by_decision) == (A, TieBreak.JUDGE, True)


def test_the_staff_may_end_a_match_before_a_player_has_the_games():
    outcome = resolve_claim(
        FINAL, Claim(score=(1, 0), winner=A, note="the hall closes", by_staff=True)
    )
    assert (outcome.winner, outcome.score, outcome.ended_by) == (A, (1, 0), PLAYED)


def test_games_give_the_score_and_the_totals():
    outcome = resolve_claim(SWISS, Claim(games=("a", "draw", "b", "a")))
    assert (outcome.score, outcome.games_won) == ((2, 1), (2, 1, 1))
    assert resolve_claim(SWISS, Claim(score=(2, 1))).games_won == (2, 1, 0)


def test_promotion_points_of_a_final_stand_beside_its_games():
    outcome = resolve_claim(DOOM_FINAL, Claim(score=(95, 101), games=("a", "b", "a")))
    assert (outcome.winner, outcome.score, outcome.games_won) == (A, (95, 101), (2, 1, 0))


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        (Claim(winner=A), "Enter the points of both players."),
        (Claim(games=("a",)), "Enter the points of both players."),
    ],
)
def test_a_game_of_points_asks_for_points(claim, words):
    rules = MatchRules(best_of=1, draws=True, score="points", timed=True, target=0)
    with pytest.raises(BadInput, match=words):
        resolve_claim(rules, claim)


@pytest.mark.parametrize(
    ("rules", "keys"),
    [
        (
            SWISS,
            "2-0 2-1 1-0 0-2 1-2 0-1 1-1 0-0-3",
        ),
        (KNOCKOUT, "2-0 2-1 1-0 0-2 1-2 0-1"),
        (FINAL, "2-0 2-1 0-2 1-2"),
        (ONE_GAME, "1-0 0-1 0-0-1"),
        (DOOM_FINAL, "2-0 2-1 0-2 1-2"),
        (GROUP, ""),
    ],
)
def test_presets_are_the_legal_results(rules, keys):
    assert [preset.key for preset in result_presets(rules)] == keys.split()


@pytest.mark.parametrize("rules", [SWISS, KNOCKOUT, FINAL, ONE_GAME, DOOM_FINAL])
def test_every_preset_can_be_settled(rules):
    for preset in result_presets(rules):
        resolve_claim(rules, preset.claim)
