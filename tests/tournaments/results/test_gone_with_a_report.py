"""Players who drop after a match was reported: it has been played, and waits for its word."""

import pytest

from rules.matches.match_rules import Claim
from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.models import Event, Match
from tournaments.players.services import departures
from tournaments.results.services import reports, results
from tournaments.strikes.services import lift_strike, strike
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(by) -> Match:
    """Return a match in the first round of a group of five whose loser has reported 40-35."""
    event = make.started(by, 5, formula="single-group", format="doomtrooper-original")
    match = make.next_round(event, by).matches.filter(match_seats__number=2)[0]
    reports.report_result(
        match=match, claim=Claim(score=(40, 35)), by=Actor(entry=match.players[1])
    )
    match.refresh_from_db()
    return match


def findings(match):
    return list(verify_event(Event.objects.get(pk=match.round.event_id)))


def fresh(match: Match) -> Match:
    return Match.objects.select_related("decision", "round__event").get(pk=match.pk)


def test_the_result_of_a_loser_who_leaves_is_confirmed_with_its_score(match, by):
    departures.withdraw(entry=match.players[1], by=by)
    assert fresh(match).state == Match.State.REPORTED
    reports.confirm_result(match=match, version=match.version, by=Actor(entry=match.players[0]))
    decision = fresh(match).decision
    assert (decision.winner, decision.score_a, decision.score_b) == ("a", 40, 35)
    assert findings(match) == []


def test_the_winner_who_leaves_has_won(match, by):
    departures.disqualify(entry=match.players[0], reason="Carte segnate", by=by)
    results.decide_result(match=match, version=match.version, claim=Claim(score=(40, 35)), by=by)
    assert fresh(match).decision.winner == "a"
    assert findings(match) == []


@pytest.mark.deep
def test_matches_to_come_are_forfeits_all_the_same(match, by):
    departures.withdraw(entry=match.players[1], by=by)
    make.play_round(match.round, by)
    make.play_stage(match.round.event, by)
    own = [
        one.decision.ended_by
        for one in Match.objects.filter(round__event=match.round.event).exclude(pk=match.pk)
        if match.seats[1] in one.seats
    ]
    assert own == ["concession"] * 3
    assert findings(match) == []


@pytest.mark.parametrize("disputed", [False, True])
def test_a_strike_taken_back_leaves_what_was_reported(match, by, disputed):
    if disputed:
        other = Claim(score=(41, 35))
        reports.report_result(match=match, claim=other, by=Actor(entry=match.players[0]))
    state = fresh(match).state
    assert state == (Match.State.DISPUTED if disputed else Match.State.REPORTED)
    departures.withdraw(entry=match.players[1], by=by)
    strike(entry=match.players[1], reason="Via subito", by=by)
    assert fresh(match).decision.winner == "void"
    version = fresh(match).version
    lift_strike(entry=match.players[1], reason="Errore", by=by)
    again = fresh(match)
    assert (again.state, again.decision) == (state, None)
    assert again.version > version
    assert again.reports.last().score_a == (41 if disputed else 40)
    results.decide_result(match=again, version=again.version, claim=Claim(score=(40, 35)), by=by)
    assert findings(match) == []
