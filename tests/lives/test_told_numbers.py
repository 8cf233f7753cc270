"""A number is the same wherever it is told, whatever happened to the event before."""

import logging

import pytest
from django.core.cache import cache
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from accounts.models import User
from rules.standings.table import marks_by_player
from tests import factories as make
from tests.effort import examples
from tests.lives.acts import asked, onward
from tests.lives.event import send, started_event
from tests.told.numbers import PLACES, differences, told
from tournaments.core.event_state import load_facts
from tournaments.models import Entry, Event, Match
from tournaments.player_pages.services import publish_profile
from tournaments.players.services import departures
from tournaments.standings.selectors import ranking

pytestmark = [pytest.mark.django_db, pytest.mark.deep]
LIVES = (
    ("swiss-cut", 9, {"options": {"rounds": 3, "cut": 4}, "standings_held": "last"}),
    ("groups-knockout", 7, {}),
    ("single-group", 5, {}),
)
MORE = (
    ("swiss-cut", 7, {"options": {"rounds": 4, "cut": 2}}),
    ("mutant-chronicles", 11, {}),
    ("single-group", 4, {"options": {"legs": 2}}),
    ("double-elimination", 7, {}),
)
ACTS = (
    *("correct", "drop", "strike", "come_back", "enter_late", "extra_match", "disqualify"),
    *("take_a_round_back", "second_leg", "undo", "finish"),
)


class Life:
    """An event that goes on, with whatever else people think of, until it is finished."""

    def __init__(self, formula, players, more, data):
        self.event = started_event(formula, players, format="doomtrooper-original", **more)
        for user in User.objects.filter(entries__event=self.event)[:2]:
            publish_profile(user=user)
        self.data, self.browsers = data, {}

    def choose(self, several):
        return self.data.draw(st.sampled_from(several))

    def send(self, ask):
        if ask is None:
            return
        if ask.user not in self.browsers:
            self.browsers[ask.user] = Client(raise_request_exception=False)
            self.browsers[ask.user].force_login(User.objects.get(pk=ask.user))
        assert send(self.browsers[ask.user], ask) < 500, ask

    def go_on(self, steps):
        for _step in range(steps):
            if load_facts(Event.objects.get(pk=self.event.pk)).open_stage is None:
                return
            self.send(onward(self.event.slug, self.choose))

    def play(self):
        for _part in range(3):
            self.go_on(self.data.draw(st.integers(2, 8)))
            self.send(asked(self.event.slug, self.choose(ACTS), self.choose))
        assert differences(told(self.event)) == []
        self.go_on(400)
        by = self.event.created_by_id
        self.browsers[by].patch(
            f"/api/v1/events/{self.event.slug}/", {"status": "finished"}, "application/json"
        )
        assert differences(told(self.event)) == []


def halfway_with_a_bye(by):
    """Return an event in its second round, and who rested in the first."""
    event = make.halfway(by, 9, formula="swiss-cut", options={"rounds": 3, "cut": 2})
    return event, Match.objects.exclude(match_seats__number=2).get(round__event=event).players[0]


def test_who_leaves_after_a_bye_is_told_alike_by_every_place(by):
    event, rested = halfway_with_a_bye(by)
    person = make.user()
    Entry.objects.filter(pk=rested.pk).update(user=person)
    publish_profile(user=person)
    departures.withdraw(entry=rested, by=by)
    paired = make.next_round(event, by)
    now = told(event)
    make.play_round(paired, by)
    make.play_event(event, by)
    after = told(event)
    assert (differences(now), differences(after)) == ([], [])
    heard = {place for each in (now, after) for values in each.values() for place in values}
    assert heard == {place.__name__ for place in PLACES}, "a place that told nothing"


def test_a_record_without_byes_is_found(by, monkeypatch):
    event, _rested = halfway_with_a_bye(by)
    make.play_event(event, by)

    def without_byes(results):
        return marks_by_player(result for result in results if len(result.seats) == 2)

    monkeypatch.setattr(ranking, "marks_by_player", without_byes)
    assert any("record" in each for each in differences(told(event)))


@pytest.mark.parametrize(
    "life", [*LIVES, *(pytest.param(life, marks=pytest.mark.deep) for life in MORE)], ids=str
)
@settings(examples(0.05), phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_place_tells_the_same_numbers(life, data):
    logging.disable(logging.CRITICAL)
    try:
        cache.clear()
        Event.objects.all().delete()
        Life(*life, data).play()
    finally:
        logging.disable(logging.NOTSET)
