"""The timetable on the event's page: planned before, moved by what really began."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils.translation import override
from icalendar import Calendar

from rules.events.timetable import breaks_of
from rules.formulas.forecast import EventTimes, forecast
from tests import factories as make
from tests.browsers import ENGLISH, page, url
from tournaments.core.event_state import load_facts
from tournaments.core.formulas import formula_of
from tournaments.events.selectors.timetable import timetable_of
from tournaments.models import Round, RoundClock

pytestmark = pytest.mark.django_db
LUNCH = [{"at": "13:00", "minutes": 40, "label": "Pranzo"}]
TEN = datetime(2026, 12, 5, 9, tzinfo=UTC)
SWISS = {"formula": "swiss-cut", "options": {"rounds": 5, "cut": 0}, "breaks": LUNCH}


def told(event):
    event.refresh_from_db()
    facts = load_facts(event, drafts=False)
    with override("en"):
        found = timetable_of(facts, facts.plan)
    return [(row["label"], f"{row['begins'].astimezone(event.zone):%H:%M}") for row in found.rows]


def test_before_the_start_it_is_planned_for_those_who_entered(by):
    event = make.open_event(by, starts_at=TEN, **SWISS)
    make.players(event, 8, by)
    said = page(Client(headers=ENGLISH), "event", event)
    assert said.count('datetime="2026-12-05T13:40:00+01:00">13:40</time>') == 2
    assert "Pranzo" in said
    assert "Round 5" in said
    found = Calendar.from_ical(Client().get(f"/events/{event.slug}.ics").content)
    assert found.events[0]["dtend"].dt.isoformat() == "2026-12-05T15:40:00+01:00"
    assert 'datetime="2026-12-05T15:40:00+01:00">15:40</time>' in said
    formula = formula_of(event.formula)
    times = EventTimes(
        start=event.starts_at,
        zone=event.zone,
        minutes=event.minutes,
        breaks=breaks_of(event.breaks),
    )
    ends = forecast(formula, event.options, 8, times).ends
    assert f"{ends.astimezone(event.zone):%H:%M}" == "15:40", "as it was foretold"


def test_without_enough_players_there_is_none(by):
    event = make.open_event(by, starts_at=TEN, **SWISS)
    assert 'id="timetable"' not in page(Client(headers=ENGLISH), "event", event)
    found = Calendar.from_ical(Client().get(f"/events/{event.slug}.ics").content)
    assert "dtend" not in found.events[0]


def test_it_moves_when_a_round_begins_later(by):
    event = make.playing(by, 8, starts_at=TEN, **SWISS)
    first = event.rounds.get()
    Round.objects.filter(pk=first.pk).update(published_at=TEN + timedelta(minutes=20))
    assert told(event)[:3] == [("Round 1", "10:20"), ("Round 2", "11:20"), ("Round 3", "12:20")]
    assert told(event)[3] == ("Pranzo", "13:20")
    RoundClock.objects.create(
        round=first, minutes=55, state="running", used=600.0, since=TEN + timedelta(minutes=45)
    )
    assert told(event)[:3] == [("Round 1", "10:20"), ("Round 2", "11:40"), ("Round 3", "12:40")]


def test_stages_follow_one_another(by):
    event = make.started(by, 8, starts_at=TEN, formula="swiss-cut", options={"rounds": 3, "cut": 4})
    assert [label for label, _time in told(event)] == [
        *(f"Swiss rounds · Round {number}" for number in (1, 2, 3)),
        *("Knock-out · Semi-finals", "Knock-out · Final and third place"),
    ]


def test_it_is_gone_when_the_event_is_over(by):
    event = make.played(by, 4, formula="single-group")
    facts = load_facts(event)
    assert timetable_of(facts, facts.plan) is None
    assert 'id="timetable"' not in page(Client(headers=ENGLISH), "event", event)
    assert Client().get(url("event", event)).status_code == 200


def test_a_round_of_the_next_day_says_which(by):
    evening = datetime(2026, 12, 5, 20, tzinfo=UTC)  # 21:00
    event = make.open_event(by, starts_at=evening, **SWISS | {"breaks": []})
    make.players(event, 8, by)
    said = page(Client(headers=ENGLISH), "event", event)
    table = said.partition('id="timetable"')[2].partition("</section>")[0]
    assert table.count("6 December") == 2  # at the first round after midnight, and at the end
    assert "5 December" not in table
    assert table.index("Round 4") < table.index("6 December") < table.index("Round 5")


def test_it_foretells_no_end_once_all_is_played(by):
    event = make.playing(by, 4, formula="swiss-cut", options={"rounds": 1, "cut": 0})
    assert "The event ends around" in page(Client(headers=ENGLISH), "event", event)
    make.play_round(event.rounds.get(), by)
    said = page(Client(headers=ENGLISH), "event", event)
    assert 'id="timetable"' in said
    assert "The event ends around" not in said


def test_rounds_are_numbered_through_the_event_as_everywhere(by):
    event = make.started(by, 12)
    labels = [label for label, _time in told(event)]
    assert labels[2:5] == ["Groups · Round 3", "Second groups · Round 4", "Second groups · Round 5"]
    make.play_stage(event, by)
    make.stages.close_stage(event=event, expected_stage=1, by=by)
    make.next_round(event, by)
    said = page(Client(headers=ENGLISH), "event", event)
    assert "round 4 (1 of 3)" in said
    assert told(event)[3][0] == "Second groups · Round 4"
