"""Open lists, Leaders, published lists, and what was played."""

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.utils import timezone

from decks.decklists.samples import sample_deck
from decks.decklists.services import store_decklist
from decks.models import Decklist
from rules.errors import RuleError
from rules.matches.match_rules import Claim
from rules.results import EndedBy
from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.core.visibility import public_leaders, who_played
from tournaments.decklists import services as decklists
from tournaments.decklists.selectors.played import played_page
from tournaments.decklists.selectors.rules import rules_of_event
from tournaments.decklists.services import hide_lists, publish_lists
from tournaments.models import DeckSubmission, Entry, Event, LogLine, Match
from tournaments.players.services import departures

pytestmark = pytest.mark.django_db

EXO = {"format": "creatures-of-exo", "formula": "single-group", "decklists": "required"}


def with_leader(event: Event, by: Actor, leaders: dict[int, str]) -> None:
    """Hand in lists that differ in their Leaders."""
    for number, name in leaders.items():
        lines = sample_deck(event.format, number).splitlines()
        lines[1] = f"1 {name} {{Leader}}"
        entry = event.entries.get(number=number)
        decklists.submit_decklist(entry=entry, text="\n".join(lines), by=by, reason="Leader")


@pytest.fixture
def ended(by: Actor) -> Event:
    """Return a finished event of three; a wins each match, the first of them by a forfeit."""
    event = make.started(by, 3, **EXO)
    with_leader(event, by, {1: "Vampa", 2: "Vampa", 3: "Brina"})

    def claims(match: Match, _index: int) -> Claim:
        if {player.number for player in match.players} == {2, 3}:
            return Claim(winner="a", ended_by=EndedBy.NO_SHOW)
        return make.a_wins(match)

    return make.play_event(event, by, claims)


# --- In which stages lists are open ------------------------------------------------------


# --- Open while a stage is played --------------------------------------------------------


# --- Leaders -----------------------------------------------------------------------------
def test_leaders_stand_beside_the_names_once_a_round_is_out(by: Actor, client: Client) -> None:
    event = make.started(by, 3, **EXO, show_leaders=True)
    with_leader(event, by, {1: "Vampa", 2: "Rovo", 3: "Brina"})
    pages = [f"/events/{event.slug}/{name}/" for name in ("players", "pairings")]
    assert public_leaders(event) == {}
    assert not any(b"Vampa" in client.get(page).content for page in pages)
    make.next_round(event, by)
    assert all(b"Vampa" in client.get(page).content for page in pages)
    assert b"Vampa" not in client.get(f"/events/{event.slug}/standings/").content


def test_who_waits_keeps_the_leader(by: Actor) -> None:
    event = make.open_event(by, **EXO, show_leaders=True, capacity=3)
    make.players(event, 4, by)
    make.with_decks(event, by)
    waiting = event.entries.get(status=Entry.Status.WAITING)
    draw = make.draws.draw_start_order(event=event, by=by)
    make.starting.start_event(event=event, draw_number=draw.number, by=by)
    make.next_round(event, by)
    shown = public_leaders(Event.objects.get(pk=event.pk))
    assert len(shown) == 3
    assert waiting.pk not in shown


def test_a_game_without_leaders_shows_none(by: Actor) -> None:
    event = make.started(by, 3, decklists="required", show_leaders=True)
    make.next_round(event, by)
    assert public_leaders(event) == {}


# --- Published after the event -----------------------------------------------------------
def test_publishing_is_the_organisers_recorded_act(by: Actor, ended: Event) -> None:
    with pytest.raises(PermissionDenied):
        publish_lists(event=ended, by=make.staff(ended, "head_judge"))
    published = publish_lists(event=ended, by=by)
    assert published.lists_published_at is not None
    with pytest.raises(RuleError) as twice:
        publish_lists(event=ended, by=by)
    assert twice.value.code == "lists_published"
    assert hide_lists(event=ended, by=by).lists_published_at is None
    with pytest.raises(RuleError) as again:
        hide_lists(event=ended, by=by)
    assert again.value.code == "lists_hidden"
    lines = LogLine.objects.filter(event=ended).order_by("number")
    assert [line.action for line in lines][-2:] == ["lists.published", "lists.hidden"]
    assert not any("Vampa" in str([line.before, line.after, line.subject]) for line in lines)


def test_only_a_finished_event_that_collects_lists_publishes_them(by: Actor) -> None:
    running = make.started(by, 3, **EXO)
    without = make.played(by, 3, formula="single-group")
    for event, code in ((running, "event_not_finished"), (without, "decklists_off")):
        with pytest.raises(RuleError) as refused:
            publish_lists(event=event, by=by)
        assert refused.value.code == code


def test_lists_of_those_who_never_played_stay_theirs(by: Actor, client: Client) -> None:
    event = make.open_event(by, **EXO)
    make.players(event, 4, by)
    make.with_decks(event, by)
    gone = event.entries.get(number=4)
    departures.withdraw(entry=gone, by=by)
    draw = make.draws.draw_start_order(event=event, by=by)
    make.starting.start_event(event=event, draw_number=draw.number, by=by)
    event = make.play_event(Event.objects.get(pk=event.pk), by)
    event = publish_lists(event=event, by=by)
    assert gone.pk not in who_played(event)
    for number, status in ((1, 200), (4, 404)):
        assert client.get(f"/events/{event.slug}/decklists/{number}/").status_code == status
    assert client.get(f"/events/{event.slug}/decklists/").content.count(b"/decklists/") >= 3
    assert played_page(load_facts(event)).lists == 3


def test_the_organiser_publishes_from_the_own_page(by: Actor, ended: Event) -> None:
    browser = Client(headers={"accept-language": "en"})
    browser.force_login(by.user)
    manage = f"/events/{ended.slug}/manage/"
    assert b"Publish the lists" in browser.get(manage).content
    done = browser.post(f"{manage}lists/publish/", follow=True)
    assert b"The lists are published: everybody can read them." in done.content
    assert b"Hide the lists again" in done.content
    assert browser.post(f"{manage}lists/publish/").status_code == 409
    assert Client().get(f"/events/{ended.slug}/played/").status_code == 200
    assert b"hidden again" in browser.post(f"{manage}lists/hide/", follow=True).content
    assert Client().get(f"/events/{ended.slug}/played/").status_code == 404


def test_a_published_list_comes_as_a_file(by: Actor, ended: Event, client: Client) -> None:
    publish_lists(event=ended, by=by)
    for kind in ("text", "csv", "xlsx", "json"):
        answer = client.get(f"/events/{ended.slug}/decklists/1/{kind}/")
        assert answer.status_code == 200, kind
        assert answer["Content-Disposition"].startswith("attachment")
        assert "no-store" in answer["Cache-Control"]


def test_the_file_as_sent_is_for_its_player_and_the_judges(
    by: Actor, ended: Event, client: Client
) -> None:
    publish_lists(event=ended, by=by)
    Decklist.objects.update(upload=b"# how to play it", upload_name="mine.txt")
    address = f"/events/{ended.slug}/decklists/1/upload/"
    assert client.get(address).status_code == 404
    player = make.user()
    ended.entries.filter(number=1).update(user=player)
    for reader in (player, make.staff(ended).user):
        client.force_login(reader)
        assert b"how to play it" in client.get(address).content


# --- What was played ---------------------------------------------------------------------
def test_how_leaders_did(ended: Event) -> None:
    page = played_page(load_facts(ended))
    assert page.of_leaders
    assert page.field is not None
    found = {row["name"]: (row["lists"], row["record"].played) for row in page.field.rows}
    # 1 and 2 play the same Leader, and 2 against 3 was a forfeit: 1 against 3 is left
    assert found == {"Vampa": (2, 1), "Brina": (1, 1)}
    assert sorted(row["won"] for row in page.field.rows) == ["0 %", "100 %"]
    assert page.records == ()
    assert page.finalists[0]["row"].rank == 1
    assert {row["played"] for row in page.finalists} == {"Vampa", "Brina"}
    assert "Leader" in {row["name"] for row in page.kinds}
    assert all(len(row["bar"]) <= 5 and float(row["bar"]) <= 100 for row in page.cards)
    assert "Vampa" not in {row["name"] for row in page.cards}


def test_games_without_leaders_show_their_most_played_cards(by: Actor, client: Client) -> None:
    event = make.played(by, 4, decklists="required")
    publish_lists(event=event, by=by)
    page = played_page(load_facts(event))
    assert not page.of_leaders
    assert all(row["record"].played for row in page.records)
    words = client.get(f"/events/{event.slug}/played/", headers={"accept-language": "en"})
    assert b"against lists without" in words.content
    assert b"4 lists are few" in words.content
    assert b'style="' not in words.content


def test_queries_do_not_grow_with_the_lists(
    by: Actor, client: Client, django_assert_max_num_queries: Any
) -> None:
    counts: dict[str, set[int]] = {}
    for players in (3, 300):
        event = make.started(by, players, format="creatures-of-exo", formula="groups-knockout")
        make.next_round(event, by)
        event.decklists = Event.Decklists.REQUIRED
        event.show_leaders = True
        event.save()
        one_list(event)
        for state, names in (
            ("running", ("players/", "pairings/")),
            ("finished", ("players/", "decklists/", "decklists/1/", "played/", "export.xlsx")),
        ):
            over = timezone.now() if state == "finished" else None
            Event.objects.filter(pk=event.pk).update(state=state, lists_published_at=over)
            for name in names:
                with django_assert_max_num_queries(16) as seen:
                    assert client.get(f"/events/{event.slug}/{name}").status_code == 200
                counts.setdefault(f"{state} {name}", set()).add(len(seen.captured_queries))
    assert {name: len(found) for name, found in counts.items()} == dict.fromkeys(counts, 1), counts


def one_list(event: Event) -> None:
    """Give every player the same list."""
    rules = rules_of_event(event)
    decklist = store_decklist(rules=rules, text=sample_deck(event.format, 1))
    entries = list(event.entries.all())
    made = DeckSubmission.objects.bulk_create(
        DeckSubmission(entry=entry, decklist=decklist) for entry in entries
    )
    for entry, submission in zip(entries, made, strict=True):
        entry.submission = submission
    Entry.objects.bulk_update(entries, ["submission"])


def test_shares_of_the_field_and_of_the_cut_and_what_beat_what(by: Actor, client: Client) -> None:
    event = make.started(by, 8, **EXO | {"formula": "swiss-cut"})
    names = {number: "Vampa" if number < 6 else "Brina" for number in range(1, 9)}
    with_leader(event, by, names)

    def claims(match: Match, _index: int) -> Claim:
        wins = (
            names[match.players[0].number] == "Vampa" or names[match.players[1].number] == "Brina"
        )
        return Claim(games=("a" if wins else "b",) * (match.best_of // 2 + 1))

    event = make.play_event(Event.objects.get(pk=event.pk), by, claims)
    page = played_page(load_facts(event))
    assert page.field is not None
    first, second = page.field.rows
    assert (first["name"], first["lists"], first["share"], first["tiles"]) == (
        "Vampa",
        5,
        "62 %",
        "xxxxx",
    )
    assert first["through"] + second["through"] == page.field.of_cut
    cut = set(load_facts(event).stages[1].state.players)
    through = sum(names[number] == "Vampa" for number in cut)
    assert (first["through"], page.field.of_cut) == (through, len(cut))
    assert first["share_through"] == f"{round(100 * through / len(cut))} %"
    assert first["conversion"] == f"{round(100 * through / 5)} %"
    row = page.field.matrix[0]
    assert [cell.tone for cell in row["cells"]] == ["self", "ahead"]
    assert row["cells"][1].words == f"{first['record'].won}–0"
    assert page.field.matrix[1]["cells"][0].tone == "behind"
    publish_lists(event=event, by=by)
    shown = client.get(f"/events/{event.slug}/played/", headers={"accept-language": "en"})
    words = " ".join(shown.content.decode().split())
    assert "8 lists are few" in words
    assert 'style="' not in words
    assert words.count('<rect class="half"') == 2


def test_an_event_of_one_stage_has_no_cut(ended: Event) -> None:
    page = played_page(load_facts(ended))
    assert page.field is not None
    assert (page.field.cut, page.field.of_cut) == ("", 0)
    assert {row["conversion"] for row in page.field.rows} == {""}
