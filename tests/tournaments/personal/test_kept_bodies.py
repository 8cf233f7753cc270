"""What was written of a player's page is sent again while its digest is the same, and only then."""

import re

import pytest
from django.test import Client
from django.utils.safestring import SafeString

from rules.events.clock import ClockAction
from tests import factories as make
from tests.browsers import ENGLISH, by_link, text, url
from tests.scenes.base import SWISS
from tournaments.clock.services import run_clock
from tournaments.personal import views
from tournaments.personal.bodies import Bodies, Body
from tournaments.players.services.departures import withdraw
from tournaments.players.services.entries import change_entry
from tournaments.results.services import results

pytestmark = pytest.mark.django_db
PAGES = ("me", "me-now")


@pytest.fixture
def tables(by, monkeypatch):
    """Return the matches by table of a round of 20 players; what is kept is forgotten before."""
    monkeypatch.setattr(views, "bodies", Bodies())
    event = make.started(by, 20, **SWISS)
    make.play_round(make.next_round(event, by), by)
    item = make.next_round(event, by)
    return {match.table: match for match in item.matches.select_related("a", "b", "round__event")}


@pytest.fixture
def composed(monkeypatch):
    """Return for whom a page was composed."""
    real, asked = views.player_page, []
    monkeypatch.setattr(
        views, "player_page", lambda facts, entry: asked.append(entry) or real(facts, entry)
    )
    return asked


def finish(match, by):
    results.enter_result(match=match, version=0, claim=make.a_wins(match), reason="", by=by)


def test_a_result_elsewhere_asks_for_no_new_page(tables, by, composed):
    mine = tables[1]
    event, client = mine.round.event, by_link(mine.a, by)
    finish(mine, by)
    before = {name: text(client.get(url(name, event))) for name in PAGES}
    finish(tables[2], by)
    assert text(client.get(url("me-now", event))) == before["me-now"]
    body = before["me-now"].strip()
    assert all(body in text(client.get(url("me", event))) for _again in range(2))
    assert composed == [mine.a]
    change_entry(entry=mine.b, changes={"name": "Zoe Zucchini"}, by=by)
    assert "Zoe Zucchini" in text(client.get(url("me", event)))
    assert mine.b.name not in text(client.get(url("me-now", event)))
    assert len(composed) == 2


def test_each_player_gets_their_own(tables, by, composed):
    mine, event = tables[1], tables[1].round.event
    finish(mine, by)
    pages = [text(by_link(one, by).get(url("me-now", event))) for one in (mine.a, mine.b)]
    assert composed == [mine.a, mine.b]
    assert pages[0] != pages[1]
    withdraw(entry=mine.a, by=by)
    assert "You have left this event." in text(by_link(mine.a, by).get(url("me-now", event)))


def tokens(page: str) -> list[str]:
    return re.findall(r'name="csrfmiddlewaretoken" value="([^"]*)"', page)


def test_a_kept_form_has_a_token_of_each_reader(tables, by, composed):
    mine, event = tables[1], tables[1].round.event
    phones = [by_link(mine.a, by), Client(headers=ENGLISH)]
    phones[1].cookies["girone"] = phones[0].cookies["girone"].value
    pages = [text(phone.get(url(name, event))) for phone in phones for name in PAGES]
    found = [tokens(page) for page in pages]
    assert all(found)
    assert all(len(token) == 64 for each in found for token in each)
    assert len({each[-1] for each in found}) == len(PAGES) * len(phones)  # masked anew each time
    assert composed == [mine.a]
    phones[1].handler.enforce_csrf_checks = True
    report = url("my-report", event, mine.pk)
    for token, is_own in ((found[0][-1], False), (found[-1][-1], True)):
        answer = phones[1].post(report, {"csrfmiddlewaretoken": token})
        assert (answer.status_code != 403) is is_own


def test_a_clock_that_goes_is_written_for_each_request(tables, by, composed):
    event, client = tables[1].round.event, by_link(tables[1].a, by)
    for action, times in ((None, 1), ("start", 3), ("pause", 4)):
        if action:
            run_clock(event=event, ordinal=2, action=ClockAction(action), by=by)
        for _again in range(2):
            assert "data-clock" in text(client.get(url("me-now", event)))
        assert len(composed) == times, action


def test_the_organiser_who_made_a_link_is_named_as_now(tables, by):
    event, client = tables[1].round.event, by_link(tables[1].a, by)
    finish(tables[1], by)
    client.get(url("me-now", event))
    by.user.name = "Renata Rinominata"
    by.user.save()
    assert all("Renata Rinominata" in text(client.get(url(name, event))) for name in PAGES)


def test_the_store_is_bounded_and_keeps_what_was_asked_for_last():
    kept = Bodies(most=2)
    for digest in ("one", "two"):
        kept.keep(1, digest, Body(SafeString(digest), ""))
    assert kept.get(1, "one")
    kept.keep(2, "three", Body(SafeString("three"), ""))
    assert [kept.get(1, "two"), kept.get(2, "one")] == [None, None]
    assert [kept.get(1, "one"), kept.get(2, "three")] == [("one", ""), ("three", "")]
    kept.keep(1, "clock", Body(SafeString('<div data-clock data-state="running">'), ""))
    assert kept.get(1, "clock") is None
