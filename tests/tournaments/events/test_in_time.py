"""When an event ends: the day is said, and what would fit where it would end too late."""

import json
from datetime import timedelta

import pytest

from tests import factories as make
from tests.browsers import signed_in, text, url
from tests.tournaments.events.test_new_event import NEW, SCRIPT, SWISS, filled, line
from tournaments.core.event_state import load_facts
from tournaments.events.selectors.timetable import late_in_words
from tournaments.events.services.events import move_event
from tournaments.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def signed(by):
    return signed_in(by)


def test_times_after_midnight_say_so_and_the_other_way_too(signed):
    asked = "?template=single-group&capacity=14&starts_at=2026-11-28T14:00"
    assert line(signed.get(f"{NEW}{asked}")) == (
        "14 players: 13 rounds, ends around 03:00 the next day",
        "everybody twice: 16:40 the next day",
    )


def test_an_end_that_is_too_late_says_so_first_and_what_would_fit(signed):
    page = signed.get(f"{SWISS}&capacity=33&starts_at=2026-11-28T10:00")
    asked = filled(page, ends_by="18:00") | {"part": "advice"}
    said = signed.get(SWISS, asked, headers=SCRIPT)
    assert line(said) == (
        "It can’t end by 18:00. 33 players: 5 rounds and top 8; begun at 10:00 it ends "
        "around 18:40",
        "rounds of 45 minutes: 18:00",
        "6 rounds and a final: 17:40",
        "Groups and knock-out, 3 rounds and top 16: 17:40",
    )
    assert 'class="advice-line warn"' in said.content.decode()
    nothing = signed.get(SWISS, asked | {"ends_by": "11:00"}, headers=SCRIPT)
    assert nothing.context["line"].small.startswith("begin earlier, or on two days")
    later = signed.get(SWISS, asked | {"ends_by": "01:30"}, headers=SCRIPT)
    assert line(later)[0] == "33 players: 5 rounds and top 8, ends around 18:40"


def test_until_when_it_may_last_is_stored_and_told_again_at_the_start(signed, by):
    signed.post(SWISS, filled(signed.get(SWISS), ends_by="18:30"))
    made = Event.objects.get()
    assert made.ends_by == 18 * 60 + 30
    settings = signed.get(url("manage-settings", made))
    assert 'name="ends_by" value="18:30"' in text(settings)
    assert "advice-line" in text(settings)
    move_event(event=made, action="open_registration", by=by)
    make.players(made, 33, by)
    late = "It can’t end by 18:30: it ends around 18:40."
    assert late in text(signed.get(url("manage-start", made)))
    move_event(event=made, action="close_registration", by=by)
    said = text(signed.get(url("manage-settings", made)))
    assert "It can’t end by 18:30. 33 players: 5 rounds and top 8; begun at 10:00" in said
    copied = signed.get(f"{NEW}?copy={made.slug}")
    assert copied.context["form"]["ends_by"].value() == "18:30"
    assert "changed: " not in copied.content.decode().partition("data-count")[2][:200]


def test_the_desk_says_that_an_event_runs_late_and_until_when_it_may(by, in_english):
    facts = load_facts(make.playing(by, 4))
    facts.event.starts_at = facts.rounds[0].published_at
    begins = facts.event.begins
    assert late_in_words(facts) == ""
    facts.event.ends_by = (begins.hour * 60 + begins.minute + 1) % (24 * 60)
    must = f"and must end by {begins + timedelta(minutes=1):%H:%M}"
    assert late_in_words(facts).startswith("It runs late: it ends around ")
    assert must in late_in_words(facts)
    facts.event.ends_by = (begins.hour * 60 + begins.minute - 1) % (24 * 60)
    assert late_in_words(facts) == ""


def test_programs_read_and_set_it(signed, by):
    event = make.open_event(by)
    at = f"/api/v1/events/{event.slug}/"
    assert signed.get(at).json()["ends_by"] is None
    assert patched(signed, at, "18:30").json()["ends_by"] == "18:30"
    event.refresh_from_db()
    assert event.ends_by == 18 * 60 + 30
    for wrong in ("24:00", "6:30", "18.30", 1110, ""):
        refused = patched(signed, at, wrong)
        assert (refused.status_code, "ends_by" in refused.content.decode()) == (400, True)
    assert patched(signed, at, "00:00").json()["ends_by"] == "00:00"
    assert patched(signed, at, None).json()["ends_by"] is None
    made = {"name": "Sera", "format": "thoom", "formula": "single-group", "ends_by": "23:00"}
    sent = signed.post("/api/v1/events/", json.dumps(made), content_type="application/json")
    assert (sent.status_code, sent.json()["ends_by"]) == (201, "23:00")


def patched(client, at, value):
    """Send an hour as a program does."""
    return client.patch(at, json.dumps({"ends_by": value}), content_type="application/json")
