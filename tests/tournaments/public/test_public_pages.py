"""What everybody sees of events: their list, their pages, pairings and players."""

from typing import Any

import pytest
from django.test import Client

from tests import factories as make
from tests.browsers import read
from tournaments.core.event_state import load_facts
from tournaments.events.services.events import change_event
from tournaments.models import Entry, Event
from tournaments.models.touched import forget
from tournaments.rounds import services as rounds
from tournaments.rounds.selectors.pairings import pairings_page

pytestmark = pytest.mark.django_db
PAGES = ("", "players/", "pairings/", "standings/", "formula/", "ranking/", "draws/")


def test_an_empty_site_is_welcoming(client: Client) -> None:
    assert "Welcome to Girone" in read(client, "/")
    assert "Ti diamo il benvenuto in Girone" in read(client, "/", "it")


def test_the_list_has_running_coming_and_past_events(client: Client) -> None:
    by = make.organiser()
    make.started(by, 3, name="Running one", formula="single-group")
    make.open_event(by, name="Coming one")
    ended = make.started(by, 3, name="Past one", formula="single-group")
    make.play_event(ended, by)
    words = read(client, "/")
    assert words.index("Running one") < words.index("Coming one") < words.index("Past one")


def test_past_events_come_in_pages(client: Client) -> None:
    by = make.organiser()
    for index in range(14):
        event = make.event(by, name=f"Old {index:02}")
        Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    assert read(client, "/").count("Old ") == 12
    assert read(client, "/?page=2").count("Old ") == 2
    assert read(client, "/?page=nonsense").count("Old ") == 12


def test_a_draft_is_seen_by_its_staff_only(client: Client) -> None:
    by = make.organiser()
    event = make.event(by, name="Secret")
    other = Client()
    other.force_login(make.user())
    staff = Client()
    staff.force_login(by.user)
    for path in PAGES:
        for reader in (client, other):
            assert reader.get(f"/events/{event.slug}/{path}").status_code == 404
        assert staff.get(f"/events/{event.slug}/{path}").status_code == 200
    assert client.get(f"/events/{event.slug}/register/").status_code == 404
    assert "Secret" not in read(client, "/")
    assert "Secret" in read(staff, "/")


@pytest.mark.parametrize("path", PAGES)
def test_every_page_opens_before_and_after_the_start(client: Client, path: str) -> None:
    by = make.organiser()
    for event in (make.open_event(by), make.started(by, 14), make.started(by, 9)):
        read(client, f"/events/{event.slug}/{path}")
        read(client, f"/events/{event.slug}/{path}", "it")
    make.play_event(event, by)
    read(client, f"/events/{event.slug}/{path}")


def test_the_rules_are_said_in_words(client: Client) -> None:
    event = make.open_event(make.organiser(), rulings="No opaque sleeves.", minutes=45)
    words = read(client, f"/events/{event.slug}/rules/")
    for sentence in (
        "No opaque sleeves.",
        "Minutes a round: 45.",
        "Points for a win: 3, for a draw: 1, for a loss: 0.",
        "One game to 40 promotion points.",
        "opponents’ points cannot separate players level on points",
        "Europe/Rome",
        "/formats/doomtrooper-original/",
        "This formula needs at least 3 players; there are 0.",
    ):
        assert sentence in words, sentence
    assert "Punti per una vittoria: 3" in read(client, f"/events/{event.slug}/rules/", "it")


def test_a_drafted_round_is_not_seen(client: Client) -> None:
    by = make.organiser()
    event = make.started(by, 4, formula="single-group")
    rounds.draft_round(event=event, expected_round=1, by=by)
    assert "No round has been published yet" in read(client, f"/events/{event.slug}/pairings/")
    assert client.get(f"/events/{event.slug}/pairings/1/").status_code == 404
    assert "is being prepared" in read(client, f"/events/{event.slug}/pairings/")
    fresh = make.open_event(by)
    assert "is being prepared" not in read(client, f"/events/{fresh.slug}/pairings/")
    rounds.publish_round(event=event, ordinal=1, by=by)
    words = read(client, f"/events/{event.slug}/pairings/")
    assert "Round 1" in words
    assert words.count('<bdi class="person">Ada</bdi>') == 1
    assert words.count(">Ada</bdi>") == 3  # by name twice, by table once


def test_pairings_show_results_and_points_before_the_round(client: Client) -> None:
    by = make.organiser()
    event = make.started(by, 4, formula="single-group")
    make.play_round(make.next_round(event, by), by)
    make.next_round(event, by)
    latest = read(client, f"/events/{event.slug}/pairings/")
    assert "(3)" in latest
    assert "Results missing: 2" in latest
    first = read(client, f"/events/{event.slug}/pairings/1/")
    assert "40–10" in first
    assert "This is an earlier round." in first


def test_who_polls_gets_the_fragment_once(client: Client) -> None:
    by = make.organiser()
    event = make.started(by, 4, formula="single-group")
    item = make.next_round(event, by)
    path = f"/events/{event.slug}/pairings/"
    answer = client.get(path, headers={"hx-request": "true"})
    assert b"<html" not in answer.content
    held = {"hx-request": "true", "if-none-match": answer["ETag"]}
    assert client.get(path, headers=held).status_code == 304
    make.play_round(item, by)
    assert client.get(path, headers=held).status_code == 200


def test_queries_do_not_grow_with_the_field(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    by = make.organiser()
    counts: dict[str, set[int]] = {}
    for players in (3, 300):
        event = make.started(by, players)
        make.next_round(event, by)
        for path in PAGES:
            with django_assert_max_num_queries(10) as seen:
                read(client, f"/events/{event.slug}/{path}")
            counts.setdefault(path, set()).add(len(seen.captured_queries))
    assert {path: len(found) for path, found in counts.items()} == dict.fromkeys(PAGES, 1)


def test_the_list_of_events_makes_seven_queries(
    client: Client, django_assert_num_queries: Any
) -> None:
    by = make.organiser()
    make.played(by, 3)
    for players in (3, 30):
        make.started(by, players)
        read(client, "/")  # the winner and the last results are looked for once
        with django_assert_num_queries(7):
            read(client, "/")


def test_names_are_escaped(client: Client) -> None:
    by = make.organiser()
    event = make.started(by, 3, formula="single-group", name="<b>Cup</b>")
    Entry.objects.filter(event=event, number=1).update(name="<script>x</script>")
    forget()
    make.next_round(event, by)
    change_event(event=event, changes={"about": "<img src=x>"}, by=by)
    for path in PAGES:
        words = read(client, f"/events/{event.slug}/{path}")
        assert "<script>x" not in words
        assert "<img src=x" not in words
        assert "<b>Cup" not in words


def test_players_show_no_decklists(client: Client) -> None:
    by = make.organiser()
    event = make.open_event(by, decklists=Event.Decklists.REQUIRED)
    make.players(event, 2, by)
    make.with_decks(event, by)
    words = read(client, f"/events/{event.slug}/players/")
    entry = event.entries.select_related("submission__decklist")[0]
    assert entry.name in words
    assert entry.submission.decklist.fingerprint[:12] not in words


def test_who_rests_is_named(client: Client) -> None:
    by = make.organiser()
    event = make.started(by, 3, formula="single-group")
    make.next_round(event, by)
    page = pairings_page(load_facts(event))
    assert page is not None
    playing = {row.entry.name for row in page.names}
    assert [entry.name for entry in page.resting] == sorted({"Ada", "Bea", "Carlo"} - playing)
    assert "Resting this round:" in read(client, f"/events/{event.slug}/pairings/")


def test_only_who_is_signed_in_has_events_of_their_own_in_the_menu(client: Client) -> None:
    assert 'href="/me/"' not in read(client, "/")
    client.force_login(make.user())
    assert 'href="/me/"' in read(client, "/")


def test_who_is_signed_out_is_offered_to_sign_in_and_come_back(client: Client) -> None:
    event = make.open_event(make.organiser())
    address = f"/events/{event.slug}/manage/"
    button = f'class="button primary" href="/accounts/login/?next={address}"'
    assert button in client.get(address).content.decode()
    client.force_login(make.user())
    assert button not in client.get(address).content.decode()
