"""A report that nobody answers confirms itself after a time that the event sets.

Tournament rules, A match (who may enter a result).
"""

from datetime import timedelta
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import by_link
from tournaments.core.permissions import Actor
from tournaments.events.services import change_event
from tournaments.models import Event, LogLine, Match, Report
from tournaments.pages import access
from tournaments.players.services.departures import drop_leaving_players_if_due
from tournaments.results.services.reports import confirm_result, report_result
from tournaments.results.services.results import (
    confirm_due_reports,
    confirm_reports_if_due,
    decide_result,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(by: Actor) -> Match:
    event = make.started(by, 4, formula="single-group", format="doomtrooper-original")
    change_event(event=event, changes={"confirm_after": 10}, by=by)
    make.next_round(event, by)
    found = Match.objects.select_related("round__event", "decision")
    return found.filter(round__event=event).order_by("table")[0]


def reported(match: Match, *, minutes_ago: float = 0, side: str = "a") -> Report:
    """Let one side report 40–22, so long ago."""
    player = Actor(entry=match.players["ab".index(side)])
    then = timezone.now() - timedelta(minutes=minutes_ago)
    with patch.object(timezone, "now", return_value=then):
        report_result(match=match, claim=Claim(score=(40, 22)), by=player)
    return match.reports.latest("version")


def looked_at(match: Match) -> Match:
    """Return the match as everybody sees it who looks at the event."""
    assert Client().get(reverse("tournaments:pairings", args=[match.round.event.slug])).content
    match.refresh_from_db()
    return match


def test_it_counts_when_its_time_is_over_and_not_before(match: Match) -> None:
    reported(match, minutes_ago=9.9)
    assert looked_at(match).state == Match.State.REPORTED
    later = timezone.now() + timedelta(minutes=0.1)
    with patch.object(timezone, "now", return_value=later):
        looked_at(match)
    assert looked_at(match).state == Match.State.FINAL
    decision = match.decision
    assert decision is not None
    assert (decision.kind, decision.winner, decision.score_a) == ("confirmation", "a", 40)
    assert (decision.by, decision.by_entry) == (None, None)
    line = LogLine.objects.filter(event=match.round.event).latest("number")
    assert (line.action, line.by, line.by_entry) == ("result.confirmed", None, None)
    assert line.after["version"] == decision.version == match.version
    words = StringIO()
    call_command("verify", match.round.event.slug, stdout=words)


def test_a_program_that_reads_sees_it_too(match: Match) -> None:
    reported(match, minutes_ago=11)
    url = f"/api/v1/events/{match.round.event.slug}/matches/{match.pk}/"
    assert APIClient().get(url).json()["state"] == "final"


def test_the_last_report_begins_the_time_anew(match: Match) -> None:
    reported(match, minutes_ago=11)
    report_result(match=match, claim=Claim(score=(40, 30)), by=Actor(entry=match.players[0]))
    assert looked_at(match).state == Match.State.REPORTED


@pytest.mark.parametrize("minutes", [0, 600])
def test_an_event_without_the_time_waits_for_the_opponent(match: Match, by, minutes) -> None:
    change_event(event=match.round.event, changes={"confirm_after": minutes}, by=by)
    reported(match, minutes_ago=599)
    assert looked_at(match).state == Match.State.REPORTED


def test_a_dispute_and_a_result_of_the_staff_stay(match: Match, by) -> None:
    reported(match, minutes_ago=1500)
    yesterday = timezone.now() - timedelta(days=1)
    with patch.object(timezone, "now", return_value=yesterday):
        report_result(match=match, claim=Claim(score=(22, 40)), by=Actor(entry=match.players[1]))
    assert looked_at(match).state == Match.State.DISPUTED
    decide_result(match=match, version=match.version, claim=Claim(score=(40, 0)), by=by)
    assert looked_at(match).decision.kind == Report.Kind.DECISION


def test_looking_twice_at_once_confirms_once(match: Match) -> None:
    reported(match, minutes_ago=11)
    event = Event.objects.get(pk=match.round.event_id)
    assert (
        confirm_due_reports(event).version
        == confirm_due_reports(event).version
        == event.version + 1
    )
    assert match.reports.count() == 2


def test_who_confirms_what_counts_already_is_not_refused(match: Match) -> None:
    reported(match, minutes_ago=11)
    match.refresh_from_db()
    seen = match.version
    looked_at(match)
    for side in ("a", "b"):
        same = confirm_result(
            match=match, version=seen, by=Actor(entry=match.players["ab".index(side)])
        )
        assert same.state == Match.State.FINAL
    assert match.reports.count() == 2


def test_events_without_the_time_ask_nothing(by, django_assert_num_queries) -> None:
    event = make.started(by, 4, formula="single-group")
    with django_assert_num_queries(0):
        assert confirm_reports_if_due(event) is event
    event.confirm_after = 10
    with django_assert_num_queries(1):
        assert confirm_reports_if_due(event) is event


def test_both_players_read_when_it_counts(match: Match, by) -> None:
    reported(match)
    for entry in match.players:
        phone = by_link(entry, by)
        page = phone.get(reverse("tournaments:me", args=[match.round.event.slug])).content.decode()
        assert ("Waiting for <bdi>" in page) == (entry == match.players[0])
        assert "Final unless disputed by:" in page


def test_the_organiser_sets_it_by_form_and_by_program(match: Match, by) -> None:
    event, client = match.round.event, APIClient()
    client.force_login(by.user)
    url = f"/api/v1/events/{event.slug}/"
    assert client.get(url).json()["confirm_after"] == 10
    assert client.patch(url, {"confirm_after": 20}, format="json").json()["confirm_after"] == 20
    for wrong in (-1, 601, "x", None):
        refused = client.patch(url, {"confirm_after": wrong}, format="json")
        assert refused.status_code == 400
        assert "confirm_after" in refused.json()["errors"]
    page = client.get(reverse("tournaments:manage-settings", args=[event.slug]))
    assert 'name="confirm_after" value="20"' in page.content.decode()


def test_pages_and_the_api_find_their_event_in_the_one_place_that_confirms() -> None:
    """Any other ``GET`` would show what waits though its time is over, or write unnoticed."""
    app = Path(access.__file__).resolve().parents[1]
    naming = {
        path.relative_to(app).as_posix()
        for path in app.rglob("*.py")
        if "confirm_reports_if_due" in path.read_text()
    }
    assert naming == {"results/services/results.py", "start.py"}
    assert [confirm_reports_if_due, drop_leaving_players_if_due] == access.CAUSED_BY_TIME
    assert "load_visible_event(" in (app / "api/request_context.py").read_text()
