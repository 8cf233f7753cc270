"""What everybody sees of events."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import translation

from rules.matches import Claim
from tests import factories as make
from tournaments.models import Draw, Entry, Event, PersonalLink
from tournaments.selectors.facts import load_facts
from tournaments.selectors.pairings import pairings_page
from tournaments.selectors.standings import stage_standings
from tournaments.services import draws, rounds
from tournaments.services.departures import withdraw
from tournaments.services.events import change_event, move_event

pytestmark = pytest.mark.django_db
PAGES = ("", "players/", "pairings/", "standings/", "formula/", "ranking/", "draws/")


def read(client: Client, path: str, language: str = "en", **more: str) -> str:
    answer = client.get(path, headers={"accept-language": language} | more)
    assert answer.status_code == 200, path
    return answer.content.decode()


def test_an_empty_site_is_welcoming(client: Client) -> None:
    assert "Welcome to Girone" in read(client, "/")
    assert "Benvenuto in Girone" in read(client, "/", "it")


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
    words = read(client, f"/events/{event.slug}/")
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
    assert "Punti per una vittoria: 3" in read(client, f"/events/{event.slug}/", "it")


def test_a_drafted_round_is_not_seen(client: Client) -> None:
    by = make.organiser()
    event = make.started(by, 4, formula="single-group")
    rounds.draft_round(event=event, expected_round=1, by=by)
    assert "No round has been published yet" in read(client, f"/events/{event.slug}/pairings/")
    assert client.get(f"/events/{event.slug}/pairings/1/").status_code == 404
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
            with django_assert_max_num_queries(11) as seen:
                read(client, f"/events/{event.slug}/{path}")
            counts.setdefault(path, set()).add(len(seen.captured_queries))
    assert {path: len(found) for path, found in counts.items()} == dict.fromkeys(PAGES, 1)


def test_the_list_of_events_makes_three_queries(
    client: Client, django_assert_num_queries: Any
) -> None:
    by = make.organiser()
    make.play_event(make.started(by, 3), by)
    for players in (3, 30):
        make.started(by, players)
        with django_assert_num_queries(3):
            read(client, "/")


def test_standings_say_why(client: Client) -> None:
    by = make.organiser()
    event = make.started(by, 3, formula="single-group")

    def claims(match: object, index: int) -> Claim:
        return Claim(score=(40, 20))

    make.play_stage(event, by, claims)
    path = f"/events/{event.slug}/standings/"
    names = [row.player for row in load_facts(event).stages[0].outcome.standings["A"].rows]
    entries = load_facts(event).entries
    first, second = entries[names[0]].name, entries[names[1]].name
    assert f"Points: 6; {second} has 3." in read(client, path)
    assert f"Punti: 3; {first} ne ha 6." in read(client, path, "it")


def test_a_cycle_is_explained_by_its_mini_table(client: Client) -> None:
    by = make.organiser()
    event = make.started(by, 4, formula="single-group")
    order = load_facts(event).stages[0].state.seats["A"]
    stronger = {order[0]: {order[1], order[3]}, order[1]: {order[2], order[3]}}
    stronger |= {order[2]: {order[0]}, order[3]: {order[2]}}

    def claims(match: object, index: int) -> Claim:
        a, b = match.a.number, match.b.number  # type: ignore[attr-defined]
        return Claim(score=(40, 10)) if b in stronger[a] else Claim(score=(10, 40))

    make.play_stage(event, by, claims)
    words = read(client, f"/events/{event.slug}/standings/")
    assert "Head-to-head: 3 points to 0 points in the matches among" in words
    assert "Scontro diretto: 3 punti a 0 punti negli incontri fra" in read(
        client, f"/events/{event.slug}/standings/", "it"
    )


def test_who_is_level_shares_the_rank(client: Client) -> None:
    by = make.organiser()
    event = make.started(by, 3, formula="single-group")
    make.play_stage(event, by, lambda match, index: Claim(score=(30, 30), ended_by="time"))
    words = read(client, f"/events/{event.slug}/standings/")
    assert "in everything: the rank is shared unless lots are drawn." in words


def test_the_formula_names_places_before_players_hold_them(client: Client) -> None:
    by = make.organiser()
    event = make.started(by, 12)
    words = read(client, f"/events/{event.slug}/formula/")
    assert "style=" not in words
    for place in ("A1", "R2", "Finalist 1", "Repechage"):
        assert place in words
    make.play_stage(event, by)
    holder = load_facts(event).entries[load_facts(event).stages[0].outcome.places["A1"]]
    picture = read(client, f"/events/{event.slug}/formula/").split(">As a list<")[0]
    assert picture.count(f"<title>{holder.name}</title>") == 2


def test_the_ranking_has_a_podium_at_the_end(client: Client) -> None:
    by = make.organiser()
    event = make.started(by, 12)
    assert "Everybody is still in the event" in read(client, f"/events/{event.slug}/ranking/")
    make.play_event(event, by)
    words = read(client, f"/events/{event.slug}/ranking/")
    assert words.count('class="medal"') == 3


def test_a_draw_can_be_checked_but_not_foreseen(client: Client) -> None:
    by = make.organiser()
    event = make.open_event(by)
    make.players(event, 4, by)
    drawn = draws.draw_start_order(event=event, by=by)
    coming = event.draws.get(state=Draw.State.ANNOUNCED)
    words = read(client, f"/events/{event.slug}/draws/")
    for shown in (drawn.seed, drawn.fingerprint, coming.fingerprint, "sha256sum"):
        assert shown in words
    assert coming.seed not in words


def test_a_draw_by_hand_names_its_witnesses(client: Client) -> None:
    by = make.organiser()
    event = make.open_event(by)
    make.players(event, 3, by)
    draws.record_start_order(event=event, order=[2, 3, 1], witnesses="Rita, Olga", by=by)
    words = read(client, f"/events/{event.slug}/draws/")
    assert "Rita, Olga" in words
    assert "Drawn by hand" in words


def test_a_guest_registers_by_name_and_gets_a_link_once(client: Client) -> None:
    cache.clear()
    event = make.open_event(make.organiser())
    answer = client.post(
        f"/events/{event.slug}/register/", {"name": "Anna"}, headers={"accept-language": "en"}
    )
    words = answer.content.decode()
    assert answer.status_code == 200
    assert "You are registered" in words
    assert "/p/" in words
    assert "<svg" in words
    assert "style=" not in words
    assert answer["Cache-Control"] == "no-store"
    link = PersonalLink.objects.get()
    assert link.token_hash not in words
    assert "You are Anna" in read(client, f"/events/{event.slug}/")


def test_a_user_registers_with_one_click(client: Client) -> None:
    cache.clear()
    event = make.open_event(make.organiser())
    person = make.user(name="Bruno")
    client.force_login(person)
    assert "Register as Bruno" in read(client, f"/events/{event.slug}/")
    answer = client.post(f"/events/{event.slug}/register/", {"name": "Bruno"})
    assert answer.status_code == 302
    assert Entry.objects.get(user=person).name == "Bruno"
    again = client.post(f"/events/{event.slug}/register/", {"name": "Bruno"})
    assert again.status_code == 409


def test_a_full_event_has_a_waiting_list(client: Client) -> None:
    cache.clear()
    by = make.organiser()
    event = make.open_event(by, capacity=1)
    make.players(event, 1, by)
    path = f"/events/{event.slug}/register/"
    assert "All places are taken." in read(client, path)
    answer = client.post(path, {"name": "Anna"}, headers={"accept-language": "en"})
    assert "You are on the waiting list" in answer.content.decode()
    assert event.entries.get(name="Anna").status == Entry.Status.WAITING


def test_registration_that_is_closed_says_so(client: Client) -> None:
    cache.clear()
    by = make.organiser()
    event = move_event(event=make.open_event(by), action="close_registration", by=by)
    path = f"/events/{event.slug}/register/"
    assert "Registration is closed." in read(client, path)
    assert client.post(path, {"name": "Anna"}).status_code == 409
    assert not event.entries.exists()


def test_a_flood_of_registrations_is_slowed(client: Client) -> None:
    cache.clear()
    event = make.open_event(make.organiser())
    path = f"/events/{event.slug}/register/"
    codes = [client.post(path, {"name": ""}).status_code for _ in range(61)]
    assert codes[0] == 400
    assert codes[-1] == 429
    cache.clear()


def test_names_are_escaped(client: Client) -> None:
    by = make.organiser()
    event = make.started(by, 3, formula="single-group", name="<b>Cup</b>")
    Entry.objects.filter(event=event, number=1).update(name="<script>x</script>")
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


def test_both_languages_have_every_word_of_a_proof() -> None:
    with translation.override("it"):
        assert translation.gettext("%(points)s points") == "%(points)s punti"


def test_who_rests_is_named(client: Client) -> None:
    by = make.organiser()
    event = make.started(by, 3, formula="single-group")
    make.next_round(event, by)
    page = pairings_page(load_facts(event))
    assert page is not None
    playing = {row.entry.name for row in page.names}
    assert [entry.name for entry in page.resting] == sorted({"Ada", "Bea", "Carlo"} - playing)
    assert "Resting this round:" in read(client, f"/events/{event.slug}/pairings/")


def test_who_has_left_is_marked_and_the_next_goes_on(client: Client) -> None:
    by = make.organiser()
    event = make.started(by, 12)
    make.play_stage(event, by)
    winner = load_facts(event).stages[0].outcome.places["A1"]
    withdraw(entry=event.entries.get(number=winner), by=by)
    facts = load_facts(event)
    with translation.override("it"):
        table = stage_standings(facts)[0].tables[0]
    first, second = table.rows[:2]
    assert (first.entry.number, first.left, first.through) == (winner, "Ritirato", "")
    assert second.through == "A1"
    assert "Withdrawn" in read(client, f"/events/{event.slug}/standings/")


def test_standings_of_a_knockout_are_its_matches(client: Client) -> None:
    by = make.organiser()
    event = make.started(by, 6, format="creatures-of-exo", formula="groups-knockout")
    make.play_event(event, by)
    words = read(client, f"/events/{event.slug}/standings/")
    for shown in (
        "Semi-finals",
        "Final and third place",
        '<small class="group">Third place</small>',  # two matches of one round: which is which
        '<small class="group">Final</small>',
        "2–0",
        "Seed 1",
    ):
        assert shown in words, shown
    picture = read(client, f"/events/{event.slug}/formula/")
    assert 'class="link"' in picture
    assert "Third place" in picture


def test_a_finished_event_shows_who_won(client: Client) -> None:
    by = make.organiser()
    ended = make.started(by, 3, formula="single-group")
    assert 'class="podium"' not in read(client, f"/events/{ended.slug}/")
    make.play_event(ended, by)
    assert 'class="podium"' in read(client, f"/events/{ended.slug}/")


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
