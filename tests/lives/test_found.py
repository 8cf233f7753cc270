"""What the walks found once, each as the few steps that it takes."""

import pytest

from rules.errors import RuleError
from rules.matches import Claim
from tests import factories as make
from tournaments.models import Event, LogLine, Match
from tournaments.services import departures, results, strikes
from tournaments.services.undo import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def checks(event):
    return {finding.check for finding in verify_event(Event.objects.get(pk=event.pk))}


def test_who_was_away_when_a_stage_closed_may_be_back_since_in_any_way(by):
    event = make.started(by, 12)
    make.play_stage(event, by)
    first, second = (event.entries.get(number=number) for number in (1, 2))
    departures.withdraw(entry=first, by=by)
    departures.come_back(entry=first, by=by)
    departures.withdraw(entry=second, by=by)
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    departures.withdraw(entry=first, by=by)
    departures.come_back(entry=second, by=by)
    assert checks(event) == set()


def test_who_is_back_because_a_withdrawal_was_undone_holds_a_place(by):
    event = make.started(by, 12)
    make.play_stage(event, by)
    entry = event.entries.get(number=1)
    departures.withdraw(entry=entry, by=by)
    departures.come_back(entry=entry, by=by)
    departures.withdraw(entry=entry, by=by)
    undo(event=event, expected=LogLine.objects.filter(event=event).last().number, by=by)
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    departures.withdraw(entry=entry, by=by)
    assert checks(event) == set()


def test_a_match_of_a_struck_player_stays_void_when_the_stage_is_closed(by):
    event = make.started(by, 12)
    make.play_round(make.next_round(event, by), by)
    entry = event.entries.get(number=1)
    departures.withdraw(entry=entry, by=by)
    strikes.strike(entry=entry, reason="Una sola partita", by=by)
    make.play_stage(event, by)
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    match = Match.objects.filter(round__event=event, a=entry).first() or Match.objects.get(b=entry)
    with pytest.raises(RuleError) as refused:
        results.correct_result(
            match=match, version=match.version, claim=Claim(score=(40, 0)), reason="No", by=by
        )
    assert refused.value.code == "player_struck"
    assert checks(event) == set()
