"""A closed series: what is pinned, what can't be done, and which corrections are named."""

import pytest
from django.test import Client

from tests import factories as make
from tests.reporting import correct
from tournaments.erasing.services.erase import erase_player
from tournaments.events.services import change_event, change_event_state
from tournaments.models import Event, Match, Series
from tournaments.series.closing import find_changed_events
from tournaments.series.selectors import load_series_facts
from tournaments.series.services import create_series

pytestmark = pytest.mark.django_db
LEAGUE = {"taking_part": 1, "match_points": 1}
AT = "/api/v1/series/lega/"


@pytest.fixture
def over(by):
    return make.played(by, 4, formula="single-group", name="First")


@pytest.fixture
def series(by, over):
    slugs = [over.slug, make.open_event(by, name="To come").slug]
    return create_series(values={"name": "Lega", "events": slugs, "points": LEAGUE}, by=by)


def corrected(event: Event, by) -> None:
    """Reopen an event, turn a result round, and finish it again."""
    change_event_state(event=event, action="reopen", by=by)
    correct(Match.objects.filter(round__event=event)[0], by, score=(0, 2), winner="b")
    change_event_state(event=event, action="finish", by=by)


def named(series: Series) -> list[str]:
    return find_changed_events(load_series_facts(Series.objects.get(pk=series.pk)))


def test_closing_pins_the_finished_events_without_a_name(api, over, series):
    told = api.post(f"{AT}close/").json()
    assert told["closed_at"] is not None
    assert told["changed_since"] == []
    series.refresh_from_db()
    assert set(series.pinned["events"]) == {over.slug}
    assert set(series.pinned) == {"events", "points", "order", "adjustments", "people"}
    assert series.pinned["events"][over.slug]["head"] == Event.objects.get(pk=over.pk).head
    assert not any(entry.name in str(series.pinned) for entry in over.entries.all())
    assert api.post(f"{AT}close/").json()["code"] == "series_closed"
    refused = api.patch(AT, {"events": []}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "series_closed")
    opened = api.delete(f"{AT}close/").json()
    assert (opened["closed_at"], opened["changed_since"]) == (None, [])
    assert api.patch(AT, {"name": "Altra"}, format="json").status_code == 200
    series.refresh_from_db()
    assert series.pinned == {}
    assert [line.number for line in series.log.all()] == [1, 2, 3, 4]


def test_a_running_event_keeps_a_series_open(api, by, series):
    running = make.started(by, 4, formula="single-group", name="Still on")
    slugs = [*series.events.values_list("slug", flat=True), running.slug]
    api.patch(AT, {"events": slugs}, format="json")
    answer = api.post(f"{AT}close/")
    assert (answer.status_code, answer.json()["code"]) == (409, "event_runs")
    assert answer.json()["detail"] == "Finish “Still on” first."
    assert Series.objects.get(pk=series.pk).closed_at is None


def test_a_correction_is_named_and_what_changes_no_row_is_not(api, by, over, series):
    api.post(f"{AT}close/")
    change_event(event=over, changes={"about": "Grazie a tutti"}, by=by)
    name = over.entries.get(number=3).name
    erase_player(event=Event.objects.get(pk=over.pk), number=3, confirm=name, by=by)
    assert named(series) == []
    corrected(over, by)
    assert named(series) == [over.slug]
    assert api.get(AT).json()["changed_since"] == [over.slug]
    api.delete(f"{AT}close/")
    assert api.post(f"{AT}close/").json()["changed_since"] == []


def test_an_event_that_is_open_again_or_gone_is_named(api, by, over, series):
    api.post(f"{AT}close/")
    change_event_state(event=over, action="reopen", by=by)
    assert named(series) == [over.slug]
    Event.objects.filter(pk=over.pk).delete()
    assert named(series) == [over.slug]


def test_only_organisers_close_a_series(client_of, series):
    assert client_of(make.organiser()).post(f"{AT}close/").status_code == 403
    assert client_of(None).post(f"{AT}close/").status_code == 401
    assert Series.objects.get(pk=series.pk).closed_at is None


def test_the_form_closes_and_reopens(by, series):
    browser = Client()
    browser.force_login(by.user)
    for address, is_closed in (("close", True), ("reopen", False)):
        assert browser.post(f"/series/lega/{address}/").status_code == 302
        assert (Series.objects.get(pk=series.pk).closed_at is not None) == is_closed


def test_the_settings_offer_to_close_to_reopen_and_the_archive(client_of, by, series):
    browser = client_of(by)
    settings = browser.get("/series/lega/settings/").content.decode()
    assert "/series/lega/close/" in settings
    assert "/series/lega/archive.json" in settings
    browser.post("/series/lega/close/")
    assert "/series/lega/reopen/" in browser.get("/series/lega/settings/").content.decode()
