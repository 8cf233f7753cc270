"""A player's page after acts elsewhere, and after those that concern the player."""

import pytest

from tests import factories as make
from tests.browsers import by_link, text, url
from tests.scenes.base import SWISS
from tournaments.players.services.departures import withdraw
from tournaments.players.services.entries import change_entry
from tournaments.results.services import results

pytestmark = pytest.mark.django_db
PAGES = ("me", "me-now")


@pytest.fixture
def tables(by):
    """Return the matches by table of a round of 20 players."""
    event = make.started(by, 20, **SWISS)
    make.play_round(make.next_round(event, by), by)
    item = make.next_round(event, by)
    return {match.table: match for match in item.matches.select_related("round__event")}


def finish(match, by):
    results.enter_result(match=match, version=0, claim=make.a_wins(match), reason="", by=by)


def test_a_result_elsewhere_changes_nothing(tables, by):
    mine = tables[1]
    event, client = mine.round.event, by_link(mine.players[0], by)
    finish(mine, by)
    before = {name: text(client.get(url(name, event))) for name in PAGES}
    finish(tables[2], by)
    assert text(client.get(url("me-now", event))) == before["me-now"]
    body = before["me-now"].strip()
    assert all(body in text(client.get(url("me", event))) for _again in range(2))
    change_entry(entry=mine.players[1], changes={"name": "Zoe Zucchini"}, by=by)
    assert "Zoe Zucchini" in text(client.get(url("me", event)))
    assert mine.players[1].name not in text(client.get(url("me-now", event)))


def test_each_player_gets_their_own(tables, by):
    mine, event = tables[1], tables[1].round.event
    finish(mine, by)
    pages = [text(by_link(one, by).get(url("me-now", event))) for one in mine.players]
    assert pages[0] != pages[1]
    withdraw(entry=mine.players[0], by=by)
    assert "You have left this event" in text(
        by_link(mine.players[0], by).get(url("me-now", event))
    )


def test_the_organiser_who_made_a_link_is_named_as_now(tables, by):
    event, client = tables[1].round.event, by_link(tables[1].players[0], by)
    finish(tables[1], by)
    client.get(url("me-now", event))
    by.user.name = "Renata Rinominata"
    by.user.save()
    assert all("Renata Rinominata" in text(client.get(url(name, event))) for name in PAGES)
