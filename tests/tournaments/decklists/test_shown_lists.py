"""Open, held and published lists, Leaders, and what was played."""

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from decks.decklists.samples import sample_deck
from decks.decklists.services import store_decklist
from decks.models import Decklist
from rules.formulas import FORMULAS
from tests import factories as make
from tests.browsers import by_link, page, signed_in, text, url
from tests.tournaments.decklists.leaders import EXO, with_leader
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.core.visibility import (
    Audience,
    audiences_to_json,
    can_see_decklist,
    possible_stages,
    public_leaders,
    seated_entries,
    stage_audience,
    visible_decklists,
)
from tournaments.decklists.selectors.played import deck_statistics_context
from tournaments.decklists.selectors.rules import event_deck_rules
from tournaments.decklists.services import hide_decklists, publish_decklists, release_decklists
from tournaments.events.forms.event import EventForm, event_settings, settings_form_initial
from tournaments.events.services import change_event, create_event
from tournaments.lots.services import draw_tied_order
from tournaments.models import DeckSubmission, Entry, Event, LogLine, Match, Stage
from tournaments.players.services import departures
from tournaments.rounds.services import close_and_draft, delete_last_round, publish_round
from tournaments.stages.services import close_stage, reopen_previous_stage
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


@pytest.mark.deep
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


def test_publishing_is_the_organisers_recorded_act(by: Actor, ended: Event) -> None:
    with pytest.raises(PermissionDenied):
        publish_decklists(event=ended, by=make.staff(ended, "head_judge"))
    published = publish_decklists(event=ended, by=by)
    assert published.lists_published_at is not None
    assert make.refusal(publish_decklists, event=ended, by=by) == "lists_published"
    assert hide_decklists(event=ended, by=by).lists_published_at is None
    assert make.refusal(hide_decklists, event=ended, by=by) == "lists_hidden"
    lines = LogLine.objects.filter(event=ended).order_by("number")
    assert [line.action for line in lines][-2:] == ["lists.published", "lists.hidden"]
    assert not any("Vampa" in str([line.before, line.after, line.subject]) for line in lines)


@pytest.mark.deep
def test_only_a_finished_event_that_collects_lists_publishes_them(by: Actor) -> None:
    running = make.started(by, 3, **EXO)
    without = make.played(by, 3, formula="single-group")
    for event, code in ((running, "event_not_finished"), (without, "decklists_off")):
        assert make.refusal(publish_decklists, event=event, by=by) == code


@pytest.mark.deep
def test_lists_of_those_who_never_played_stay_theirs(by: Actor, client: Client) -> None:
    event = make.open_event(by, **EXO)
    make.players(event, 4, by)
    make.with_decks(event, by)
    gone = event.entries.get(number=4)
    departures.withdraw(entry=gone, by=by)
    draw = make.draws.draw_start_order(event=event, by=by)
    make.starting.start_event(event=event, draw_number=draw.number, by=by)
    event = make.play_event(Event.objects.get(pk=event.pk), by)
    event = publish_decklists(event=event, by=by)
    assert gone.pk not in seated_entries(event)
    for number, status in ((1, 200), (4, 404)):
        assert client.get(f"/events/{event.slug}/decklists/{number}/").status_code == status
    assert client.get(f"/events/{event.slug}/decklists/").content.count(b"/decklists/") >= 3
    assert deck_statistics_context(load_facts(event))["lists"] == 3


def test_the_organiser_publishes_from_the_own_page(by: Actor, ended: Event) -> None:
    browser = signed_in(by)
    manage = f"/events/{ended.slug}/manage/"
    assert b"Publish the decklists" in browser.get(f"{manage}players/").content
    done = browser.post(f"{manage}lists/publish/", follow=True)
    assert b"Saved." in done.content
    assert b"Hide the decklists" in done.content
    assert browser.post(f"{manage}lists/publish/").status_code == 409
    assert Client().get(f"/events/{ended.slug}/played/").status_code == 200
    assert b"Saved." in browser.post(f"{manage}lists/hide/", follow=True).content
    assert Client().get(f"/events/{ended.slug}/played/").status_code == 404


def test_published_lists_are_compressed_and_others_are_not(by: Actor, ended: Event) -> None:
    paths = [f"/events/{ended.slug}/decklists/", f"/events/{ended.slug}/decklists/1/"]
    readers = Client(headers={"accept-encoding": "gzip"}), signed_in(by)
    before = [readers[1].get(path, headers={"accept-encoding": "gzip"}) for path in paths]
    assert not any("Content-Encoding" in answer for answer in before)
    publish_decklists(event=ended, by=by)
    for path in paths:
        assert readers[0].get(path)["Content-Encoding"] == "gzip"


def test_a_published_list_comes_as_a_file_and_as_sent_for_player_and_judges(
    by: Actor, ended: Event, client: Client
) -> None:
    publish_decklists(event=ended, by=by)
    for kind in ("text", "csv", "xlsx", "json"):
        answer = client.get(f"/events/{ended.slug}/decklists/1/{kind}/")
        assert answer.status_code == 200, kind
        assert answer["Content-Disposition"].startswith("attachment")
        assert "no-store" in answer["Cache-Control"]
    Decklist.objects.update(upload=b"# how to play it", upload_name="mine.txt")
    address = f"/events/{ended.slug}/decklists/1/upload/"
    assert client.get(address).status_code == 404
    player = make.user()
    ended.entries.filter(number=1).update(user=player)
    for reader in (player, make.staff(ended).user):
        client.force_login(reader)
        assert b"how to play it" in client.get(address).content


@pytest.mark.deep
def test_queries_do_not_grow_with_the_lists(
    by: Actor, client: Client, django_assert_max_num_queries: Any
) -> None:
    counts: dict[str, set[int]] = {}
    for players in (3, 60):
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
    rules = event_deck_rules(event)
    decklist = store_decklist(rules=rules, text=sample_deck(event.format, 1))
    entries = list(event.entries.all())
    made = DeckSubmission.objects.bulk_create(
        DeckSubmission(entry=entry, decklist=decklist) for entry in entries
    )
    for entry, submission in zip(entries, made, strict=True):
        entry.submission = submission
    Entry.objects.bulk_update(entries, ["submission"])


def test_open_lists_are_kept_as_one_word_a_stage() -> None:
    chosen = {"groups": Audience.NOBODY, "knockout": Audience.OPPONENTS, "final": Audience.ALL}
    assert audiences_to_json(chosen) == ["knockout", "final:all"]
    assert [stage_audience(audiences_to_json(chosen), key) for key in chosen] == list(
        chosen.values()
    )


@pytest.mark.parametrize("formula", [formula.key for formula in FORMULAS])
def test_every_stage_of_every_size_can_be_chosen(formula: str) -> None:
    known = FORMULAS.get(formula)
    for players in range(known.minimum, 70):
        assert {stage.key for stage in known.plan(players).stages} <= possible_stages(known).keys()


@pytest.mark.parametrize(
    "wrong", [["knockout"], ["group:judges"], ["group", "group:all"], [3], "x"]
)
def test_a_stage_that_the_formula_lacks_is_refused(by: Actor, wrong: object) -> None:
    refused = make.refusal(create_event, values=make.EVENT | EXO | {"open_lists": wrong}, by=by)
    assert refused == "bad_open_lists"


def test_a_stage_that_an_option_adds_can_be_chosen(by: Actor) -> None:
    assert [*possible_stages(FORMULAS.get("single-group"))] == ["group", "final"]
    event = make.event(by, **EXO, options={"final": 1}, open_lists=["final"])
    assert event.open_lists == ["final"]


def test_what_players_were_told_stays_after_the_start(by: Actor) -> None:
    event = make.started(by, 3, **EXO)
    for change in ({"open_lists": ["group"]}, {"show_leaders": True}):
        assert make.refusal(change_event, event=event, changes=change, by=by) == "event_started"


def test_the_form_stores_the_stages_of_the_chosen_formula_only(by: Actor) -> None:
    event = make.event(by, **EXO, open_lists=["group"])
    shown = settings_form_initial(event_settings(event))
    assert shown["open_single-group_group"] == "opponents"
    typed = shown | {
        "open_single-group_group": "all",
        "open_groups-knockout_knockout": "all",
        "show_leaders": "on",
    }
    data = {key: value for key, value in typed.items() if value is not None}
    form = EventForm(data, owner_id=event.created_by_id)
    assert form.is_valid(), form.errors
    values = form.values()
    assert values["open_lists"] == ["group:all"]
    assert values["show_leaders"] is True
    change_event(event=event, changes=values, by=by)
    assert Event.objects.get(pk=event.pk).open_lists == ["group:all"]


def test_the_rules_say_who_reads_which_list(by: Actor, client: Client) -> None:
    closed = make.open_event(by, **EXO)
    page = client.get(f"/events/{closed.slug}/rules/", headers={"accept-language": "en"})
    assert b"Closed." in page.content
    opened = make.open_event(by, **EXO, open_lists=["group:all"], show_leaders=True)
    page = client.get(f"/events/{opened.slug}/rules/", headers={"accept-language": "en"})
    assert b"Open to all players in the stage: Group." in page.content
    assert b"Leaders become public with the first pairings" in page.content
    Event.objects.filter(pk=closed.pk).update(lists_published_at=timezone.now())
    page = client.get(f"/events/{closed.slug}/rules/", headers={"accept-language": "en"})
    assert b"Public." in page.content
    assert b"Closed." not in page.content


def test_who_has_left_reads_no_list_any_more(by: Actor) -> None:
    event = make.started(by, 4, **EXO, open_lists=["group:all"])
    make.next_round(event, by)
    event = Event.objects.get(pk=event.pk)
    reader, read = event.entries.get(number=1), event.entries.get(number=2)
    assert can_see_decklist(Actor(entry=reader), read)
    departures.withdraw(entry=reader, by=by)
    gone = Entry.objects.get(pk=reader.pk)
    assert not can_see_decklist(Actor(entry=gone), read)
    assert can_see_decklist(Actor(entry=gone), gone)
    assert can_see_decklist(Actor(entry=read), gone)


def test_a_player_opens_the_opponents_list_from_the_own_page(by: Actor, client: Client) -> None:
    event = make.started(by, 4, **EXO, open_lists=["group"])
    make.next_round(event, by)
    match = Match.objects.filter(round__event=event).first()
    person = make.user()
    Entry.objects.filter(pk=match.seats[0]).update(user=person)
    client.force_login(person)
    address = reverse("tournaments:decklist", args=[event.slug, match.players[1].number])
    assert address in client.get(f"/events/{event.slug}/me/").content.decode()
    assert client.get(address).status_code == 200
    players = client.get(f"/events/{event.slug}/players/").content.decode()
    assert players.count("/decklists/") == 2  # the opponent's and the player's own
    Event.objects.filter(pk=event.pk).update(open_lists=[])
    assert address not in client.get(f"/events/{event.slug}/me/").content.decode()


@pytest.mark.deep
def test_a_match_taken_back_hides_the_list_again(by: Actor) -> None:
    event = make.started(by, 4, **EXO, open_lists=["group"])
    reader = event.entries.get(number=1)
    make.next_round(event, by)
    event = Event.objects.get(pk=event.pk)
    assert len(visible_decklists(Actor(entry=reader), event).entries) == 2
    event.rounds.update(state="draft")
    assert visible_decklists(Actor(entry=reader), event).entries == {reader.pk}


HOLD = "You can also publish later, at the desk."
BUTTON = "Release the decklists"


def fresh(event):
    return Event.objects.get(pk=event.pk)


@pytest.fixture
def event(by):
    """Return an event of which the Swiss is played, whose knock-out opens lists to opponents."""
    made = make.stage_played(
        by,
        6,
        formula="swiss-cut",
        options={"rounds": 3, "cut": 4},
        format="creatures-of-exo",
        decklists="required",
        open_lists=["knockout"],
    )
    while needed := load_facts(made).open_stage.outcome.lots_needed:
        draw_tied_order(event=made, tied=needed[0], by=by)
    return fresh(made)


def published(event, by, *, held):
    """Close the Swiss and publish the semi-finals; return the event and a pair that meets."""
    close_and_draft(event=event, expected_stage=1, expected_round=4, lists_held=held, by=by)
    item = publish_round(event=fresh(event), ordinal=4, by=by)
    match = item.matches.first()
    return fresh(event), match.players[0], match.players[1]


def reads(event, one, other):
    return visible_decklists(Actor(entry=one), fresh(event)).reads(other)


@pytest.mark.deep
def test_held_they_are_seen_by_no_player_until_the_release(event, by):
    running, one, other = published(event, by, held=True)
    player, judge = by_link(one, by), signed_in(make.staff(running))
    address = url("decklist", running, other.number)
    assert not reads(running, one, other)
    assert player.get(address).status_code == 404
    assert judge.get(address).status_code == 200
    assert address not in page(player, "me", running)
    tag = player.get(url("me-now", running))["ETag"]
    release_decklists(event=running, expected_stage=2, by=by)
    assert reads(running, one, other)
    news = player.get(url("me-now", running), headers={"If-None-Match": tag})
    assert (news.status_code, address in text(news)) == (200, True)
    assert player.get(address).status_code == 200
    assert LogLine.objects.filter(event=running, action="lists.released").count() == 1
    assert list(verify_event(fresh(running))) == []


def test_at_once_they_are_seen_with_the_pairings(event, by):
    running, one, other = published(event, by, held=False)
    assert reads(running, one, other)
    assert BUTTON not in page(signed_in(by), "desk", running)


@pytest.mark.deep
def test_the_page_of_the_cut_holds_and_the_desk_releases(event, by):
    client = signed_in(by)
    said = page(client, "advance", event)
    assert (HOLD in said, said.count('name="lists"')) == (True, 2)
    sent = {"expected_stage": 1, "expected_round": 4, "lists": "held"}
    client.post(url("advance-close", event), sent)
    assert fresh(event).held_lists == 2
    assert LogLine.objects.get(event=event, action="stage.closed").after["held_lists"] is True
    judge = page(signed_in(make.staff(event)), "desk", event)
    assert ("Decklists hidden: Knock-out" in judge, BUTTON in judge) == (True, False)
    assert BUTTON in page(client, "desk", event)
    stale = client.post(url("lists-release", event), {"expected_stage": 1})
    assert stale.status_code == 409
    sent = {"expected_stage": 2}
    answer = client.post(url("lists-release", event), sent, follow=True)
    assert "Saved." in text(answer)
    assert BUTTON not in page(client, "desk", event)
    assert client.post(url("lists-release", event), sent).status_code == 409
    assert fresh(event).held_lists is None


@pytest.mark.deep
def test_a_closing_that_is_taken_back_starts_anew(event, by):
    close_and_draft(event=event, expected_stage=1, expected_round=4, lists_held=True, by=by)
    delete_last_round(event=fresh(event), ordinal=4, by=by)
    reopen_previous_stage(event=fresh(event), expected_stage=2, by=by)
    assert BUTTON not in page(signed_in(by), "desk", event)
    close_stage(event=fresh(event), expected_stage=1, by=by)
    assert fresh(event).held_lists is None
    assert list(verify_event(fresh(event))) == []


def test_where_no_list_is_opened_there_is_no_choice(event, by):
    Event.objects.filter(pk=event.pk).update(open_lists=[])
    assert HOLD not in page(signed_in(by), "advance", event)
    refused = make.refusal(
        close_stage, event=fresh(event), expected_stage=1, lists_held=True, by=by
    )
    assert refused == "no_lists_held"
    assert fresh(event).stages.get(number=1).state == Stage.State.OPEN


@pytest.mark.deep
def test_lists_that_nobody_saw_are_not_said_to_be_hidden(event, by):
    running, _one, _other = published(event, by, held=True)
    make.play_round(running.rounds.last(), by)
    make.play_event(running, by)
    closed = LogLine.objects.filter(event=event, action="stage.closed").order_by("number")
    assert [line.after.get("hides") for line in closed] == [None, None]


def test_a_program_holds_and_releases(event, by):
    client, root = signed_in(by), f"/api/v1/events/{event.slug}/"
    sent = {"hold_lists": True}
    assert client.post(f"{root}stages/1/close/", sent, "application/json").status_code == 200
    assert fresh(event).held_lists == 2
    wrong = client.post(f"{root}lists/release/", {"stage": 1}, "application/json")
    assert (wrong.status_code, wrong.json()["code"]) == (409, "stale")
    released = client.post(f"{root}lists/release/", {"stage": 2}, "application/json")
    assert (released.status_code, released.json()) == (200, {"stage": 2})
    again = client.post(f"{root}lists/release/", {"stage": 2}, "application/json")
    assert (again.status_code, again.json()["code"]) == (409, "no_lists_held")
