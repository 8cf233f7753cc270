"""What a player reads of a result that the staff changed: what it is now, never why."""

from datetime import UTC, datetime

import pytest
from django.utils.translation import override

from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import by_link, text, url
from tests.reporting import decide, report
from tournaments.core.event_state import load_facts
from tournaments.match_pages.selectors import match_page
from tournaments.models import Event, Match
from tournaments.penalties.services import give_penalty
from tournaments.personal.selectors.decisions import moment_words, result_changes
from tournaments.results.services.results import correct_result
from tournaments.undo.selectors import last_act, undone_act
from tournaments.undo.services import redo, undo

pytestmark = pytest.mark.django_db
OFFENCE = "Carte segnate"


@pytest.fixture
def match(by, in_english) -> Match:
    event = make.playing(by, 4, formula="single-group", format="doomtrooper-original")
    found = Match.objects.select_related("round__event", "group__stage")
    return found.get(round__event=event, table=1)


def told(match: Match, entry) -> list[str]:
    facts = load_facts(match.round.event, drafts=False)
    return list(result_changes(facts, facts.entries[entry.number]))


def test_a_changed_result_is_told_to_both_until_the_second_round_after_it(by, match):
    decide(match, by, 40, 22)
    assert (told(match, match.players[0]), told(match, match.players[1])) == ([], [])
    match.refresh_from_db()
    turned = Claim(score=(22, 40))
    correct_result(match=match, version=match.version, claim=turned, reason=OFFENCE, by=by)
    (won,), (lost,) = told(match, match.players[1]), told(match, match.players[0])
    assert f"your match of round 1 against {match.players[0].name}" in won
    assert won.startswith("The staff changed the result")
    assert "it was “you lost 22–40”, now it is “you won 40–22”." in won
    assert "it was “you won 40–22”, now it is “you lost 22–40”." in lost
    shown = text(by_link(match.players[1], by).get(url("me", match.round.event)))
    assert won in shown
    assert OFFENCE not in shown
    event = match.round.event
    for words in ([won], []):
        item = event.rounds.order_by("ordinal").last()
        make.play_round(item, by)
        make.next_round(event, by)
        assert told(match, match.players[1]) == words


def test_results_of_any_round_are_told_the_latest_change_first(by, match):
    event = match.round.event
    make.play_round(match.round, by)
    make.play_round(make.next_round(event, by), by)
    mine = Match.objects.filter(round__event=event, match_seats__entry=match.players[0])
    for one in mine.select_related("decision", "round__event").order_by("-round__ordinal"):
        score = one.decision.score_b, one.decision.score_a
        turned = Claim(score=score)
        correct_result(match=one, version=one.version, claim=turned, reason=OFFENCE, by=by)
    first, second = told(match, match.players[0])
    assert "your match of round 1 " in first
    assert "your match of round 2 " in second


def test_a_correction_that_is_undone_and_done_again_is_told_again(by, match):
    decide(match, by, 40, 22)
    match.refresh_from_db()
    turned = Claim(score=(22, 40))
    correct_result(match=match, version=match.version, claim=turned, reason=OFFENCE, by=by)
    event = match.round.event
    undo(event=event, expected=last_act(event).line.number, by=by)
    (words,) = told(match, match.players[0])
    assert "it was “you lost 22–40”, now it is “you won 40–22”." in words
    redo(event=event, expected=undone_act(event).number, by=by)
    (words,) = told(match, match.players[0])
    assert "it was “you won 40–22”, now it is “you lost 22–40”." in words
    facts = load_facts(event, drafts=False)
    page = match_page(facts, (match.round.ordinal, match.number), {})
    assert page.was == f"{match.players[0]} wins: 40–22"


def test_a_report_that_the_staff_overrule_is_told(by, match):
    report(match, match.players[0], 40, 22)
    match.refresh_from_db()
    decide(match, by, 22, 40)
    (words,) = told(match, match.players[0])
    assert "you lost 22–40. Reported was: you won 40–22." in words


def test_a_confirmed_entry_of_the_same_result_changes_nothing(by, match):
    report(match, match.players[0], 40, 22)
    match.refresh_from_db()
    decide(match, by, 40, 22)
    assert told(match, match.players[0]) == []


def test_a_game_loss_tells_the_opponent_of_the_game_and_not_of_the_offence(by, match):
    give_penalty(entry=match.players[0], level="game_loss", infraction=OFFENCE, by=by)
    assert told(match, match.players[0]) == []
    one, other = match.players
    (words,) = told(match, other)
    assert words == (
        f"By decision of the staff a game of your match of round 1 against {one.name} is yours."
    )
    shown = text(by_link(match.players[1], by).get(url("me", match.round.event)))
    assert words in shown
    assert OFFENCE not in shown
    decide(match, by, 22, 40)
    assert told(match, match.players[1]) == []


def test_the_day_of_a_change_is_told_short_and_its_year_where_it_is_another():
    event = Event(starts_at=datetime(2026, 11, 28, 9, tzinfo=UTC), time_zone="Europe/Rome")
    before, last_year = (
        datetime(2026, 11, 26, 15, 39, tzinfo=UTC),
        datetime(2025, 12, 31, tzinfo=UTC),
    )
    with override("it"):
        assert moment_words(event, event.starts_at) == "alle 10:00"
        assert moment_words(event, before) == "giovedì 26 novembre alle 16:39"
        assert moment_words(event, last_year) == "mercoledì 31 dicembre 2025, ore 1"
    with override("en"):
        assert moment_words(event, before) == "on Thu 26 November, 16:39"
