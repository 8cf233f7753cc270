"""The pages of joining: phones, the desk, the own page, and what leads there."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests import factories as make
from tests.browsers import ENGLISH, by_link, page, signed_in, text, url
from tournaments.core.slugs import event_short_code
from tournaments.models import Event, JoinClaim, PersonalLink
from tournaments.players.services import entries
from tournaments.players.services.entries import revoke_link

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

POLLED = {"HX-Request": "true"}


@pytest.fixture
def event(by):
    event = make.open_event(by)
    make.players_more(event, ["Anna Rossi", "Bruno Verdi", "Carla Neri"], by)
    return event


def phone():
    return Client(headers=ENGLISH)


def tap(client, event, number=1):
    return client.post(url("join", event), {"number": number}, follow=True)


def code_shown(answer):
    return re.search(r"Show <strong>(\d{4})</strong> at the desk", text(answer))[1]


def waiting(client, event):
    return text(client.get(url("desk-join", event), headers=POLLED))


def confirm(client, event, number=1, **sent):
    return client.post(url("desk-join-confirm", event, number), sent)


def test_a_player_finds_the_name_shows_the_code_and_gets_the_page(event, by):
    player, staff = phone(), signed_in(by)
    assert "Anna" in page(player, "join", event)
    found = text(player.get(url("join", event), {"name": "ros"}))
    assert re.findall(r'data-called="([^"]*)">', found) == ["Anna Rossi"]
    code = code_shown(tap(player, event))
    shown = waiting(staff, event)
    assert code in shown
    assert "Anna Rossi" in shown
    assert confirm(staff, event, code=code).status_code == 302
    assert "Anna Rossi" not in waiting(staff, event)
    assert "data-open" in text(player.get(url("join-claim", event), headers=POLLED))
    opened = player.get(url("join-claim", event))
    assert opened["Location"] == url("me", event)
    assert "Anna Rossi" in page(player, "me", event)
    assert "You are <bdi>Anna Rossi</bdi>" in page(player, "join", event)


def test_the_secret_is_on_the_phone_alone(event, by):
    player = phone()
    tap(player, event)
    cookie = player.cookies["join_claim"]
    assert cookie["httponly"]
    assert cookie["path"] == url("join", event)
    other = phone()
    assert other.get(url("join-claim", event))["Location"] == url("join", event)
    assert cookie.value.split(":")[0] not in str(JoinClaim.objects.values())


def test_a_wrong_tap_is_given_back_and_a_refusal_asks_again(event, by):
    player, staff = phone(), signed_in(by)
    tap(player, event, 1)
    tap(player, event, 2)
    assert "Anna Rossi" not in waiting(staff, event)
    staff.post(url("desk-join-refuse", event, 2))
    assert "Not confirmed" in text(player.get(url("join-claim", event)))
    code_shown(tap(player, event, 2))
    JoinClaim.objects.update(asked_at=timezone.now() - timedelta(minutes=16))
    assert "This code is no longer valid" in text(player.get(url("join-claim", event)))


def test_a_code_that_was_shown_confirms_no_other_phone(event, by):
    """One click means the phone that the row named, not who asked after it had expired."""
    staff = signed_in(by)
    code = code_shown(tap(phone(), event))
    JoinClaim.objects.update(state="left")
    tap(phone(), event)
    refused = confirm(staff, event, code=code)
    assert refused.status_code == 409
    assert not PersonalLink.objects.exists()


def test_two_phones_need_the_typed_code(event, by):
    staff, first, second = signed_in(by), phone(), phone()
    tap(first, event)
    code = code_shown(tap(second, event))
    assert "Enter the code from the player’s phone." in waiting(staff, event)
    assert confirm(staff, event).status_code == 409
    assert confirm(staff, event, typed=code).status_code == 302
    assert second.get(url("join-claim", event))["Location"] == url("me", event)
    assert first.get(url("join-claim", event)).status_code == 200


def test_who_is_signed_in_is_told_and_refuses(event, by):
    entry = event.entries.get(number=1)
    holder, thief, staff = by_link(entry, by), phone(), signed_in(by)
    before = holder.get(url("me-now", event))
    tap(thief, event)
    now = holder.get(url("me-now", event), headers={"If-None-Match": before["ETag"]})
    assert now.status_code == 200
    assert "Another phone is asking to sign in as you" in text(now)
    shown = waiting(staff, event)
    assert "Enter the code from the player’s phone." in shown
    assert "This signs out the other phone." in shown
    assert holder.post(url("my-join-refuse", event)).status_code == 302
    assert "Not confirmed" in text(thief.get(url("join-claim", event)))
    again = holder.get(url("me-now", event), headers={"If-None-Match": now["ETag"]})
    assert "Another phone is asking" not in text(again)
    assert holder.post(url("my-join-refuse", event)).status_code == 302


def test_a_phone_that_was_replaced_says_so_and_leads_to_the_names(event, by):
    entry = event.entries.get(number=1)
    token = entries.make_link(entry=entry, by=by)
    first, second, staff = phone(), phone(), signed_in(by)
    first.get(f"/p/{token}/")
    code = code_shown(tap(second, event))
    confirm(staff, event, typed=code)
    assert second.get(url("join-claim", event))["Location"] == url("me", event)
    for answer, status in ((first.get(url("me", event)), 403), (first.get(f"/p/{token}/"), 404)):
        shown = text(answer)
        assert answer.status_code == status
        assert "Another phone is now signed in as Anna Rossi. If that isn’t you" in shown
        assert f'href="{url("join", event)}"' in shown
        assert "Sign in" not in shown.partition('class="error-page"')[2]
    assert second.get(url("me", event)).status_code == 200


def test_the_way_to_the_own_page_stands_above_the_tables(event, by):
    running = make.playing(by, 4, formula="single-group")
    shown = page(phone(), "event", running)
    assert shown.index(url("join", running)) < shown.index('class="tiles')
    own = by_link(running.entries.get(number=1), by)
    assert url("join", running) not in page(own, "event", running)
    before = page(phone(), "event", event)
    assert before.index(url("join", event)) < before.index('id="facts"')


@pytest.mark.deep
def test_drafts_have_no_page_and_what_is_over_says_so(by):
    draft = make.event(by)
    assert signed_in(by).get(url("join", draft)).status_code == 404
    assert signed_in(by).get(url("join-claim", draft)).status_code == 404
    over = make.played(by, 4, formula="single-group")
    for answer in (phone().get(url("join", over)), tap(phone(), over)):
        assert answer.status_code == 409
        assert "The event is finished." in text(answer)


def test_an_unknown_number_and_one_that_left_answer_alike(event, by):
    entries.remove_entry(entry=event.entries.get(number=3), by=by)
    answers = [tap(phone(), event, number) for number in (3, 99)]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert all("Not found. Reload the page." in text(answer) for answer in answers)
    assert tap(phone(), event, "x").status_code == 400


def test_short_addresses_lead_there(event):
    assert phone().get(f"/j/{event_short_code(event.pk)}")["Location"] == url("join", event)
    assert phone().get("/j/ZZZZ/").status_code == 404


def test_not_on_the_list_leads_to_registration_or_to_the_desk(event):
    assert url("register", event) in page(phone(), "join", event)
    Event.objects.filter(pk=event.pk).update(state="closed")
    assert "Ask at the desk to be added." in page(phone(), "join", event)


def test_registering_under_a_name_that_the_staff_entered_leads_there(event, by):
    player, sent = phone(), {"name": "anna rossi"}
    answer = player.post(url("register", event), sent)
    assert answer["Location"].startswith(url("join", event))
    shown = text(player.get(answer["Location"]))
    assert re.findall(r'data-called="([^"]*)">', shown) == ["Anna Rossi"]
    (namesake,) = re.findall(r'href="([^"]*\?namesake=[^"]*)"', shown)
    form = text(player.get(namesake))
    assert "Anna Rossi" in form
    assert 'name="namesake"' in form
    assert player.post(url("register", event), sent | {"namesake": "on"}).status_code == 302
    assert event.entries.filter(name__iexact="anna rossi").count() == 2


def test_registering_under_the_name_of_who_is_signed_in_asks_as_before(event, by):
    by_link(event.entries.get(number=1), by)
    answer = phone().post(url("register", event), {"name": "Anna Rossi"})
    assert answer.status_code == 409
    assert 'name="namesake"' in text(answer)


def test_the_page_of_a_dead_link_and_of_no_player_lead_there(event, by):
    entry = event.entries.get(number=1)
    token = entries.make_link(entry=entry, by=by)
    player = phone()
    player.get(f"/p/{token}/")
    revoke_link(entry=entry, by=by)
    for answer, status in ((player.get(f"/p/{token}/"), 404), (player.get(url("me", event)), 403)):
        assert answer.status_code == status
        assert f'href="{url("join", event)}"' in text(answer)
        assert "Find your name" in text(answer)


@pytest.mark.deep
def test_it_stands_on_the_screen_the_poster_the_public_page_and_in_a_text(event, by):
    address = f"testserver/j/{event_short_code(event.pk)}"
    assert address in page(phone(), "screen", event)
    assert url("join", event) in page(phone(), "event", event)
    assert address in page(signed_in(by), "manage-players", event)
    assert phone().get(url("sheet", event, "poster")).status_code in (200, 403, 404)
    running = make.playing(by, 4, formula="single-group")
    shown = page(phone(), "screen", running)
    assert f"/j/{event_short_code(running.pk)}" in shown
    later = make.halfway(by, 4, rounds=2, formula="single-group")
    assert f"/j/{event_short_code(later.pk)}" not in page(phone(), "screen", later)


def test_pages_of_the_staff_ask_for_who_waits(event, by):
    staff = signed_in(by)
    for name in ("desk", "arrivals", "manage-players"):
        assert f'data-poll="{url("desk-join", event)}"' in page(staff, name, event)
    assert phone().get(url("desk-join", event)).status_code == 403
    assert page(staff, "desk-join", event).count("No phones are waiting.") == 1


def test_asking_throws_no_finished_page_away_and_is_304_while_nothing_waits(
    event, by, django_assert_num_queries
):
    staff, before = signed_in(by), Event.objects.get(pk=event.pk).version
    first = staff.get(url("desk-join", event), headers=POLLED)
    same = {"If-None-Match": first["ETag"], **POLLED}
    assert staff.get(url("desk-join", event), headers=same).status_code == 304
    tap(phone(), event)
    assert staff.get(url("desk-join", event), headers=same).status_code == 200
    assert Event.objects.get(pk=event.pk).version == before
    JoinClaim.objects.all().delete()
    with django_assert_num_queries(5):
        staff.get(url("desk-join", event), headers=POLLED)
