"""Stages with open lists: which can be chosen, and who reads a list meanwhile."""

import pytest
from django.test import Client
from django.urls import reverse

from rules.errors import BadInput, RuleError
from rules.formulas import FORMULAS
from tests import factories as make
from tournaments.core.open_lists import Audience, audience_of, audiences_to_json, possible_stages
from tournaments.core.permissions import Actor
from tournaments.core.visibility import can_see_decklist, sight_of
from tournaments.events.forms.event import EventForm, initial_of, settings_of
from tournaments.events.services.events import change_event, create_event
from tournaments.models import Entry, Event, Match
from tournaments.players.services import departures

pytestmark = pytest.mark.django_db


EXO = {"format": "creatures-of-exo", "formula": "single-group", "decklists": "required"}


def test_open_lists_are_kept_as_one_word_a_stage() -> None:
    chosen = {"groups": Audience.NOBODY, "knockout": Audience.OPPONENTS, "final": Audience.ALL}
    assert audiences_to_json(chosen) == ["knockout", "final:all"]
    assert [audience_of(audiences_to_json(chosen), key) for key in chosen] == list(chosen.values())


@pytest.mark.parametrize("formula", [formula.key for formula in FORMULAS])
def test_every_stage_of_every_size_can_be_chosen(formula: str) -> None:
    known = FORMULAS.get(formula)
    for players in range(known.minimum, 70):
        assert {stage.key for stage in known.plan(players).stages} <= possible_stages(known).keys()


@pytest.mark.parametrize(
    "wrong", [["knockout"], ["group:judges"], ["group", "group:all"], [3], "x"]
)
def test_a_stage_that_the_formula_lacks_is_refused(by: Actor, wrong: object) -> None:
    with pytest.raises(BadInput) as refused:
        create_event(values=make.EVENT | EXO | {"open_lists": wrong}, by=by)
    assert refused.value.code == "bad_open_lists"


def test_a_stage_that_an_option_adds_can_be_chosen(by: Actor) -> None:
    assert [*possible_stages(FORMULAS.get("single-group"))] == ["group", "final"]
    event = make.event(by, **EXO, options={"final": 1}, open_lists=["final"])
    assert event.open_lists == ["final"]


def test_what_players_were_told_stays_after_the_start(by: Actor) -> None:
    event = make.started(by, 3, **EXO)
    for change in ({"open_lists": ["group"]}, {"show_leaders": True}):
        with pytest.raises(RuleError) as refused:
            change_event(event=event, changes=change, by=by)
        assert refused.value.code == "event_started"


def test_the_form_stores_the_stages_of_the_chosen_formula_only(by: Actor) -> None:
    event = make.event(by, **EXO, open_lists=["group"])
    shown = initial_of(settings_of(event))
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
    assert b"Only you, the judges and the organiser see your list" in page.content
    opened = make.open_event(by, **EXO, open_lists=["group:all"], show_leaders=True)
    page = client.get(f"/events/{opened.slug}/rules/", headers={"accept-language": "en"})
    assert b"Lists are open to all who play in these stages: Group." in page.content
    assert b"Leaders are shown to everybody from the first pairings on." in page.content


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


def test_a_match_taken_back_hides_the_list_again(by: Actor) -> None:
    event = make.started(by, 4, **EXO, open_lists=["group"])
    reader = event.entries.get(number=1)
    make.next_round(event, by)
    event = Event.objects.get(pk=event.pk)
    assert len(sight_of(Actor(entry=reader), event).entries) == 2
    event.rounds.update(state="draft")
    assert sight_of(Actor(entry=reader), event).entries == {reader.pk}
