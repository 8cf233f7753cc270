"""Who is through and who is out at tables, on pages and by the API: what points alone make sure."""

import pytest
from django.test import Client

from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import ENGLISH, page, signed_in, url
from tournaments.core.permissions import Actor
from tournaments.models import Match
from tournaments.results.services.results import decide_result

pytestmark = pytest.mark.django_db
ONE_ROUND = make.TABLES | {"options": {"rounds": 1, "cut": 4}}


@pytest.fixture
def event(by):
    """Eight at two tables of the only round; the first table is over, seat 1 won."""
    event = make.playing(by, 8, **ONE_ROUND)
    match = Match.objects.filter(round__event=event).order_by("number").first()
    decide_result(match=match, version=match.version, claim=Claim(first=1), by=by)
    return event


def scenarios(event):
    return Client().get(f"/api/v1/events/{event.slug}/scenarios/").json()


def seated(event, table):
    match = Match.objects.filter(round__event=event).order_by("number")[table]
    return [player.number for player in match.players]


def test_the_api_tells_who_is_through_and_what_is_needed(event):
    told = {row["player"]: row for row in scenarios(event)}
    winner, second, *_others = seated(event, 0)
    assert (told[winner]["status"], told[winner]["next"]) == ("through", None)
    assert told[second]["status"] == "open"
    playing = told[seated(event, 1)[0]]
    assert playing["exact"] is False
    assert playing["next"] == {"opponent": None, "win": "through", "draw": "open", "loss": "open"}


def test_points_by_place_tell_what_the_first_place_brings(by):
    event = make.playing(by, 8, **ONE_ROUND, table_points={"preset": "places"})
    told = {row["player"]: row for row in scenarios(event)}
    told_alone = {"opponent": None, "win": "through", "draw": None, "loss": None}
    assert told[seated(event, 0)[0]]["next"] == told_alone


def test_pages_say_it(event):
    foreseen = page(Client(headers=ENGLISH), "prospects", event)
    assert "only points count here" in foreseen
    assert url("prospects", event) in page(Client(headers=ENGLISH), "standings", event)
    entry = event.entries.get(number=seated(event, 1)[0])
    entry.user = make.user()
    entry.save()
    own = page(signed_in(Actor(user=entry.user)), "me", event)
    assert "At your table of this round" in own
    assert "A win takes you on." in own
