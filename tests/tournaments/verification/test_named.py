"""A line changes what it names, whatever its act may write."""

import pytest

from tests import factories as make
from tests.planting import sql
from tournaments.events.services.events import change_event
from tournaments.keeping_apart.services import keep_apart
from tournaments.models import Event
from tournaments.penalties.services import give_penalty
from tournaments.players.services import departures
from tournaments.players.services.entries import change_entry
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by) -> Event:
    event = make.playing(by, 6, formula="single-group")
    for number in (1, 2):
        entry = event.entries.get(number=number)
        give_penalty(entry=entry, level="warning", infraction="late", by=by)
    return Event.objects.get(pk=event.pk)


def named(event: Event) -> list[str]:
    found = verify_event(Event.objects.get(pk=event.pk))
    assert {one.check for one in found} <= {"named"}, found
    return [one.words for one in found]


def test_points_do_not_come_in_by_a_change_of_the_fee(event, by, in_english):
    change_event(event=event, changes={"fee": "5"}, by=by)
    change_event(event=event, changes={"criteria": ["points", "score_for"]}, reason="agreed", by=by)
    assert named(event) == []
    sql("UPDATE tournaments_event SET points_win = points_win + 2 WHERE id = %s", event.pk)
    change_event(event=event, changes={"fee": "6"}, by=by)
    (words,) = named(event)
    assert "changes more than it says: event, points_win" in words


def test_a_seed_does_not_come_in_by_a_change_of_the_club(event, by):
    entry = event.entries.get(number=3)
    change_entry(entry=entry, changes={"club": "Nord"}, by=by)
    assert named(event) == []
    sql("UPDATE tournaments_entry SET seed = 5 WHERE id = %s", entry.pk)
    entry.refresh_from_db()
    change_entry(entry=entry, changes={"club": "Sud"}, by=by)
    (words,) = named(event)
    assert "entry/3, seed" in words


def test_a_departure_says_what_it_found(event, by):
    entry = event.entries.get(number=3)
    departures.withdraw(entry=entry, by=by)
    departures.come_back(entry=entry, by=by)
    assert named(event) == []
    sql("UPDATE tournaments_entry SET status = 'withdrawn' WHERE id = %s", entry.pk)
    departures.come_back(entry=entry, by=by)
    (words,) = named(event)
    assert "entry/3, status" in words


@pytest.mark.parametrize("level", ["warning", "match_loss"])
def test_one_act_gives_one_penalty_and_keeps_one_pair_apart(event, by, level):
    keep_apart(event=event, numbers=(1, 2), by=by)
    keep_apart(event=event, numbers=(3, 4), by=by)
    assert named(event) == []
    sql("UPDATE tournaments_penalty SET level = 'game_loss' WHERE event_id = %s", event.pk)
    give_penalty(entry=event.entries.get(number=4), level=level, infraction="late", by=by)
    (words,) = named(event)
    assert "penalties" in words
    sql("DELETE FROM tournaments_keptapart WHERE event_id = %s", event.pk)
    keep_apart(event=event, numbers=(5, 6), by=by)
    assert len(named(event)) == 2
