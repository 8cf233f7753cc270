"""What was made from a result and kept when that was corrected is no fault."""

import pytest

from rules.matches.match_rules import Claim
from tests import factories as make
from tournaments.models import Event, Match, MatchSeat
from tournaments.results.services import results
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def turned(match, by):
    """Give a match to the other player; what was made from it stays."""
    claim = Claim(score=(0, 40)) if match.best_of == 1 else Claim(games=("b", "b"))
    match.refresh_from_db()
    version = match.version
    results.correct_result(match=match, version=version, claim=claim, reason="Scambio", by=by)


def checks(event):
    return {finding.check for finding in verify_event(Event.objects.get(pk=event.pk))}


def matches(event, ordinal):
    return Match.objects.filter(round__event=event, round__ordinal=ordinal, match_seats__number=2)


@pytest.mark.parametrize(
    ("formula", "players"), [("swiss-cut", 9), ("single-elimination", 8), ("groups-knockout", 6)]
)
def test_a_round_kept_after_a_correction_before_it_is_sound(formula, players):
    by = make.organiser()
    event = make.started(by, players, formula=formula)
    make.play_round(make.next_round(event, by), by)
    make.play_round(make.next_round(event, by), by)
    for match in matches(event, 1):
        turned(match, by)
    assert checks(event) == set()
    turned(matches(event, 2)[0], by)
    make.next_round(event, by)
    assert checks(event) == set()


def test_places_kept_after_a_correction_in_a_closed_stage_are_sound():
    by = make.organiser()
    event = make.started(by, 12)
    make.play_stage(event, by)
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    for match in matches(event, 1):
        turned(match, by)
    assert checks(event) == set()
    make.play_round(make.next_round(event, by), by)
    assert checks(event) == set()


def test_a_round_that_follows_from_neither_result_is_found():
    by = make.organiser()
    event = make.started(by, 8, formula="swiss-cut")
    make.play_round(make.next_round(event, by), by)
    make.next_round(event, by)
    turned(matches(event, 1)[0], by)
    one, other = matches(event, 2)[:2]
    exchanged = (one, other.seats[1]), (other, one.seats[1])
    MatchSeat.objects.filter(match__in=(one, other), number=2).delete()
    for match, opponent in exchanged:
        MatchSeat(round=match.round, match=match, entry_id=opponent, number=2).save()
    assert "pairings" in checks(event)
