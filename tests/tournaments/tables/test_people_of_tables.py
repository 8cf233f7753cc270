"""People at tables of three and more: their own data, their erasure, and archives of both."""

import pytest
from django.urls import reverse

from tests import factories as make
from tests.browsers import signed_in, url
from tests.canary import found_in_rows
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.erasing.services.erase import erase_player
from tournaments.models import Entry, Event, Match
from tournaments.players.services.departures import withdraw
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


def faults(event: Event) -> list[str]:
    return [str(found) for found in verify_event(Event.objects.get(pk=event.pk))]


def test_my_data_has_the_seats_of_a_table_and_what_was_said_by_account_there(by):
    event = make.playing(by, 7, **make.TABLES)
    match = Match.objects.exclude(match_seats__number=4).get(
        round__event=event, match_seats__number=3
    )
    entry = match.players[2]
    entry.user = make.user()
    entry.save()
    client = signed_in(Actor(user=entry.user))
    client.post(url("my-report", event, match.pk), {"version": 0, "preset": "1"})
    (event_told,) = client.get(reverse("tournaments:my-data")).json()["events"]
    seats = [player.number for player in match.players]
    assert event_told["matches"] == [
        {"round": 1, "table": match.table, "seats": seats, "a": None, "b": None}
        | dict.fromkeys(("winner", "score_a", "score_b", "games_a", "games_b", "places", "marks"))
    ]
    (report,) = event_told["reports"]
    assert (report["places"], report["kind"]) == ([1, 2, 2], "report")
    make.play_round(event.rounds.get(), by)
    (told,) = client.get(reverse("tournaments:my-data")).json()["events"][0]["matches"]
    assert sorted(told["places"])[0] == 1
    assert len(told["places"]) == 3


def test_a_denial_and_a_bye_are_in_my_data(by):
    event = make.playing(by, 5, **make.TABLES)
    match = Match.objects.exclude(match_seats__number=5).get(
        round__event=event, match_seats__number=4
    )
    first, second = match.players[:2]
    for entry in (first, second):
        entry.user = make.user()
        entry.save()
    signed_in(Actor(user=first.user)).post(
        url("my-report", event, match.pk), {"version": 0, "preset": "2"}
    )
    client = signed_in(Actor(user=second.user))
    client.post(url("my-contradict", event, match.pk), {"version": 1})
    told = client.get(reverse("tournaments:my-data")).json()["events"][0]
    assert [report["kind"] for report in told["reports"]] == ["denial"]
    resting = Match.objects.exclude(match_seats__number=2).get(round__event=event).players[0]
    resting.user = make.user()
    resting.save()
    told = signed_in(Actor(user=resting.user)).get(reverse("tournaments:my-data")).json()
    (bye,) = told["events"][0]["matches"]
    assert (bye["seats"], bye["a"], bye["b"]) == ([resting.number], resting.number, None)
    assert bye["winner"] == "a"


@pytest.mark.parametrize("state", ["running", "finished"])
def test_who_is_erased_keeps_seats_and_places_and_no_name(by, state):
    begin = make.played if state == "finished" else make.halfway
    event = begin(by, 7, **make.TABLES)
    if state == "running":
        withdraw(entry=event.entries.get(number=6), reason="Fosca esce", by=by)
        make.next_round(event, by)
    name, before = event.entries.get(number=6).name, load_facts(event)
    assert found_in_rows(name.lower())
    erase_player(event=event, number=6, confirm=name, by=by)
    assert found_in_rows(name.lower()) == []
    assert faults(event) == []
    after = load_facts(Event.objects.get(pk=event.pk))
    assert after.ranking == before.ranking
    told = [
        [(match.seats, match.decision and match.decision.places) for match in stage.matches]
        for facts in (before, after)
        for stage in facts.stages
    ]
    half = len(told) // 2
    assert told[:half] == told[half:]
    erased = Event.objects.get(pk=event.pk)
    first = archive(erased)
    erased.delete()
    again = restore(first, caller=by.user)
    assert archive(again) == first
    assert faults(again) == []
    assert not Entry.objects.filter(event=again, name=name).exists()


def test_a_restored_event_of_tables_is_played_on(by):
    event = make.halfway(by, 11, **make.TABLES)
    first = archive(event)
    event.delete()
    again = restore(first, caller=by.user)
    assert archive(again) == first
    finished = make.play_event(again, by)
    assert finished.state == "finished"
    assert faults(finished) == []
