"""A player's open page gets a new body when something of theirs changed, and only then."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.test import RequestFactory

from rules.events.clock import ClockAction
from tests import factories as make
from tests.browsers import by_link, text, url
from tests.scenes import SCENES
from tests.scenes.base import SWISS
from tournaments.clock.services import run_clock
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.core.visibility import current_announcements
from tournaments.decklists.selectors.versions import deck_window
from tournaments.judging.services import add_ruling, call_judge, create_announcement
from tournaments.models import Entry, Event
from tournaments.penalties.services import give_penalty
from tournaments.personal.selectors.player import page_digest, player_page
from tournaments.players.services.departures import withdraw
from tournaments.players.services.entries import change_entry
from tournaments.results.services import results

pytestmark = pytest.mark.django_db


PASSING = re.compile(r'value="\w{64}"|data-left="[\d.-]+"|>\+?\d+:\d\d<')  # tokens, seconds
# Each third act; all of them with --deep.
ACTS = [
    action if index % 3 == 0 else pytest.param(action, marks=pytest.mark.deep)
    for index, action in enumerate(sorted(SCENES))
]
HTMX = {"HX-Request": "true"}


def shown(event: Event, entry: Entry) -> tuple[str, str]:
    """Return the body of a player's page and its digest."""
    event = Event.objects.get(pk=event.pk)
    entry = Entry.objects.get(pk=entry.pk)
    facts, window = load_facts(event, for_staff=False), deck_window(event, entry)
    announced = current_announcements(event)
    context = {"me": player_page(facts, entry), "event": event, "window": window}
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    context |= {"announcements": announced}
    body = render_to_string("tournaments/personal/_now.html", context, request)
    return PASSING.sub("", body), page_digest(facts, entry, window, announced)


@pytest.mark.deep
@pytest.mark.parametrize("action", ACTS)
def test_no_act_changes_a_page_without_its_tag(action, by):
    event, act = SCENES[action](by)
    entries = list(event.entries.order_by("number"))
    entries = [*entries[:2], *entries[-1:]]
    before = {entry.pk: shown(event, entry) for entry in entries}
    act()
    left = [entry for entry in entries if Entry.objects.filter(pk=entry.pk).exists()]
    for entry in left:
        body, digest = shown(event, entry)
        if body != before[entry.pk][0]:
            assert digest != before[entry.pk][1], entry


@pytest.fixture
def swiss(by):
    """Return an event of 20 players with its second round out, and the matches by table."""
    event = make.started(by, 20, **SWISS)
    make.play_round(make.next_round(event, by), by)
    item = make.next_round(event, by)
    return event, {match.table: match for match in item.matches.all()}


AFTER_ROUND = re.compile(r"Round \d+: rank")


def finish(match, by):
    results.enter_result(match=match, version=0, claim=make.a_wins(match), reason="", by=by)


@pytest.mark.django_db(transaction=True)
def test_a_result_at_another_table_is_no_news(swiss, by, django_assert_max_num_queries):
    event, tables = swiss
    client, address = by_link(tables[1].players[0], by), url("me-now", event)
    first = client.get(address, headers=HTMX)
    assert AFTER_ROUND.search(first.content.decode())
    finish(tables[2], by)
    held = HTMX | {"If-None-Match": first["ETag"]}
    same = client.get(address, headers=held)
    assert (same.status_code, same.content) == (304, b"")
    assert same["X-Clock"].startswith("ready ")
    # The tag that comes with it tells the next question that nothing at all has changed.
    assert same["ETag"] != first["ETag"]
    with django_assert_max_num_queries(4):
        again = client.get(address, headers=HTMX | {"If-None-Match": same["ETag"]})
    assert (again.status_code, again["ETag"]) == (304, same["ETag"])
    finish(tables[1], by)
    assert client.get(address, headers=held).status_code == 200


def test_the_end_of_the_round_is_news_for_all(swiss, by):
    event, tables = swiss
    client, address = by_link(tables[1].players[0], by), url("me-now", event)
    for match in list(tables.values())[:-1]:
        finish(match, by)
    first = client.get(address, headers=HTMX)
    assert "Round 1" in first.content.decode()
    finish(tables[len(tables)], by)
    ended = client.get(address, headers=HTMX | {"If-None-Match": first["ETag"]})
    assert ended.status_code == 200
    assert not AFTER_ROUND.search(ended.content.decode())


@pytest.mark.deep
def test_what_concerns_others_alone_is_no_news(swiss, by):
    event, tables = swiss
    client, address = by_link(tables[1].players[0], by), url("me-now", event)
    tag = client.get(address, headers=HTMX)["ETag"]
    give_penalty(entry=tables[2].players[0], level="warning", infraction="Late", by=by)
    assert client.get(address, headers=HTMX | {"If-None-Match": tag}).status_code == 304
    for act in (
        lambda: give_penalty(entry=tables[1].players[0], level="warning", infraction="Late", by=by),
        lambda: create_announcement(event=event, text="Lunch", minutes=30, by=by),
        lambda: run_clock(event=event, ordinal=2, action=ClockAction.START, by=by),
        lambda: add_ruling(match=tables[1], text="Play on", by=by),
        lambda: call_judge(
            match=tables[1], entry=tables[1].players[0], by=Actor(entry=tables[1].players[0])
        ),
    ):
        act()
        news = client.get(address, headers=HTMX | {"If-None-Match": tag})
        assert news.status_code == 200
        assert news["ETag"] != tag
        tag = news["ETag"]


def test_a_long_table_shows_the_own_row_and_those_near_it(swiss, by):
    event, tables = swiss
    page = by_link(tables[5].players[0], by).get(url("me", event)).content.decode()
    table = page.partition('id="my-group"')[2].partition("</table>")[0]
    assert table.count("<tr") <= 1 + 5
    assert table.count('class="mine"') == 1


FORMS = ("me", "me-now")


@pytest.fixture
def tables(by):
    """Return the matches by table of a round of 20 players."""
    event = make.started(by, 20, **SWISS)
    make.play_round(make.next_round(event, by), by)
    item = make.next_round(event, by)
    return {match.table: match for match in item.matches.select_related("round__event")}


@pytest.mark.deep
def test_a_result_elsewhere_changes_nothing(tables, by):
    mine = tables[1]
    event, client = mine.round.event, by_link(mine.players[0], by)
    finish(mine, by)
    before = {name: text(client.get(url(name, event))) for name in FORMS}
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
    assert "You have dropped" in text(by_link(mine.players[0], by).get(url("me-now", event)))


def test_the_organiser_who_made_a_link_is_named_as_now(tables, by):
    event, client = tables[1].round.event, by_link(tables[1].players[0], by)
    finish(tables[1], by)
    client.get(url("me-now", event))
    by.user.name = "Renata Rinominata"
    by.user.save()
    assert all("Renata Rinominata" in text(client.get(url(name, event))) for name in FORMS)
