"""Joining through the API: shapes, who may, guesses, floods, and what nobody is told."""

import secrets

import pytest
from django.core.cache import cache
from django.urls import reverse
from rest_framework.test import APIClient

from tests import factories as make
from tournaments.joining.selectors import find_claim
from tournaments.joining.services import WRONG_SECRETS
from tournaments.models import Event, JoinClaim
from tournaments.players.services import departures

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(by):
    event = make.open_event(by)
    make.players(event, 4, by)
    return event


def client(actor=None):
    found = APIClient()
    found.credentials(HTTP_ACCEPT_LANGUAGE="en")
    if actor is not None:
        found.force_login(actor.user)
    return found


def address(name, event, *parts):
    return reverse(f"tournaments_api:{name}", args=[event.slug, *parts])


def ask(event, number=1, **more):
    return client().post(address("join", event), {"number": number}, **more)


def told(event, secret, **more):
    return client().get(address("join-claim", event), headers={"Join-Claim": secret}, **more)


def test_a_phone_asks_shows_its_code_and_fetches_its_link(event, by):
    asked = ask(event)
    assert asked.status_code == 201
    assert set(asked.data) == {"code", "claim", "expires"}
    assert told(event, asked.data["claim"]).data == {"state": "waiting"}
    staff = client(by)
    (row,) = staff.get(address("join", event)).json()
    assert row == {
        "id": row["id"],
        "number": 1,
        "held": False,
        "several": False,
        "since": row["since"],
        "code": asked.data["code"],
    }
    assert staff.post(address("join-confirm", event, row["id"]), {}).status_code == 200
    first = told(event, asked.data["claim"])
    assert first.data["state"] == "confirmed"
    assert first["Cache-Control"] == "no-store"
    assert told(event, asked.data["claim"]).data == {"state": "confirmed"}
    phone = client()
    opened = phone.get(first.data["link"])
    assert opened["Location"] == reverse("tournaments:me", args=[event.slug])
    assert phone.get(opened["Location"]).status_code == 200


def test_a_refusal_is_told_and_the_code_is_asked_of_whom_it_needs(event, by):
    first, second = ask(event), ask(event)
    staff = client(by)
    rows = staff.get(address("join", event)).json()
    assert [("code" in row, row["several"]) for row in rows] == [(False, True)] * 2
    at = address("join-confirm", event, rows[0]["id"])
    for code in ("", "0000" if first.data["code"] != "0000" else "0001", second.data["code"]):
        refused = staff.post(at, {"code": code} if code else {})
        assert (refused.status_code, refused.json()["code"]) == (409, "code_wrong")
    assert staff.delete(address("join-detail", event, rows[1]["id"])).status_code == 204
    assert told(event, second.data["claim"]).data == {"state": "refused"}
    assert staff.post(at, {"code": first.data["code"]}).status_code == 200
    assert staff.post(at, {"code": first.data["code"]}).status_code == 404


def test_nobody_else_reads_confirms_or_refuses(event):
    claim = JoinClaim.objects.get(code=ask(event).data["code"])
    for actor, status in ((None, 401), (make.organiser(), 403)):
        caller = client(actor)
        assert caller.get(address("join", event)).status_code in (401, 403)
        assert caller.post(address("join-confirm", event, claim.pk), {}).status_code == status
        assert caller.delete(address("join-detail", event, claim.pk)).status_code == status


def test_a_player_with_an_account_refuses_for_themself(event):
    user = make.user()
    event.entries.filter(number=1).update(user=user)
    claim = JoinClaim.objects.get(code=ask(event).data["code"])
    own = APIClient()
    own.force_login(user)
    assert own.delete(address("join-detail", event, claim.pk)).status_code == 204


@pytest.mark.deep
def test_drafts_have_no_door_and_what_is_over_says_so(by):
    draft = make.event(by)
    make.players(draft, 2, by)
    assert ask(draft).status_code == 404
    assert client(by).get(address("join", draft)).status_code == 404
    assert client(by).post(address("join", draft), {"number": 1}).status_code == 404
    over = make.played(by, 4, formula="single-group")
    refused = ask(over)
    assert (refused.status_code, refused.json()["code"]) == (409, "event_finished")
    assert client(by).get(address("join", over)).json() == []


def test_unknown_numbers_and_players_who_left_answer_alike(event, by):
    departures.withdraw(entry=event.entries.get(number=1), by=by)
    answers = [ask(event, number) for number in (1, 99, 2_000_000_000)]
    assert {answer.status_code for answer in answers} == {404}
    bodies = [{**answer.json(), "request_id": ""} for answer in answers]
    assert bodies[0] == bodies[1] == bodies[2]
    held = make.user()
    event.entries.filter(number=2).update(user=held)
    assert set(ask(event, 2).data) == set(ask(event, 3).data)


@pytest.mark.parametrize("sent", [{}, {"number": "a"}, {"number": 0}, {"number": None}, []])
def test_what_is_no_number_is_refused_at_its_field(event, sent):
    answer = client().post(address("join", event), sent)
    assert answer.status_code == 400
    assert not JoinClaim.objects.exists()


def test_ten_thousand_codes_and_secrets_open_nothing(event, by):
    """Who guesses is stopped; what is no secret is unknown, and the phone's own stays good."""
    asked = ask(event)
    client(by).post(address("join-confirm", event, JoinClaim.objects.get().pk), {})
    statuses = []
    guesser = client()
    at = address("join-claim", event)
    codes = [f"{n:04}" for n in range(10_000)]
    for guess in (*codes[:: 10_000 // 40], asked.data["code"], secrets.token_urlsafe(16)):
        answer = guesser.get(at, headers={"Join-Claim": guess})
        statuses.append(answer.status_code)
        assert "link" not in answer.json()
    assert statuses == [404] * WRONG_SECRETS + [429] * (len(statuses) - WRONG_SECRETS)
    assert "link" in told(event, asked.data["claim"]).data


@pytest.mark.deep
def test_no_code_is_a_secret_however_often_it_is_tried(event, monkeypatch):
    monkeypatch.setattr("tournaments.joining.api.exceeds_guess_limit", lambda request: False)
    ask(event)
    assert not any(find_claim(event, f"{n:04}") for n in range(10_000))
    assert told(event, JoinClaim.objects.get().code).status_code == 404
    assert told(event, JoinClaim.objects.get().secret_hash).status_code == 404


@pytest.mark.deep
def test_ten_thousand_codes_typed_by_the_staff_are_stopped(event, by):
    first, _second = ask(event), ask(event)
    claim = JoinClaim.objects.get(code=first.data["code"])
    staff, statuses = client(by), set()
    for n in range(100):
        guess = f"{n:04}"
        if guess == claim.code:
            continue
        answer = staff.post(address("join-confirm", event, claim.pk), {"code": guess})
        statuses.add(answer.status_code)
    assert statuses == {409, 429}


@pytest.mark.deep
def test_three_hundred_phones_behind_one_address_join_within_ten_minutes(by):
    event = make.open_event(by)
    make.players(event, 300, by)
    phone = client()
    before = Event.objects.get(pk=event.pk).version
    # a third of the hall taps a neighbour's name first
    for number in [*range(1, 301), *range(1, 101)]:
        asked = phone.post(address("join", event), {"number": number})
        if asked.status_code == 429:  # at most 200 a minute: a minute later it goes on
            assert asked["Retry-After"]
            cache.delete(f"limit:join:{event.pk}:60:127.0.0.1")
            asked = phone.post(address("join", event), {"number": number})
        assert asked.status_code == 201, number
        assert told(event, asked.data["claim"]).status_code == 200
    assert JoinClaim.objects.filter(event=event).count() == 400
    assert Event.objects.get(pk=event.pk).version == before


def test_a_flood_of_one_client_is_stopped(event, monkeypatch):
    monkeypatch.setattr("tournaments.joining.services.PER_MINUTE", 5)
    statuses = [ask(event, 99).status_code for _each in range(7)]
    assert statuses == [404] * 5 + [429] * 2
