"""Faults that the walks have found, each reduced to the few steps that it takes."""

import pytest

from rules.errors import RuleError
from rules.matches.match_rules import Claim
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.models import Event, LogLine, Match
from tournaments.players.services import departures, late_entries
from tournaments.results.services import results
from tournaments.strikes import services as strikes
from tournaments.undo.services import redo, undo
from tournaments.verification.event import event_notes, verify_event

pytestmark = pytest.mark.django_db

SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 3, "cut": 4}}


def checks(event):
    return {finding.check for finding in verify_event(Event.objects.get(pk=event.pk))}


def test_who_was_away_when_a_stage_closed_may_be_back_since_in_any_way(by):
    event = make.started(by, 12)
    make.play_stage(event, by)
    first, second = (event.entries.get(number=number) for number in (1, 2))
    departures.withdraw(entry=first, by=by)
    departures.rejoin(entry=first, by=by)
    departures.withdraw(entry=second, by=by)
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    departures.withdraw(entry=first, by=by)
    departures.rejoin(entry=second, by=by)
    assert checks(event) == set()


@pytest.mark.deep
def test_who_is_back_because_a_withdrawal_was_undone_holds_a_place(by):
    event = make.started(by, 12)
    make.play_stage(event, by)
    entry = event.entries.get(number=1)
    departures.withdraw(entry=entry, by=by)
    departures.rejoin(entry=entry, by=by)
    departures.withdraw(entry=entry, by=by)
    undo(event=event, expected=LogLine.objects.filter(event=event).last().number, by=by)
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    departures.withdraw(entry=entry, by=by)
    assert checks(event) == set()


@pytest.mark.deep
def test_a_match_of_a_struck_player_stays_void_when_the_stage_is_closed(by):
    event = make.started(by, 12)
    make.play_round(make.next_round(event, by), by)
    entry = event.entries.get(number=1)
    departures.withdraw(entry=entry, by=by)
    strikes.strike(entry=entry, reason="Una sola partita", by=by)
    make.play_stage(event, by)
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    match = Match.objects.filter(match_seats__entry=entry).first()
    with pytest.raises(RuleError) as refused:
        results.correct_result(
            match=match, version=match.version, claim=Claim(score=(40, 0)), reason="No", by=by
        )
    assert refused.value.code == "player_struck"
    assert checks(event) == set()


def closed_without(by, *numbers):
    """Return an event whose Swiss stage closed without players who withdrew after round 1."""
    event = make.started(by, 9, **SWISS)
    make.play_round(make.next_round(event, by), by)
    for number in numbers:
        departures.withdraw(entry=event.entries.get(number=number), by=by)
    close(event, by)
    return event


def close(event, by):
    """Play the Swiss rounds to their end, and close the stage."""
    make.play_stage(event, by)
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        make.draws.draw_tied_order(event=event, tied=needed[0], seed="x", by=by)
    make.stages.close_stage(event=event, expected_stage=1, by=by)


def back(event, by, *numbers):
    for number in numbers:
        departures.rejoin(entry=event.entries.get(number=number), by=by)


def missed(event):
    """Return which players miss which rounds."""
    found = Match.objects.filter(round__event=event, missed=True)
    first = found.filter(match_seats__number=1)
    return sorted(
        first.values_list("match_seats__entry__number", "round__ordinal", "decision__winner")
    )


def last_line(event):
    return LogLine.objects.filter(event=event).last()


@pytest.mark.deep
def test_who_comes_back_after_swiss_rounds_closed_was_left_out_of_none(by):
    event = closed_without(by, 4)
    back(event, by, 4)
    assert checks(event) == set()
    assert "by_hand" not in {note.check for note in event_notes(Event.objects.get(pk=event.pk))}
    assert missed(event) == []


@pytest.mark.deep
def test_who_had_left_before_an_undone_disqualification_is_still_away(by):
    event = make.started(by, 9, **SWISS)
    make.play_round(make.next_round(event, by), by)
    gone = event.entries.get(number=4)
    departures.withdraw(entry=gone, by=by)
    departures.disqualify(entry=gone, reason="Carte segnate", by=by)
    undo(event=event, expected=last_line(event).number, by=by)
    close(event, by)
    back(event, by, 4)
    assert checks(event) == set()


@pytest.mark.deep
def test_who_came_back_meanwhile_loses_the_rounds_of_a_stage_that_opens_again(by):
    event = closed_without(by, 2, 4, 5)
    back(event, by, 2, 4)
    make.stages.reopen_previous_stage(event=event, expected_stage=2, by=by)
    assert missed(event) == [(n, ordinal, "none") for n in (2, 4) for ordinal in (2, 3)]
    assert checks(event) == set()
    line = last_line(event)
    assert line.after == {"open": "swiss", "missed": "loss", "players": [2, 4], "rounds": [2, 3]}
    undo(event=event, expected=line.number, by=by)
    assert (missed(event), checks(event)) == ([], set())
    redo(event=event, expected=last_line(event).number, by=by)
    assert (len(missed(event)), checks(event)) == (4, set())
    make.play_event(event, by)
    assert checks(event) == set()


@pytest.mark.deep
def test_a_stage_that_opens_again_costs_nobody_a_round_who_is_away_or_has_played(by):
    event = closed_without(by, 4)
    make.stages.reopen_previous_stage(event=event, expected_stage=2, by=by)
    assert (missed(event), last_line(event).after) == ([], {"open": "swiss"})
    assert checks(event) == set()


@pytest.mark.deep
def test_a_correction_that_opens_a_stage_again_costs_who_came_back_the_rounds_too(by):
    event = closed_without(by, 4)
    back(event, by, 4)
    match = Match.objects.get(round__event=event, round__ordinal=3, table=1)
    results.correct_result(
        match=match,
        version=match.version,
        claim=Claim(games=("b", "b")),
        reason="Scambiati",
        take_back=True,
        by=by,
    )
    assert [stage.state for stage in event.stages.all()] == ["open", "pending"]
    assert (missed(event), checks(event)) == ([(4, 2, "none"), (4, 3, "none")], set())


@pytest.mark.deep
def test_a_stage_that_is_open_again_may_have_late_entries(by) -> None:
    event = make.halfway(by, 6, rounds=1, **SWISS)
    late_entries.add_late_entry(event=event, name="Elena Gatti", missed="loss", by=by)
    event = Event.objects.get(pk=event.pk)
    make.play_stage(event, by)
    while needed := load_facts(event).open_stage.outcome.lots_needed:
        make.draws.draw_tied_order(event=event, tied=needed[0], seed="s", by=by)
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    make.stages.reopen_previous_stage(event=event, expected_stage=2, by=by)
    ended = Event.objects.get(pk=make.play_event(event, by).pk)
    assert checks(ended) == set()
