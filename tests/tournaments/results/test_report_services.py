"""Results reported and confirmed by players, through the services."""

import pytest
from django.core.exceptions import PermissionDenied

from rules.errors import RuleError
from rules.matches.match_rules import Claim
from rules.results import MatchEnding, Winner
from tests import factories as make
from tests.reporting import decide, report
from tournaments.core.permissions import Actor
from tournaments.matches import services as matches
from tournaments.models import Match, Report
from tournaments.results.services import reports
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def test_two_different_reports_are_a_dispute_and_both_stay(match):
    report(match, match.players[0], 40, 22)
    disputed = report(match, match.players[1], 22, 40)
    assert disputed.state == Match.State.DISPUTED
    assert disputed.decision is None
    assert list(match.reports.values_list("winner", flat=True)) == ["a", "b"]


def test_the_same_report_sent_again_changes_nothing(match):
    for _attempt in range(3):
        sent = report(match, match.players[0], 40, 22)
    assert (sent.state, sent.version, match.reports.count()) == (Match.State.REPORTED, 1, 1)
    final = reports.confirm_result(match=match, version=1, by=Actor(entry=match.players[1]))
    assert final.state == Match.State.FINAL
    again = reports.confirm_result(match=match, version=1, by=Actor(entry=match.players[1]))
    late = report(match, match.players[0], 40, 22)
    assert again.decision_id == late.decision_id == final.decision_id
    assert match.reports.count() == 2


def test_a_different_report_sent_again_is_the_same_dispute(match):
    report(match, match.players[0], 40, 22)
    report(match, match.players[1], 22, 40)
    assert report(match, match.players[1], 22, 40).state == Match.State.DISPUTED
    assert match.reports.count() == 2
    with pytest.raises(RuleError) as refused:
        report(match, match.players[1], 30, 22)
    assert refused.value.code == "match_final"


def test_a_report_mended_back_is_a_new_one(match):
    for other in (22, 23, 22):
        report(match, match.players[0], 40, other)
    assert match.reports.count() == 3
    assert report(match, match.players[1], 40, 22).state == Match.State.FINAL


def test_sending_again_does_not_go_round_what_the_staff_decided(match, by):
    match = report(match, match.players[0], 40, 22)
    decide(match, by, 40, 22)
    with pytest.raises(RuleError) as refused:
        report(match, match.players[0], 40, 22)
    assert refused.value.code == "match_final"


def claim_of(match, side, **values):
    by_one = Actor(entry=match.players["ab".index(side)])
    return reports.report_result(match=match, claim=Claim(**values), by=by_one)


@pytest.fixture
def games_match(by):
    event = make.playing(by, 4, format="creatures-of-exo", formula="single-group")
    return event.rounds.get().matches.order_by("table")[0]


DRAWN = ("a", "draw", "b", "a")


@pytest.mark.parametrize("fuller_first", [True, False])
def test_games_in_order_and_totals_agree_and_the_games_count(games_match, by, fuller_first):
    both = [{"games": DRAWN}, {"score": (2, 1)}]
    for side, said in zip("ab", both if fuller_first else both[::-1], strict=True):
        final = claim_of(games_match, side, **said)
    assert final.state == Match.State.FINAL
    assert tuple(final.decision.games) == DRAWN
    assert final.decision.games_drawn == 1
    assert final.decision.version == final.version
    said = list(games_match.reports.filter(kind=Report.Kind.REPORT).values_list("games", flat=True))
    assert sorted(map(len, said)) == [0, 4]  # what each said stays as said
    event = final.round.event
    make.play_round(final.round, by)
    make.next_round(event, by)
    event.refresh_from_db()
    assert list(verify_event(event)) == []


def test_two_orders_of_the_same_games_agree_but_not_other_drawn_ones(games_match):
    claim_of(games_match, "a", games=("a", "b", "a"))
    assert claim_of(games_match, "b", games=("b", "a", "a")).state == Match.State.FINAL


def test_drawn_games_that_both_tell_differently_are_a_dispute(games_match):
    claim_of(games_match, "a", games=DRAWN)
    assert claim_of(games_match, "b", games=("a", "b", "a")).state == Match.State.DISPUTED


@pytest.mark.parametrize("side", ["a", "b"])
def test_a_concession_counts_when_the_other_side_says_so_too(games_match, side):
    other = "ab".replace(side, "")
    conceded = {"winner": Winner(other), "ended_by": MatchEnding.CONCESSION}
    assert claim_of(games_match, side, **conceded).decision is None
    final = claim_of(games_match, other, **conceded)
    assert (final.decision.winner, final.decision.ended_by) == (other, MatchEnding.CONCESSION)


def test_nobody_concedes_for_somebody_else(games_match):
    claimed = claim_of(games_match, "a", winner=Winner.A, ended_by=MatchEnding.CONCESSION)
    assert (claimed.state, claimed.decision) == (Match.State.REPORTED, None)
    assert claim_of(games_match, "b", score=(2, 1)).state == Match.State.DISPUTED


def test_a_confirmation_of_an_older_report_is_stale(match):
    report(match, match.players[0], 40, 22)
    report(match, match.players[0], 40, 39)
    with pytest.raises(matches.StaleError) as refused:
        reports.confirm_result(match=match, version=1, by=Actor(entry=match.players[1]))
    assert refused.value.match.version == 2


def test_nobody_confirms_their_own_report(match):
    report(match, match.players[0], 40, 22)
    with pytest.raises(RuleError) as refused:
        reports.confirm_result(match=match, version=1, by=Actor(entry=match.players[0]))
    assert refused.value.code == "own_report"


def test_others_can_not_report(match, event):
    stranger = event.entries.exclude(pk__in=match.seats).first()
    with pytest.raises(PermissionDenied):
        report(match, stranger, 40, 22)
    assert not match.reports.exists()
