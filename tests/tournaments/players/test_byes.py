"""Byes awarded before the start: by form, list and program, and given in Swiss rounds."""

import pytest
from django.test import Client
from django.urls import reverse

from rules.errors import RuleError
from tests import factories as make
from tests.browsers import by_link, signed_in, text, url
from tests.recipes import recipe
from tests.transcripts import draws_of
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.erasing.selectors import data_of_entry
from tournaments.events.services.events import change_event
from tournaments.exports.views import whole_transcript
from tournaments.lots.services import draw_start_order
from tournaments.models import Event
from tournaments.players.services.entries import change_entry
from tournaments.starting.services import start_event
from tournaments.undo.selectors import last_act
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
SWISS = {"formula": "swiss-cut", "format": "thoom", "options": {"rounds": 3, "cut": 2}}


@recipe
def to_come(by: Actor, **values: object) -> Event:
    """Return an event before its start: 1 has two byes, 2 has one."""
    event = make.open_event(by, **(SWISS | values))
    make.players(event, 9, by)
    for number, byes in ((1, 2), (2, 1)):
        change_entry(entry=event.entries.get(number=number), changes={"byes": byes}, by=by)
    return Event.objects.get(pk=event.pk)


def begun(event: Event, by: Actor) -> Event:
    draw = draw_start_order(event=event, by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    return Event.objects.get(pk=event.pk)


def resting(event: Event, ordinal: int) -> set[int]:
    matches = event.rounds.get(ordinal=ordinal).matches
    return set(
        matches.exclude(match_seats__number=2).values_list("match_seats__entry__number", flat=True)
    )


def test_they_are_given_first_and_everything_agrees(by: Actor) -> None:
    event = begun(to_come(by), by)
    for ordinal, rest in ((1, {1, 2}), (2, {1}), (3, set())):
        make.play_round(make.next_round(event, by), by)
        assert resting(event, ordinal) >= rest
        assert len(resting(event, ordinal) - rest) == (9 - len(rest)) % 2
    assert list(verify_event(event)) == []
    found = draws_of(whole_transcript(make.play_event(event, by)))
    assert [found[f"round {ordinal}"][:5] for ordinal in (1, 2, 3)] == ["right"] * 3
    written = archive(event)
    Event.objects.all().delete()
    again = restore(written, caller=by.user)
    assert again.entries.get(number=1).byes == 2
    assert archive(again) == written


def test_the_start_says_who_has_them_and_where_none_are_given(by: Actor) -> None:
    client, event = signed_in(by), to_come(by)
    page = text(client.get(url("manage-start", event)))
    assert "Awarded byes:" in page
    assert "rounds 1 to 2" in page
    assert "are not given" not in page
    for formula, why in (
        ("single-elimination", "which go to the first seeds: these are not given"),
        ("single-group", "everybody meets everybody: these byes are not given"),
        ("tables-cut", "has byes by its own rules alone: these are not given"),
    ):
        changes = {"formula": formula, "options": {}, "criteria": ["points", "lots"]}
        change_event(event=event, changes=changes, by=by)
        assert why in text(client.get(url("manage-start", event)))
    change_event(event=event, changes={"formula": "single-group", "options": {}}, by=by)
    started = begun(Event.objects.get(pk=event.pk), by)
    assert "byes" not in started.plan["stages"][0]


def test_form_and_undo_change_them_until_the_start(by: Actor) -> None:
    event, client = to_come(by), signed_in(by)
    page = url("manage-player", event, 3)
    client.post(page, {"name": "Carla", "byes": "3"})
    assert event.entries.get(number=3).byes == 3
    wrong = client.post(page, {"name": "Carla", "byes": "10"})
    assert wrong.status_code == 400
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert event.entries.get(number=3).byes == 0
    assert data_of_entry(event.entries.get(number=1))["player"]["byes"] == 2
    event = begun(event, by)
    with pytest.raises(RuleError) as refused:
        change_entry(entry=event.entries.get(number=3), changes={"byes": 1}, by=by)
    assert refused.value.code == "event_started"
    client.post(page, {"name": "Carla Blu", "byes": "3"})
    assert (event.entries.get(number=3).byes, event.entries.get(number=1).byes) == (0, 2)


def test_a_list_and_a_program_bring_them(by: Actor) -> None:
    event = make.open_event(by, **SWISS)
    client = signed_in(by)
    path = reverse("tournaments:manage-players-paste", args=[event.slug])
    shown = text(client.post(path, {"text": "Ada; ; ; 2\nBea"}))
    assert "Byes" in shown
    client.post(path, {"text": "Ada; ; ; 2\nBea", "sure": "on"})
    assert list(event.entries.values_list("byes", flat=True)) == [2, 0]
    api = Client()
    api.force_login(by.user)
    address = f"/api/v1/events/{event.slug}/players/"
    made = api.post(address, {"name": "Ugo", "byes": 1}, "application/json")
    assert (made.status_code, made.json()["byes"]) == (201, 1)
    changed = api.patch(f"{address}3/", {"byes": 0}, "application/json")
    assert changed.json()["byes"] == 0
    refused = api.patch(f"{address}3/", {"byes": 10}, "application/json")
    assert (refused.status_code, list(refused.json()["errors"])) == (400, ["byes"])
    started = begun(event, by)
    late = api.patch(f"{address}3/", {"byes": 1}, "application/json")
    assert (late.status_code, late.json()["code"]) == (409, "event_started")
    assert load_facts(started).stages[0].plan.byes == ((1, 2),)


def test_who_has_byes_still_is_not_told_to_wait_for_a_table(by: Actor) -> None:
    event = begun(to_come(by), by)

    def told(number: int) -> str:
        page = text(by_link(event.entries.get(number=number), by).get(url("me", event)))
        return page.partition('id="my-match-heading"')[2].partition("</section>")[0]

    first = "You have awarded byes: your first table comes in round %d."
    for number, round_ in ((1, 3), (2, 2)):
        assert first % round_ in told(number)
        assert "by itself" not in told(number)
    assert "Stay here: the table appears by itself." in told(3)
    make.next_round(event, by)
    assert first % 3 in told(1)
    assert "Your next table appears by itself." in told(2)
