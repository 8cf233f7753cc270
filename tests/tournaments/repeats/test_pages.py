"""*Repeat* and *Regulars* on pages and by the API."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from tests import factories as make
from tests.browsers import ENGLISH, page, read, signed_in, url
from tests.tournaments.repeats.test_repeats import EVENING, FRIDAY, again, evening, play
from tournaments.events.services import change_event_state
from tournaments.judging.services import create_announcement
from tournaments.models import Event, TokenScope
from tournaments.repeats.services import repeat_event
from tournaments.staff.services import create_event_token

pytestmark = pytest.mark.django_db


def repeats_on(said: str) -> list[str]:
    """Return the addresses to which *Repeat* posts."""
    return re.findall(r'action="(/events/[\w-]+/manage/repeat/)"', said)


@pytest.mark.parametrize("name", ["standings", "event", "manage-players", "desk"])
def test_the_staff_that_may_repeat_a_finished_event_where_it_is_over(by, name):
    source = evening(by)
    assert repeats_on(page(signed_in(by), name, source)) != []
    judge = make.staff(source, "head_judge")
    for client in (Client(), signed_in(judge), signed_in(make.organiser())):
        assert repeats_on(client.get(url(name, source)).content.decode()) == []


@pytest.mark.deep
@pytest.mark.parametrize("where", ["/me/", "/events/new/"])
def test_the_last_event_is_repeated_from_the_organisers_pages(by, where):
    source, client = evening(by, name="Serata <3>"), signed_in(by)
    make.event(by, starts_at=FRIDAY + timedelta(days=1))  # never started
    assert repeats_on(read(client, where)) == [url("manage-repeat", source)]
    assert "Repeat Serata &lt;3&gt; (27 October)" in read(client, where)
    assert "Ripeti Serata &lt;3&gt; (27 ottobre)" in read(client, where, "it")
    repeat_event(source=source, by=by)
    assert repeats_on(read(client, where)) == []


def test_one_click_makes_it_and_a_second_one_shows_it(by):
    source, client = evening(by), signed_in(by)
    first = client.post(url("manage-repeat", source), follow=True)
    made = Event.objects.get(source=source)
    assert first.redirect_chain == [(url("manage-players", made), 302)]
    said = first.content.decode()
    assert "Saved: Serata 4, Fri 3 November 2090, 20:30" in said
    assert "undo-offer" not in said  # nothing was done in it yet
    again = client.post(url("manage-repeat", source), follow=True)
    assert again.redirect_chain == [(url("manage-players", made), 302)]
    assert "The next event already exists: Serata 4" in again.content.decode()
    assert "Next: Serata 4" in page(client, "standings", source)
    assert Event.objects.count() == 2


@pytest.mark.deep
@pytest.mark.parametrize("name", ["manage-players", "arrivals"])
def test_regulars_are_added_in_one_click_and_the_page_comes_again(by, name):
    second = play(again(evening(by, 5), by), by)
    made, client = repeat_event(source=second, by=by), signed_in(by)
    said = page(client, name, made)
    assert "From recent events: 5 players, 5 ticked" in said
    ticked = re.findall(r'name="player" value="([^"]+)" checked', said)
    assert len(ticked) == 5
    sent = {"player": ticked, "back": name}
    answer = client.post(url("manage-regulars", made), sent, follow=True)
    assert answer.redirect_chain == [(url(name, made), 302)]
    assert "Players added: 5" in answer.content.decode()
    assert 'id="regulars"' not in page(client, name, made)
    assert made.entries.count() == 5
    runs = make.staff(made, "scorekeeper")
    assert 'id="regulars"' not in page(signed_in(runs), name, made)


@pytest.mark.deep
@pytest.mark.parametrize("sent", ["", "x", "x/", "x/-1", "x/1e3", "/3", f"x/{10**30}"])
def test_rubbish_adds_nobody(by, sent):
    made = repeat_event(source=evening(by), by=by)
    answer = signed_in(by).post(url("manage-regulars", made), {"player": sent})
    assert answer.status_code == 400
    assert not made.entries.exists()


@pytest.mark.deep
def test_the_desk_of_the_next_event_offers_what_was_announced(by):
    source = make.playing(by, 4, **EVENING)
    for words in ("Il bar è aperto", "Premi alle 18", "Il bar è aperto"):
        create_announcement(event=source, text=words, minutes=10, by=by)
    made = again(source, by)
    draw = make.draws.draw_start_order(event=made, seed="seed", by=by)
    make.starting.start_event(event=made, draw_number=draw.number, by=by)
    assert "Il bar è aperto" not in page(Client(), "event", made)
    desk = page(signed_in(by), "desk", made)
    assert "Announce: Premi alle 18" in desk


@pytest.mark.deep
@pytest.mark.parametrize("events", [1, 5])
def test_the_panel_costs_as_many_queries_for_a_long_chain(by, events, django_assert_num_queries):
    last = evening(by)
    for _each in range(events):
        last = play(again(last, by), by)
    made = repeat_event(source=last, by=by)
    client = signed_in(by)
    client.get(url("manage-players", made))
    with django_assert_num_queries(13):
        client.get(url("manage-players", made))


def asked(client: Client, source: Event, **sent: object) -> tuple[int, dict]:
    answer = client.post(f"/api/v1/events/{source.slug}/repeat/", sent, "application/json")
    return answer.status_code, answer.json()


@pytest.mark.deep
def test_the_api_makes_the_next_event_with_players_of_the_chain(by):
    first = evening(by, 6)
    second = play(again(first, by), by)
    client = signed_in(by)
    status, made = asked(
        client, second, starts_at="2090-12-01T21:00", name="Finale", players=[2, [first.slug, 6]]
    )
    assert (status, made["name"], made["status"]) == (201, "Finale", "draft")
    assert datetime.fromisoformat(made["starts_at"]).astimezone(UTC).hour == 20
    event = Event.objects.get(slug=made["slug"])
    assert [(e.name, e.origin.event_id) for e in event.entries.order_by("number")] == [
        ("Bea", second.pk),
        ("Fosca", first.pk),
    ]
    assert asked(client, second)[0] == 201  # another one


@pytest.mark.deep
@pytest.mark.parametrize(
    ("sent", "code", "where"),
    [
        ({"players": [1, 99]}, "not_regular", "players[1]"),
        ({"players": [1, ["nowhere", 1]]}, "not_regular", "players[1]"),
        ({"players": [1, 2, 1]}, "player_twice", "players[2]"),
        ({"players": [0]}, "invalid", "players"),
        ({"players": ["1"]}, "invalid", "players"),
        ({"players": [["x", 1, 2]]}, "invalid", "players"),
        ({"players": [True]}, "invalid", "players"),
        ({"players": {}}, "invalid", "players"),
        ({"name": ""}, "invalid", "name"),
        ({"name": "x" * 121}, "invalid", "name"),
        ({"starts_at": "1999-01-01T10:00"}, "invalid", "starts_at"),
        ({"starts_at": "soon"}, "invalid", "starts_at"),
    ],
)
def test_bad_input_stores_nothing_and_names_its_field(by, sent, code, where):
    source = evening(by)
    status, told = asked(signed_in(by), source, **sent)
    assert (status, told["code"]) == (400, code)
    assert told.get("path", where) == where
    assert where.partition("[")[0] in told["errors"]
    assert Event.objects.count() == 1


def test_a_token_of_one_event_makes_none(by):
    source = evening(by)
    token = create_event_token(event=source, level=TokenScope.Level.MANAGE, by=by)
    client = Client(headers={"authorization": f"Token {token}"})
    assert asked(client, source)[0] == 403
    assert asked(Client(), source)[0] == 401
    draft = make.event(by)
    assert asked(signed_in(make.organiser()), draft)[0] == 404
    change_event_state(event=draft, action="open_registration", by=by)
    assert asked(signed_in(make.organiser()), draft)[0] == 403


def test_registration_asks_whether_the_address_may_be_used_later(by):
    asks = {"email": True, "memberships": [], "why": "", "days": 60}
    event = make.open_event(by, **EVENING, contact_terms=asks)
    client = Client(headers=ENGLISH)
    assert "For 60 days you may use my address" in page(client, "register", event)
    sent = {"name": "Zoe Rossi", "email": "zoe@example.org", "later": "on"}
    assert client.post(url("register", event), sent).status_code == 302
    assert event.entries.get().contact.later_since is not None
    said = page(client, "my-contact", event)
    assert re.search(r'name="later"[^>]* checked', said)
    sent = {"email": "zoe@example.org"}
    assert client.post(url("my-contact", event), sent).status_code == 302
    assert event.entries.get().contact.later_since is None
    without = make.open_event(by, **EVENING)
    assert "later events" not in page(client, "register", without)
