"""A person is erased over a series: no name is left, and the table of the others stays."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests import canary
from tests import factories as make
from tests.crawling import everything, routes
from tests.tournaments.series.test_closing import LEAGUE
from tournaments.core.permissions import Actor
from tournaments.erasing.selectors import user_data_json
from tournaments.erasing.services.erase import erase_account, erase_player
from tournaments.models import (
    Entry,
    ErasedPlayer,
    Event,
    FinalRows,
    PersonDecision,
    Series,
    SeriesAdjustment,
    SeriesLine,
    SeriesStaff,
)
from tournaments.players.services.entries import change_entry, remove_entry
from tournaments.series.closing import close_series
from tournaments.series.erasing import erase_in_series
from tournaments.series.finals import make_final
from tournaments.series.selectors import load_series_facts, load_series_people, load_series_table
from tournaments.series.services import change_series, create_series, decide_same
from tournaments.series.verifying import verify_series

pytestmark = pytest.mark.django_db


def with_the_canary(by: Actor, user: Any = None) -> Event:
    """Return a finished event whose player 2 is the canary."""
    event = make.played(by, 4, formula="single-group")
    entry = event.entries.get(number=2)
    change_entry(entry=entry, changes={"name": canary.NAME, "club": canary.CLUB}, by=by)
    Entry.objects.filter(pk=entry.pk).update(user=user)
    return Event.objects.get(pk=event.pk)


def season(by: Actor, *events: Event, decided: bool = True) -> Series:
    """Return a series of events in which the canary got a penalty and others tell of them."""
    slugs = [event.slug for event in events]
    series = create_series(values={"name": "Lega", "events": slugs, "points": LEAGUE}, by=by)
    key = events[0].entries.get(number=2).pk
    if decided:
        key = decide_same(series=series, players=[(slug, 2) for slug in slugs], by=by)
    other = events[0].entries.get(number=1).pk
    adjustments = [
        {"person": key, "points": -1, "reason": f"{canary.SURNAME} in ritardo"},
        {"person": other, "points": 1, "reason": f"Ha aiutato {canary.NAME}"},
    ]
    change_series(series=series, values={"points": LEAGUE | {"adjustments": adjustments}}, by=by)
    SeriesLine.objects.filter(series=series, number=1).update(reason=f"Per {canary.NAME}")
    SeriesAdjustment.objects.filter(entry=other).update(by=None, by_name=canary.NAME)
    return Series.objects.get(pk=series.pk)


def table(series: Series) -> list[tuple[int, str]]:
    """Return rank and points of everybody, best first."""
    series = Series.objects.get(pk=series.pk)
    found = load_series_table(load_series_facts(series))
    assert found is not None
    return [(row.rank, str(found.points(row))) for row in found.standings.rows]


def pages(series: Series) -> Iterator[str]:
    """Yield every address of the series, those of a person for each of their players."""
    keys = [*Entry.objects.filter(event__series=series).values_list("pk", flat=True)]
    for name, needed in routes():
        if "series" in name and "slug" in needed:
            for key in keys if len(needed) > 1 else [0]:
                yield reverse(name, kwargs=dict.fromkeys(needed, key) | {"slug": series.slug})


def told(series: Series, by: Actor) -> str:
    """Return all that the pages and endpoints of a series tell everybody and an organiser."""
    found, read = "", 0
    for user in (None, by.user):
        browser = Client()
        if user is not None:
            browser.force_login(user)
        for page in pages(series):
            cache.clear()
            answer = browser.get(page)
            if answer.status_code == 200:
                read += 1
                found += everything(answer).decode("utf-8", "replace")
    assert read >= 30
    return found.casefold()


def seen(text: str) -> list[str]:
    return [word for word in canary.WORDS if word in text]


@pytest.mark.deep
@pytest.mark.django_db(transaction=True)
def test_a_player_erased_in_one_step_leaves_no_trace(by: Actor) -> None:
    series = season(by, with_the_canary(by), with_the_canary(by))
    before, sound = table(series), verify_series(series)
    assert sound == []
    assert seen(told(series, by))
    columns = {at.split(" ")[0] for at in canary.found_in_rows(*canary.WORDS)}
    assert {
        *("SeriesAdjustment.reason", "SeriesAdjustment.by_name", "SeriesLine.reason"),
        "Entry.name",
    } <= columns
    key = series.adjustments.order_by("pk")[0].entry_id
    close_series(series=series, by=by)
    assert erase_in_series(series=series, key=key, confirm=canary.NAME, by=by) == []
    assert canary.found_in_rows(*canary.WORDS) == []
    if connection.vendor == "sqlite":
        content = canary.bytes_of_file().lower()
        assert [word for word in canary.WORDS if word.encode() in content] == []
    assert seen(told(series, by)) == []
    assert table(series) == before
    assert verify_series(series) == []
    assert FinalRows.objects.count() == 2


@pytest.mark.deep
def test_an_account_leaves_no_trace_in_series_and_stays_one_row(by: Actor) -> None:
    user = canary.person()
    series = season(by, *(with_the_canary(by, user) for _time in range(2)), decided=False)
    SeriesStaff.objects.create(series=series, user=user, role=SeriesStaff.Role.HELPER)
    assert user_data_json(user)["series"][0]["role"] == "helper"
    before = table(series)
    erase_account(user=user, confirm=canary.ADDRESS)
    assert canary.found_in_rows(*canary.WORDS) == []
    assert seen(told(series, by)) == []
    assert table(series) == before
    assert not SeriesStaff.objects.filter(user=user).exists()
    assert verify_series(series) == []


def test_a_player_erased_in_one_event_is_nobody_in_the_others(by: Actor) -> None:
    first, second = with_the_canary(by), with_the_canary(by)
    series = season(by, first, second)
    erase_player(event=first, number=2, confirm=canary.NAME, by=by)
    assert not PersonDecision.objects.filter(series=series).exists()
    people = load_series_people(load_series_facts(series))
    assert len(people.of_player[first.pk, 2].entries) == 1
    assert people.of_player[second.pk, 2].name == canary.NAME
    told = [player for line in series.log.all() for player in line.values.get("players", ())]
    assert told == [[second.slug, 2]]
    assert verify_series(series) == []


@pytest.mark.deep
def test_events_of_others_are_named_and_left(by: Actor) -> None:
    elsewhere = make.organiser()
    own, foreign = with_the_canary(by), with_the_canary(elsewhere)
    series = create_series(values={"name": "Lega", "events": [own.slug]}, by=by)
    series.members.create(event=foreign)
    people = [(own.slug, 2), (foreign.slug, 2)]
    key = decide_same(series=series, players=people, by=by)
    left = erase_in_series(series=series, key=key, confirm=canary.NAME.upper(), by=by)
    assert [event.slug for event in left] == [foreign.slug]
    assert own.entries.get(number=2).name == "Giocatore 2"
    assert foreign.entries.get(number=2).name == canary.NAME
    assert ErasedPlayer.objects.count() == 1


def test_nothing_is_erased_if_one_event_refuses(by: Actor) -> None:
    first, running = with_the_canary(by), make.started(by, 4, formula="single-group")
    series = create_series(values={"name": "Lega", "events": [first.slug, running.slug]}, by=by)
    key = decide_same(series=series, players=[(first.slug, 2), (running.slug, 2)], by=by)
    name = running.entries.get(number=2).name
    refused = make.refusal(erase_in_series, series=series, key=key, confirm=name, by=by)
    assert refused == "still_plays"
    wrong = make.refusal(erase_in_series, series=series, key=key, confirm="Altro", by=by)
    assert wrong == "not_confirmed"
    gone = make.refusal(erase_in_series, series=series, key=0, confirm="Altro", by=by)
    assert gone == "person_gone"
    Entry.objects.filter(event=first, number=2).update(user=make.user())
    assert make.refusal(erase_in_series, series=series, key=key, confirm=name, by=by) == (
        "has_account"
    )
    assert first.entries.get(number=2).name == canary.NAME
    assert not ErasedPlayer.objects.exists()


@pytest.mark.deep
def test_a_final_names_nobody_by_who_was_erased(by: Actor) -> None:
    first = with_the_canary(by)
    values = {"name": "Lega", "events": [first.slug], "points": LEAGUE, "names_are_people": True}
    series = create_series(values=values, by=by)
    final = make_final(series=series, first=4, values={}, by=by)
    member = series.members.get(event=final)
    numbers = {(slug, number): own for slug, number, own in member.invited["people"]}
    own = numbers[first.slug, 2]
    erase_player(event=first, number=2, confirm=canary.NAME, by=by)
    member.refresh_from_db()
    people = member.invited["people"]
    assert [final.slug, own, own] in people
    assert (first.slug, 2) not in {(slug, number) for slug, number, _own in people}
    line = series.log.get(action="series.final_made")
    assert line.values["players"] == people
    remove_entry(entry=final.entries.get(number=own), by=by)
    assert verify_series(series) == []


def test_the_last_organiser_of_an_open_series_stays(by: Actor) -> None:
    user = by.user
    assert user is not None
    series = create_series(values={"name": "Lega"}, by=by)
    assert make.refusal(erase_account, user=user, confirm=user.email) == "last_organiser"
    close_series(series=series, by=by)
    erase_account(user=user, confirm=user.email)
    assert not series.staff.exists()


@pytest.mark.deep
def test_the_page_erases_and_names_the_events_of_others(by: Actor) -> None:
    own, foreign = with_the_canary(by), with_the_canary(make.organiser())
    Event.objects.filter(pk=foreign.pk).update(name="Altrove")
    values = {"name": "Lega", "events": [own.slug], "points": LEAGUE}
    series = create_series(values=values, by=by)
    series.members.create(event=foreign)
    key = decide_same(series=series, players=[(own.slug, 2), (foreign.slug, 2)], by=by)
    browser, stranger = Client(headers={"accept-language": "en"}), Client()
    browser.force_login(by.user)
    address = f"/series/lega/people/{key}/erase/"
    assert address in browser.get(f"/series/lega/players/{key}/").content.decode()
    assert address not in Client().get(f"/series/lega/players/{key}/").content.decode()
    stranger.force_login(make.organiser().user)
    assert stranger.get(address).status_code == 403
    assert browser.get("/series/lega/people/999999/erase/").status_code == 404
    wrong = browser.post(address, {"confirm": "Altro"})
    assert wrong.status_code == 400
    answer = browser.post(address, {"confirm": canary.NAME}, follow=True)
    assert "Not erased in Altrove: ask their organisers." in answer.content.decode()
    assert own.entries.get(number=2).name == "Giocatore 2"
