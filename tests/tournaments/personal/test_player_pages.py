"""What a player sees and does: the own table, reporting, check-in, leaving, the decklist."""

import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from decks.decklists.samples import sample_deck
from tests import factories as make
from tests.browsers import url
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.events.services import events
from tournaments.models import DeckSubmission, Match, Report
from tournaments.players.services import departures, links
from tournaments.rounds import services as rounds

pytestmark = pytest.mark.django_db


def opened(client, entry, by):
    """Open the entry's personal link in this browser."""
    token = links.make_link(entry=entry, by=by)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return client.get(reverse("tournaments:open-link", args=[token]))


@pytest.fixture
def running():
    """Return an event in its first round, its organiser, and the first match."""
    by = make.organiser()
    event = make.playing(by, 4)
    match = event.rounds.get().matches.select_related("a", "b", "round")[0]
    return event, by, match


def test_the_page_shows_table_opponent_and_round(client, running):
    event, by, match = running
    response = opened(client, match.a, by)
    assert response.url == url("me", event)
    assert response["Referrer-Policy"] == "no-referrer"
    page = client.get(response.url).content.decode()
    assert f"You are <bdi>{match.a.name}</bdi>, number {match.a.number}" in page
    assert f"Table <strong>{match.table}</strong>" in page
    assert f"against <bdi>{match.b.name}</bdi>" in page
    assert "Round 1" in page


def test_opening_a_link_makes_a_new_session_key(client, running):
    _event, by, match = running
    client.force_login(make.user())
    before = client.session.session_key
    opened(client, match.a, by)
    assert client.session.session_key != before


def test_nobody_else_has_the_page(client, running):
    event, by, match = running
    assert client.get(url("me", event)).status_code == 403
    opened(client, match.a, by)
    links.revoke_link(entry=match.a, by=by)
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
    assert opened(client, match.a, by).url == url("me", event)
    cache.clear()


def test_a_report_is_read_once_more_then_confirmed_by_one_tap(client, running):
    event, by, match = running
    opened(client, match.b, by)
    report = url("my-report", event, match.pk)
    page = client.post(report, {"own": 40, "other": 22}).content.decode()
    assert f"{match.b.name} beat {match.a.name} 40–22" in page
    assert not Report.objects.filter(match=match).exists()
    client.post(report, {"own": 40, "other": 22, "sure": "1"})
    match.refresh_from_db()
    assert match.state == Match.State.REPORTED
    said = Report.objects.get(match=match)
    assert (said.score_a, said.score_b, said.winner) == (22, 40, "b")
    opened(client, match.a, by)
    page = client.get(url("me", event)).content.decode()
    assert f"{match.b.name} beat {match.a.name} 40–22" in page
    client.post(url("my-confirm", event, match.pk), {"version": match.version})
    match.refresh_from_db()
    assert match.state == Match.State.FINAL
    assert "lost 22–40" in client.get(url("me", event)).content.decode()


def test_a_different_report_calls_a_judge(client, running):
    event, by, match = running
    for entry, own, other in ((match.a, 40, 22), (match.b, 40, 22)):
        opened(client, entry, by)
        sent = {"own": own, "other": other, "sure": "1"}
        client.post(url("my-report", event, match.pk), sent)
    match.refresh_from_db()
    assert match.state == Match.State.DISPUTED
    assert "A judge will come" in client.get(url("me", event)).content.decode()


@pytest.mark.parametrize("side", ["a", "b"])
def test_presets_are_seen_from_the_players_own_side(client, side):
    by = make.organiser()
    event = make.started(by, 3, format="creatures-of-exo", formula="single-group")
    match = make.next_round(event, by).matches.select_related("a", "b")[0]
    opened(client, getattr(match, side), by)
    sent = {"preset": "2-1", "sure": "1"}
    client.post(url("my-report", event, match.pk), sent)
    said = Report.objects.get(match=match)
    assert said.winner == side
    assert {said.games_a, said.games_b} == {2, 1}


def test_an_impossible_report_keeps_what_was_typed(client, running):
    event, by, match = running
    opened(client, match.a, by)
    report = url("my-report", event, match.pk)
    response = client.post(report, {"own": "40"})
    assert response.status_code == 400
    assert 'value="40"' in response.content.decode()
    assert client.post(report, {"preset": "9-9"}).status_code == 400
    assert client.post(report, {"own": "-1", "other": "x"}).status_code == 400


def test_one_cannot_report_somebody_elses_match_a_draft_or_a_stale_one(client, running):
    event, by, match = running
    stranger = event.entries.exclude(pk__in=[match.a_id, match.b_id]).first()
    opened(client, stranger, by)
    sent = {"own": 40, "other": 1, "sure": "1"}
    assert client.post(url("my-report", event, match.pk), sent).status_code == 404
    assert client.post(url("my-confirm", event, match.pk), {"version": 0}).status_code == 404
    make.play_round(event.rounds.get(), by)
    draft = rounds.draft_round(event=event, expected_round=2, by=by)
    own = draft.matches.filter(a=stranger) | draft.matches.filter(b=stranger)
    gone = client.post(url("my-report", event, own[0].pk), sent)
    assert gone.status_code == 404
    assert "was taken back. Nothing was stored" in gone.content.decode()
    assert f'href="{url("me", event)}"' in gone.content.decode()


def test_a_result_that_counts_is_not_reported_again(client, running):
    event, by, match = running
    make.play_round(match.round, by)
    opened(client, match.a, by)
    sent = {"own": 1, "other": 40, "sure": "1"}
    assert client.post(url("my-report", event, match.pk), sent).status_code == 409


def test_an_old_confirmation_is_refused(client, running):
    event, by, match = running
    opened(client, match.a, by)
    client.post(url("my-report", event, match.pk), {"own": 40, "other": 1, "sure": "1"})
    opened(client, match.b, by)
    assert client.post(url("my-confirm", event, match.pk), {"version": "0"}).status_code == 409


def test_who_opens_a_link_while_signed_in_acts_as_that_player(client, running):
    event, by, match = running
    client.force_login(by.user)
    opened(client, match.b, by)
    client.post(url("my-report", event, match.pk), {"own": 40, "other": 1, "sure": "1"})
    assert Report.objects.get(match=match).by_entry_id == match.b_id


@pytest.mark.django_db(transaction=True)
def test_the_open_page_learns_of_a_new_round_and_nothing_costs_little(
    client, running, django_assert_max_num_queries
):
    event, by, match = running
    opened(client, match.a, by)
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
    opened(client, match.a, by)
    with django_assert_num_queries(17):  # in a transaction, so all of it is read
        client.get(url("me", event))


def test_check_in_and_leaving_with_a_question_before(client):
    by = make.organiser()
    event = make.open_event(by)
    entry = make.players(event, 2, by)[0]
    opened(client, entry, by)
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
    opened(client, match.a, by)
    client.post(url("my-drop", event))
    match.refresh_from_db()
    assert match.decision.winner == "b"
    assert "You have left this event" in client.get(url("me", event)).content.decode()


def test_nobody_leaves_an_event_that_is_over(client):
    by = make.organiser()
    event = make.played(by, 4)
    opened(client, event.entries.first(), by)
    assert client.post(url("my-drop", event)).status_code == 409
    assert not event.entries.filter(status="withdrawn").exists()


def test_a_list_is_kept_as_pasted_and_can_be_sent_again_until_it_locks(client):
    by = make.organiser()
    event = make.open_event(by, decklists="required")
    entry = make.players(event, 2, by)[0]
    opened(client, entry, by)
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
    opened(client, entry, by)
    response = client.get(url("me", event))
    assert response.status_code == 200
    assert load_facts(event).event == event


def test_every_form_carries_its_token(running):
    event, by, match = running
    careful = Client(enforce_csrf_checks=True)
    opened(careful, match.a, by)
    page = careful.get(url("me", event)).content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.partition("my-match")[2])
    sent = {"own": 40, "other": 3, "sure": "1", "csrfmiddlewaretoken": token[1]}
    assert careful.post(url("my-report", event, match.pk), sent).status_code == 302
