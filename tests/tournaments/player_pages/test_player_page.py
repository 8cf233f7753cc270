"""The page of a player in an event, and that of a person with an account."""

import json
from types import SimpleNamespace

import pytest
from django.test import Client
from django.test import client as test_client
from django.urls import reverse
from django.utils import translation

from accounts.models import User
from rules.scenarios import Verdict
from tests import factories as make
from tests.browsers import read
from tests.front import Through, before_client
from tournaments.core.event_state import load_facts
from tournaments.core.labels import standing_rank_text
from tournaments.core.permissions import Actor
from tournaments.decklists.services import hide_decklists, publish_decklists
from tournaments.erasing.services.erase import erase_account
from tournaments.models import Entry, Event, Round
from tournaments.models.tables import clear_row_marks
from tournaments.personal.selectors.ended import AHEAD, DONE, NOW, SKIPPED, own_standing
from tournaments.player_pages.selectors import A_PAGE, player_page_context
from tournaments.player_pages.services import publish_profile, unpublish_profile
from tournaments.players.services.departures import withdraw
from tournaments.players.services.entries import register
from tournaments.prospects.selectors import public_verdicts
from tournaments.rounds.services import draft_round
from tournaments.standings.selectors.standings import stage_standings
from tournaments.standings.services import release_standings

pytestmark = pytest.mark.django_db


def address(event: Event, number: int) -> str:
    return reverse("tournaments:player", args=[event.slug, number])


def test_it_tells_record_matches_and_road(client: Client, by) -> None:
    event = make.halfway(by, 6, rounds=2, formula="swiss-cut", options={"rounds": 3, "cut": 4})
    facts = load_facts(event, for_staff=False)
    (standings,) = facts.stages[0].outcome.standings.values()
    first = standings.rows[0]
    with translation.override("en"):
        shown = player_page_context(facts, first.player)
    assert shown is not None
    assert [line.round for line in shown["matches"]] == ["Round 2", "Round 1"]
    values = [value for value, _label in shown["figures"]]
    assert values[0] == "1st"
    assert values[-1] == f"{first.won}–{first.lost}–{first.drawn}"
    assert [step.state for step in shown["road"]] == [NOW, AHEAD]
    words = read(client, address(event, first.player))
    for line in shown["matches"]:
        (other,) = line.others
        assert other.name in words


def test_a_rank_that_others_share_is_marked(in_english):
    rows = [SimpleNamespace(rank=rank) for rank in (1, 2, 2)]
    table = SimpleNamespace(rows=rows)
    assert [standing_rank_text(row, table) for row in rows] == ["1st", "=2nd", "=2nd"]


@pytest.mark.deep
def test_it_follows_a_player_into_the_bracket_or_out(by) -> None:
    event = make.play_event(
        make.started(by, 6, formula="swiss-cut", options={"rounds": 2, "cut": 2}), by
    )
    facts = load_facts(event)
    (first,), (second,), third = facts.ranking[0], facts.ranking[1], facts.ranking[2]
    roads = {}
    for player in (first, second, third[0]):
        with translation.override("en"):
            found = player_page_context(facts, player)
        assert found
        roads[player] = [(step.state, step.words) for step in found["road"]]
    assert roads[first][1] == (DONE, "Final: won")
    assert roads[second][1] == (DONE, "Final: lost")
    assert roads[third[0]][1] == (SKIPPED, "not played")


def test_a_stage_named_as_its_round_is_named_once(client: Client, by) -> None:
    event = make.started(by, 2, formula="single-elimination")
    Event.objects.filter(pk=event.pk).update(
        plan=json.loads(json.dumps(event.plan).replace('"Knock-out"', '"Final"'))
    )
    clear_row_marks()
    make.next_round(Event.objects.get(pk=event.pk), by)
    words = " ".join(read(client, address(event, 1)).split())
    assert "Final · Table 1" in words
    assert "Final · Final" not in words


def test_nobody_reads_it_of_a_draft_or_of_a_number_without_player(client: Client, by) -> None:
    draft = make.event(by)
    make.players(draft, 2, by)
    assert client.get(address(draft, 1)).status_code == 404
    event = make.started(by, 3)
    assert client.get(address(event, 1)).status_code == 200
    assert client.get(address(event, 4)).status_code == 404


def test_a_round_that_is_not_published_is_not_there(client: Client, by) -> None:
    event = make.started(by, 4)
    before = read(client, address(event, 1))
    draft_round(event=event, expected_round=1, by=by)
    assert "No matches yet." in before
    assert "No matches yet." in read(client, address(event, 1))


@pytest.mark.deep
def test_the_list_is_linked_once_it_is_published(client: Client, by) -> None:
    event = make.played(by, 3, formula="single-group", decklists="required")
    to = reverse("tournaments:decklist", args=[event.slug, 1])
    assert to not in client.get(address(event, 1)).content.decode()
    publish_decklists(event=event, by=by)
    assert to in client.get(address(event, 1)).content.decode()


def test_who_has_left_is_marked(client: Client, by) -> None:
    event = make.started(by, 4)
    withdraw(entry=event.entries.get(number=2), by=by)
    assert "No-show" in read(client, address(event, 2))


@pytest.mark.deep
@pytest.mark.parametrize("name", ["players", "pairings", "standings", "event"])
def test_names_lead_to_it(client: Client, name: str, by) -> None:
    event = make.started(by, 4, formula="swiss-cut", options={"rounds": 2, "cut": 2})
    make.play_round(make.next_round(event, by), by)
    if name == "event":
        event = make.play_event(event, by)
    shown = client.get(reverse(f"tournaments:{name}", args=[event.slug])).content.decode()
    for number in (1, 2, 3, 4):
        assert f'href="{address(event, number)}"' in shown


@pytest.mark.deep
def test_it_costs_no_query_beyond_the_facts(
    client: Client, django_assert_max_num_queries: object, by
) -> None:
    event = make.halfway(by, 6, rounds=2)
    facts = load_facts(event)
    with django_assert_max_num_queries(0):  # type: ignore[operator]
        assert player_page_context(facts, 1)


def test_nothing_is_to_come_for_who_has_left(client: Client, by) -> None:
    event = make.halfway(by, 6, formula="swiss-cut", options={"rounds": 3, "cut": 4})
    withdraw(entry=event.entries.get(number=1), by=by)
    shown = player_page_context(load_facts(event, for_staff=False), 1)
    assert shown is not None
    assert [(step.state, step.words) for step in shown["road"]][1:] == [(SKIPPED, "")]
    assert "to come" not in read(client, address(event, 1))


@pytest.mark.deep
def test_in_the_middle_of_a_round_its_pages_speak_of_the_same_standings(by, in_english) -> None:
    event = make.halfway(by, 9, formula="swiss-cut", options={"rounds": 3, "cut": 4})
    make.next_round(event, by)
    facts = load_facts(event, for_staff=False)
    stage = facts.stages[0]
    bye = next(match for match in stage.matches_of(stage.last_round) if match.size == 1)
    entry = event.entries.select_related("event").get(pk=bye.seats[0])
    own, shown = own_standing(facts, entry), player_page_context(facts, entry.number)
    assert own is not None
    assert shown is not None
    (rows,) = (standings.rows for standings in stage.outcome.standings.values())
    assert own.row.rank != next(row.rank for row in rows if row.player == entry.number)
    assert (own.after, own.open) == ("Round 1", False)
    (rank, where), (points, _label), *_more = shown["figures"]
    assert rank.strip("=")[:-2] == str(own.row.rank)
    assert (where, points) == ("Swiss rounds · after round 1", own.row.values[0])
    record, label = shown["figures"][-1]
    assert label == "Wins – losses – draws, after round 1"
    assert sum(map(int, record.split("–"))) == 1
    road = shown["road"][0]
    assert (road.rank, road.words) == (own.rank, f"{rank}, after round 1")
    (told, *_earlier) = stage_standings(facts)
    assert (told.under_way, told.earlier) == ("Round 2", (1,))
    assert [link.there for link in told.links] == [True, False, False]
    make.play_round(stage_round(event), by)
    (told, *_earlier) = stage_standings(load_facts(event, for_staff=False))
    assert (told.under_way, told.earlier) == ("", (1,))


def stage_round(event: Event) -> Round:
    return event.rounds.order_by("-ordinal")[0]


def test_a_short_table_is_told_as_of_now_and_said_to_be(by, in_english) -> None:
    event = make.playing(by, 4, formula="single-group", format="doomtrooper-original")
    match = stage_round(event).matches.select_related("round__event").first()
    make.results.decide_result(match=match, version=0, claim=make.a_wins(match), by=by)
    shown = player_page_context(load_facts(event, for_staff=False), match.players[0].number)
    assert shown is not None
    assert shown["figures"][0] == ("1st", "Group · as of now")


@pytest.mark.deep
def test_nothing_is_to_come_for_who_is_certainly_out(by, in_english) -> None:
    event = make.halfway(by, 8, rounds=2, formula="swiss-cut", options={"rounds": 3, "cut": 2})
    facts = load_facts(event, for_staff=False)
    out = [player for player, verdict in public_verdicts(facts).items() if verdict is Verdict.OUT]
    assert out
    for player in out:
        shown = player_page_context(facts, player)
        assert shown is not None
        assert [step.state for step in shown["road"]] == [NOW, SKIPPED]
        assert "to come" not in [step.words for step in shown["road"]]


@pytest.fixture
def user() -> User:
    return make.user("ada@example.org", name="Ada Bianchi")


def playing(user: User, event: Event, number: int = 1) -> Event:
    """Return the event, in which a player is the user's from now on."""
    Entry.objects.filter(event=event, number=number).update(user=user)
    return event


def page_for(user: User) -> str:
    """Return the address of the user's page, which is shown from now on."""
    publish_profile(user=user)
    user.refresh_from_db()
    return reverse("tournaments:person", args=[user.person_key])


def of_player(event: Event, number: int = 1) -> str:
    return reverse("tournaments:player", args=[event.slug, number])


@pytest.mark.deep
def test_nobody_has_one_who_did_not_choose_it(client: Client, user: User) -> None:
    event = playing(user, make.played(make.organiser(), 3, formula="single-group"))
    assert user.person_key is None
    assert "/people/" not in client.get(of_player(event)).content.decode()
    for key in ("none", "null", user.pk):
        assert client.get(reverse("tournaments:person", args=[key])).status_code == 404


@pytest.mark.deep
def test_it_tells_what_the_players_own_pages_tell(client: Client, user: User, by: Actor) -> None:
    over = playing(user, make.played(by, 3, formula="single-group"))
    going = playing(user, make.halfway(by, 6, rounds=2), 2)
    words = read(client, page_for(user))
    assert "Ada Bianchi" in words
    assert "Events: 2" in words
    for event, number in ((over, 1), (going, 2)):
        assert event.name in words
        shown = player_page_context(load_facts(event, for_staff=False), number)
        assert shown
        assert shown["figures"][-1][0] in words
        assert f'href="{of_player(event, number)}"' in client.get(page_for(user)).content.decode()
    with translation.override("en"):
        final = player_page_context(load_facts(over, for_staff=False), 1)
    assert final
    assert "Rank out of 3" in words
    assert final["figures"][0][0] in words


@pytest.mark.deep
def test_only_entries_of_the_account_itself_are_there(
    client: Client, user: User, by: Actor
) -> None:
    own, other, namesake = (make.played(by, 3, formula="single-group") for _event in range(3))
    playing(user, own)
    playing(make.user("other@example.org", name="Ada Bianchi"), other)
    Entry.objects.filter(event=namesake, number=1).update(name="Ada Bianchi")
    html = client.get(page_for(user)).content.decode()
    assert of_player(own) in html
    assert other.slug not in html
    assert namesake.slug not in html


def test_their_players_pages_lead_to_it_and_no_other(client: Client, user: User) -> None:
    event = playing(user, make.played(make.organiser(), 3, formula="single-group"))
    to = page_for(user)
    assert f'href="{to}"' in client.get(of_player(event)).content.decode()
    assert "/people/" not in client.get(of_player(event, 2)).content.decode()


def test_chosen_otherwise_nothing_leads_there_at_the_next_request(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = playing(user, make.played(make.organiser(), 3, formula="single-group"))
    to = page_for(user)
    before_client()
    monkeypatch.setattr(test_client, "ClientHandler", Through)
    for _again in range(2):
        assert to in Client().get(of_player(event)).content.decode()
        assert Client().get(to).status_code == 200
    assert Through.rendered == [of_player(event)], "kept in front, and the person's page is not"
    unpublish_profile(user=user)
    assert "/people/" not in Client().get(of_player(event)).content.decode()
    assert Client().get(to).status_code == 404
    assert page_for(user) != to
    assert Client().get(to).status_code == 404


@pytest.mark.deep
def test_drafts_are_not_there(client: Client, user: User, by: Actor) -> None:
    draft = make.event(by)
    make.players(draft, 2, by)
    playing(user, draft)
    to = page_for(user)
    assert "No events yet" in read(client, to)
    client.force_login(by.user)
    assert draft.name not in read(client, to)
    event = playing(user, make.halfway(by, 4, rounds=1))
    before = client.get(to).content.decode()
    draft_round(event=event, expected_round=2, by=by)
    assert client.get(to).content.decode().count('class="disc ') == before.count('class="disc ')


@pytest.mark.deep
def test_standings_that_are_held_back_are_held_back_here(
    client: Client, user: User, by: Actor
) -> None:
    event = make.playing(by, 8, formula="swiss-cut", options={"rounds": 3}, standings_held="all")
    make.play_round(event.rounds.get(), by)
    first = load_facts(Event.objects.get(pk=event.pk)).stages[0].outcome
    (standings,) = first.standings.values()
    playing(user, event, standings.rows[-1].player)
    to = page_for(user)
    row = f"<b>{standings.rows[-1].rank}th</b>"
    english = {"accept-language": "en"}
    assert row not in client.get(to, headers=english).content.decode()
    release_standings(event=Event.objects.get(pk=event.pk), expected_round=1, by=by)
    assert row in client.get(to, headers=english).content.decode()


@pytest.mark.deep
def test_a_list_is_linked_while_it_is_public(client: Client, user: User, by: Actor) -> None:
    event = playing(user, make.played(by, 3, formula="single-group", decklists="required"))
    to, of_list = page_for(user), reverse("tournaments:decklist", args=[event.slug, 1])
    client.force_login(by.user)
    assert of_list not in client.get(to).content.decode()
    publish_decklists(event=event, by=by)
    assert of_list in client.get(to).content.decode()
    hide_decklists(event=Event.objects.get(pk=event.pk), by=by)
    assert of_list not in client.get(to).content.decode()


@pytest.mark.deep
def test_it_goes_with_the_account(client: Client, user: User) -> None:
    event = playing(user, make.played(make.organiser(), 3, formula="single-group"))
    to = page_for(user)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert client.get(to).status_code == 404
    assert "/people/" not in client.get(of_player(event)).content.decode()
    User.objects.filter(pk=user.pk).update(is_active=True)
    erase_account(user=user, confirm=user.email)
    user.refresh_from_db()
    assert user.person_key is None
    assert client.get(to).status_code == 404
    assert "/people/" not in client.get(of_player(event)).content.decode()


def test_the_choice_is_made_on_the_page_of_the_account(client: Client, user: User) -> None:
    event = playing(user, make.played(make.organiser(), 3, formula="single-group"))
    client.force_login(user)
    choose, account = reverse("tournaments:person-choose"), reverse("profile")
    assert ">Publish<" in read(client, account)
    for shown, action in (("yes", "person.shown"), ("no", "person.hidden")):
        for _twice in range(2):  # the second changes nothing
            assert client.post(choose, {"shown": shown}, follow=True).status_code == 200
        user.refresh_from_db()
        assert bool(user.person_key) == (shown == "yes")
        line = event.log.get(action=action)
        assert (line.by, line.after) == (user, {"number": 1})
    assert event.log.latest("number").action == "person.hidden"


@pytest.mark.deep
def test_ten_events_stand_on_a_page_and_finished_ones_are_read_once(
    client: Client, user: User, django_assert_max_num_queries: object, by: Actor
) -> None:
    for _event in range(A_PAGE + 1):
        event = make.open_event(by)
        make.players(event, 2, by)
        playing(user, event)
    over = playing(user, make.played(by, 3, formula="single-group"))
    to = page_for(user)
    assert "Page 1 of 2" in read(client, to)
    assert "Page 2 of 2" in read(client, f"{to}?page=2")
    Event.objects.exclude(pk=over.pk).update(state=Event.State.DRAFT)
    read(client, to)
    with django_assert_max_num_queries(3):  # type: ignore[operator]
        assert over.name in read(client, to)


def test_who_registers_afterwards_is_there_at_once(client: Client, user: User) -> None:
    to = page_for(user)
    event = make.open_event(make.organiser())
    register(event=event, name="Ada", user=user, by=Actor(user=user))
    assert of_player(event) in client.get(to).content.decode()
