"""What a player sees and does: their table, links, check-in, leaving, the decklist."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from decks.decklists.samples import sample_deck
from tests import factories as make
from tests.browsers import open_link, text, url
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.events.services import events
from tournaments.models import DeckSubmission
from tournaments.players.services import departures, entries

pytestmark = pytest.mark.django_db


def test_the_page_shows_table_opponent_and_round(client, running):
    event, by, match = running
    response = open_link(client, match.players[0], by)
    assert response.url == url("me", event)
    assert response["Referrer-Policy"] == "no-referrer"
    page = client.get(response.url).content.decode()
    assert f"You are <bdi>{match.players[0].name}</bdi>, number {match.players[0].number}" in page
    assert f"Table <strong>{match.table}</strong>" in page
    assert f"against <bdi>{match.players[1].name}</bdi>" in page
    assert "Round 1" in page


def test_opening_a_link_makes_a_new_session_key(client, running):
    _event, by, match = running
    client.force_login(make.user())
    before = client.session.session_key
    open_link(client, match.players[0], by)
    assert client.session.session_key != before


def test_nobody_else_has_the_page(client, running):
    event, by, match = running
    assert client.get(url("me", event)).status_code == 403
    open_link(client, match.players[0], by)
    entries.revoke_link(entry=match.players[0], by=by)
    assert client.get(url("me", event)).status_code == 403


def test_wrong_links_are_refused_alike_and_a_right_one_always_works(client, running):
    event, by, match = running
    cache.clear()
    wrong = reverse("tournaments:open-link", args=["x" * 32])
    for _ in range(20):
        refused = client.get(wrong, headers={"accept-language": "en"})
        assert refused.status_code == 404
    assert "Ask the organiser for a new one." in refused.content.decode()
    assert client.get(wrong).status_code == 429
    assert open_link(client, match.players[0], by).url == url("me", event)
    cache.clear()


@pytest.mark.django_db(transaction=True)
def test_the_open_page_learns_of_a_new_round_and_nothing_costs_little(
    client, running, django_assert_max_num_queries
):
    event, by, match = running
    open_link(client, match.players[0], by)
    now = url("me-now", event)
    first = client.get(now, headers={"HX-Request": "true"})
    with django_assert_max_num_queries(3):
        again = client.get(now, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    make.play_round(match.round, by)
    make.next_round(event, by)
    fresh = client.get(now, headers={"If-None-Match": first["ETag"]})
    assert "Round 2" in fresh.content.decode()


@pytest.mark.parametrize("how_many", [4, 12])
def test_the_page_takes_the_same_number_of_queries(client, how_many, django_assert_num_queries):
    by = make.organiser()
    event = make.started(by, how_many)
    match = make.next_round(event, by).matches.all()[0]
    open_link(client, match.players[0], by)
    with django_assert_num_queries(18):  # in a transaction, so all of it is read
        client.get(url("me", event))


def test_check_in_and_leaving_with_a_question_before(client):
    by = make.organiser()
    event = make.open_event(by)
    entry = make.players(event, 2, by)[0]
    open_link(client, entry, by)
    client.post(url("my-check-in", event))
    entry.refresh_from_db()
    assert entry.status == "checked_in"
    assert client.get(url("my-drop", event)).status_code == 200
    entry.refresh_from_db()
    assert entry.status == "checked_in"
    client.post(url("my-drop", event))
    entry.refresh_from_db()
    assert entry.status == "withdrawn"
    assert client.post(url("my-drop", event)).status_code == 409


def test_leaving_forfeits_the_match_in_progress(client, running):
    event, by, match = running
    open_link(client, match.players[0], by)
    client.post(url("my-drop", event))
    match.refresh_from_db()
    assert match.decision.winner == "b"
    assert "You have left this event" in client.get(url("me", event)).content.decode()


def test_nobody_leaves_an_event_that_is_over(client):
    by = make.organiser()
    event = make.played(by, 4)
    open_link(client, event.entries.first(), by)
    assert client.post(url("my-drop", event)).status_code == 409
    assert not event.entries.filter(status="withdrawn").exists()


def test_a_list_is_kept_as_pasted_and_can_be_sent_again_until_it_locks(client):
    by = make.organiser()
    event = make.open_event(by, decklists="required")
    entry = make.players(event, 2, by)[0]
    open_link(client, entry, by)
    deck = url("my-deck", event)
    page = client.post(deck, {"text": "5 Una carta\n???:"}, follow=True).content.decode()
    assert "not legal" in page
    assert "5 Una carta" in page
    client.post(deck, {"text": sample_deck(event.format, 1)})
    entry.refresh_from_db()
    assert entry.submission.decklist.legal
    assert DeckSubmission.objects.filter(entry=entry).count() == 2
    events.change_event(
        event=event,
        changes={"decklist_deadline": timezone.now() - timedelta(minutes=1)},
        by=by,
    )
    page = client.get(deck).content.decode()
    assert "locked" in page
    assert "<textarea" not in page
    assert client.post(deck, {"text": "1 x"}).status_code == 409


def test_the_time_of_the_start_is_of_the_past_once_it_is(client):
    by = make.organiser()
    event = make.open_event(by, starts_at=timezone.now() + timedelta(minutes=5))
    open_link(client, make.players(event, 1, by)[0], by)
    first = client.get(url("me-now", event))
    assert "It begins: " in text(first)
    event.starts_at = timezone.now() - timedelta(minutes=5)
    event.save(update_fields=["starts_at"])
    late = client.get(url("me-now", event), headers={"if-none-match": first["ETag"]})
    assert ("It was to begin: " in text(late), "It begins: " in text(late)) == (True, False)


def test_my_events_lists_what_one_plays_and_works_on(client):
    by = make.organiser()
    event = make.open_event(by)
    assert client.get(reverse("tournaments:my-events")).status_code == 302
    client.force_login(by.user)
    assert event.name in client.get(reverse("tournaments:my-events")).content.decode()


def test_an_account_with_an_entry_needs_no_link(client):
    by = make.organiser()
    event = make.open_event(by)
    person = make.user()
    client.force_login(person)
    client.post(url("register", event), {"name": "Nora"})
    assert client.get(url("me", event)).status_code == 200


@pytest.mark.parametrize("state", ["draft", "waiting", "finished", "gone"])
def test_the_page_has_words_for_every_state(client, state):
    by = make.organiser()
    if state == "finished":
        event = make.played(by, 4)
        entry = event.entries.first()
    else:
        event = make.open_event(by, capacity=1)
        first, second = make.players(event, 2, by)
        entry = second if state == "waiting" else first
    if state == "gone":
        departures.withdraw(entry=entry, by=Actor(entry=entry))
    open_link(client, entry, by)
    response = client.get(url("me", event))
    assert response.status_code == 200
    assert load_facts(event).event == event
