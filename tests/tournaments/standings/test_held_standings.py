"""Standings that are held back: no reader but the staff finds the table of the held round."""

import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from rules.errors import RuleError
from tests import factories as make
from tests.browsers import ENGLISH, by_link, page, signed_in, text, url
from tests.crawling import everything, refusing, routes
from tournaments.core.event_state import load_facts
from tournaments.events.services import change_event
from tournaments.log_page.selectors import line_subject, log_line_context
from tournaments.models import Event
from tournaments.personal.selectors.ended import finished_summary
from tournaments.player_pages.selectors import player_page_context
from tournaments.screen.selectors import default_parts
from tournaments.standings.services import release_standings
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
WIN = 97
"""Points of a win: what somebody has after three of them stands nowhere else."""
TOLD, BEFORE = 3 * WIN, 2 * WIN


@pytest.fixture
def event(by):
    """Return an event of which the third and last Swiss round is played, held back."""
    made = make.playing(
        by,
        8,
        formula="swiss-cut",
        options={"rounds": 3, "cut": 2},
        points_win=WIN,
        # Opponents' points could be as many as those looked for.
        criteria=["points", "opponents_match_win", "lots"],
        format="creatures-of-exo",
        standings_held="last",
    )
    for number in (1, 2, 3):
        if number > 1:
            make.next_round(made, by)
        make.play_round(made.rounds.get(ordinal=number), by)
    made.refresh_from_db()
    return made


def addresses(event, match):
    parts = {"slug": event.slug, "number": 1, "ordinal": 3, "match_id": match.pk}
    parts |= {"kind": "text", "name": "standings"}
    for name, needs in routes():
        if needs <= parts.keys() and name not in refusing("GET"):
            yield reverse(name, kwargs={key: parts[key] for key in needs})


def where(client, event):
    """Return where the points of the held round are told, and where those before it."""
    cache.clear()
    match = event.rounds.get(ordinal=3).matches.order_by("number")[0]
    found = {TOLD: [], BEFORE: []}
    for address in dict.fromkeys(addresses(event, match)):
        content = everything(client.get(address))
        for points, told in found.items():
            if says(content, points):
                told.append(address)
    return found[TOLD], found[BEFORE]


def says(content, points):
    return re.search(rb"(?<![\w.+-])%d(?![\w.+-])" % points, content)


def player(event, by):
    first = event.rounds.get(ordinal=3).matches.order_by("number")[0].players[0]
    return by_link(first, by)


@pytest.mark.deep
@pytest.mark.parametrize("closed", [False, True])
def test_nobody_but_the_staff_finds_the_table_at_any_address(event, by, closed):
    if closed:
        make.close_stage(event, by, hold=True)
        event.refresh_from_db()
    for client in (Client(headers=ENGLISH), player(event, by)):
        found, before = where(client, event)
        assert found == []
        assert url("standings", event) in before
    found, _before = where(signed_in(by), event)
    assert url("standings", event) in found


@pytest.mark.deep
def test_nor_does_the_organiser_of_another_event(event):
    found, before = where(signed_in(make.organiser()), event)
    assert found == []
    assert url("standings", event) in before


def test_everybody_finds_it_once_it_is_released(event, by):
    release_standings(event=event, expected_round=3, by=by)
    anybody = Client(headers=ENGLISH)
    table = f"/api/v1/events/{event.slug}/standings/"
    for address in (url("standings", event), url("workbook", event), table):
        assert says(everything(anybody.get(address)), TOLD), address
    assert list(verify_event(event)) == []


def test_the_page_says_what_is_held_back_and_to_whom(event, by):
    said = page(Client(headers=ENGLISH), "standings", event)
    assert "The latest standings aren’t published yet." in said
    assert "Release the standings" not in said
    assert "Release the standings" in page(signed_in(by), "standings", event)
    judge = signed_in(make.staff(event))
    assert "Release the standings" not in page(judge, "standings", event)
    assert str(TOLD) in page(judge, "standings", event)


def test_no_page_calls_the_table_before_a_held_round_that_of_now(event, by):
    """Neither as the one after the held round, nor without a word that later results are out."""
    address = url("standings", event) + "?after="
    anybody = Client(headers=ENGLISH)
    assert "after=3" not in page(anybody, "standings", event)
    assert not anybody.get(address + "3").context["earlier"]
    assert anybody.get(address + "2").context["earlier"]
    assert signed_in(by).get(address + "3").context["earlier"]
    own = player(event, by)
    for said in (page(anybody, "event", event), text(own.get(url("me", event)))):
        assert "The latest standings aren’t published yet." in said
        assert "as of now" not in said
    assert "Round 2: rank" in said


def test_a_record_beside_held_points_is_of_their_moment(event):
    facts = load_facts(Event.objects.get(pk=event.pk), for_staff=False)
    label = "Wins – losses – draws, after round 2"
    with override("en"):
        for entry in event.entries.all():
            public = {
                name: value for value, name in player_page_context(facts, entry.number)["figures"]
            }
            own = {name: value for value, name in finished_summary(facts, entry)["figures"]}
            assert sum(map(int, public[label].split("–"))) == 2
            assert own[label] == public[label]
            assert sum(name.startswith("Points, ") and "Round 2" in name for name in own) == 1


def test_results_stay_public_and_prospects_do_not(event, by):
    anybody = Client(headers=ENGLISH)
    assert "2–0" in page(anybody, "pairings", event)
    assert anybody.get(f"/api/v1/events/{event.slug}/scenarios/").json() == []


def test_they_are_released_by_the_page(event, by):
    client, address = signed_in(by), url("standings-release", event)
    assert client.post(address, {"expected_round": "3"}).url == url("standings", event)
    event.refresh_from_db()
    assert event.standings_released == 3
    line = event.log.get(action="standings.released")
    assert (line.subject, line.after) == ("3", {"round": 3})
    with override("en"):
        assert (line_subject(line), log_line_context(line)["changes"]) == ("Round 3", ())
    assert "The latest standings aren’t published yet." not in page(
        Client(headers=ENGLISH), "standings", event
    )


@pytest.mark.parametrize(
    ("sent", "status"), [("3", 409), ("2", 409), ("", 400), ("x", 400), ("٣", 400)]
)
def test_a_release_that_cannot_be_meant_is_refused(event, by, sent, status):
    release_standings(event=event, expected_round=3, by=by)
    answer = signed_in(by).post(url("standings-release", event), {"expected_round": sent})
    assert answer.status_code == status
    assert event.log.filter(action="standings.released").count() == 1


def test_others_do_not_release_them_and_nobody_an_earlier_round(event, by):
    with pytest.raises(RuleError) as refused:
        release_standings(event=event, expected_round=2, by=by)
    assert refused.value.code == "another_round"
    for client in (Client(), player(event, by), signed_in(make.staff(event))):
        answer = client.post(url("standings-release", event), {"expected_round": "3"})
        assert answer.status_code == 403
    event.refresh_from_db()
    assert event.standings_released is None


@pytest.mark.deep
def test_every_round_can_be_held_back(by):
    made = make.playing(
        by,
        8,
        formula="swiss-cut",
        options={"rounds": 3},
        points_win=WIN,
        standings_held="all",
        format="creatures-of-exo",
    )
    make.play_round(made.rounds.get(), by)
    table = f"/api/v1/events/{made.slug}/standings/"
    anybody = Client()

    def points():
        return sorted({row["values"]["points"] for row in anybody.get(table).json()})

    assert points() == [0]
    made.refresh_from_db()
    release_standings(event=made, expected_round=1, by=by)
    assert points() == [0, WIN]
    make.next_round(made, by)
    make.play_round(made.rounds.get(ordinal=2), by)
    assert points() == [0, WIN]


def test_the_setting_takes_them_away_at_the_next_request(event, by):
    change_event(event=event, changes={"standings_held": ""}, by=by)
    anybody = Client(headers=ENGLISH)
    assert says(anybody.get(url("standings", event)).content, TOLD)
    event.refresh_from_db()
    change_event(event=event, changes={"standings_held": "last"}, by=by)
    assert not says(anybody.get(url("standings", event)).content, TOLD)


def test_the_screen_and_the_forecast_say_what_is_held_back(event):
    with override("en"):
        screen = default_parts(load_facts(event, for_staff=False))
    assert screen.title == "Standings after round 2"
    forecast = page(Client(headers=ENGLISH), "prospects", event)
    assert "The latest standings aren’t published yet." in forecast
    number = event.rounds.get(ordinal=3).matches.order_by("number")[0].players[0].number
    assert "Points, Swiss rounds · after round 2" in page(
        Client(headers=ENGLISH), "player", event, number
    )
