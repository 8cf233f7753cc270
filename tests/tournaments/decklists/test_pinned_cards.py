"""An event keeps the cards with which it began, whatever is loaded while it runs or later."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from decks.cards.files import read_cards
from decks.cards.services import drop_cards, load_cards
from decks.models import Card, Catalogue
from decks.rulebook import rules_of
from tests import factories as make
from tests.decks.cards.files import WOLVES, loaded
from tournaments.archive.reader import restore
from tournaments.archive.writer import archive
from tournaments.core.permissions import Actor
from tournaments.decklists import services as decklists
from tournaments.decklists.selectors.rules import cards_of_event, rules_of_event
from tournaments.events.services.events import remove_event
from tournaments.lots import services as draws
from tournaments.models import Event
from tournaments.starting import services as starting
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db

GAME = "creatures-of-exo"
EXO = {"format": GAME, "decklists": Event.Decklists.OPTIONAL}
TEXT = "1 Lupo di Selce\n1 Drago"


def start(event: Event, by: Actor) -> Event:
    draw = draws.draw_start_order(event=event, seed="x", by=by)
    starting.start_event(event=event, draw_number=draw.number, override="prova", by=by)
    return Event.objects.get(pk=event.pk)


def replaced(names: str, owner: object = None) -> None:
    """Load the whole catalogue anew."""
    cards = read_cards(f"nome\n{names}\n".encode()).cards
    load_cards(game=GAME, cards=cards, whole=True, owner=owner)  # type: ignore[arg-type]


def page_of(event: Event, by: Actor) -> str:
    """Return the page on which the staff writes a player's list."""
    client = Client(headers={"accept-language": "en"})
    assert by.user is not None
    client.force_login(by.user)
    return client.get(
        reverse("tournaments:manage-player-decklist", args=[event.slug, 1])
    ).content.decode()


def knows(event: Event) -> list[str]:
    """Return which of the two cards of the list an event knows."""
    cards = cards_of_event(Event.objects.get(pk=event.pk))
    return [key for key in ("lupo di selce", "drago") if cards and cards.get(key)]


def unknown(event: Event, by: Actor) -> list[str]:
    """Return the unknown cards of the list, handed in now."""
    entry = event.entries.get(number=1)
    handed = decklists.submit_decklist(entry=entry, text=TEXT, reason="letta", by=by)
    rows = handed.decklist.violations
    return [row["card"] for row in rows if row["code"] == "card.unknown"]


@pytest.fixture
def event(by: Actor) -> Event:
    """Return an event with four players that has not started; the site knows the wolves."""
    loaded(GAME, WOLVES)
    found = make.open_event(by, **EXO)
    make.players(found, 4, by)
    return found


def test_cards_that_are_loaded_after_the_start_change_nothing(event: Event, by: Actor) -> None:
    assert unknown(event, by) == ["Drago"]
    event = start(event, by)
    assert "Newer ones are loaded" not in page_of(event, by)
    replaced("Drago")
    following = make.open_event(by, **EXO)
    assert (knows(event), knows(following)) == (["lupo di selce"], ["drago"])
    assert unknown(event, by) == ["Drago"]
    assert list(verify_event(event)) == []
    page = page_of(event, by)
    assert "Checked by the cards with which the event began, loaded on " in page
    assert "Newer ones are loaded: they hold for events that start from now on." in page
    assert f"catalogue={Catalogue.objects.get().pk}&amp;version=1" in page


def test_before_the_start_the_newest_cards_hold_also_once_it_is_taken_back(
    event: Event, by: Actor
) -> None:
    event = start(event, by)
    replaced("Drago")
    undo(event=event, expected=event.version, by=by)
    assert knows(event) == ["drago"]
    event.refresh_from_db()
    redo(event=event, expected=event.version, by=by)
    assert knows(event) == ["lupo di selce"]
    event.refresh_from_db()
    undo(event=event, expected=event.version, by=by)
    event.refresh_from_db()
    again = start(event, by)
    replaced("Altro")
    assert knows(again) == ["drago"]
    assert list(verify_event(again)) == []


def test_an_event_that_began_without_cards_goes_on_without(by: Actor) -> None:
    event = make.open_event(by, **EXO)
    make.players(event, 4, by)
    event = start(event, by)
    loaded(GAME, WOLVES)
    loaded(GAME, WOLVES, by.user)
    assert rules_of_event(event).catalogue is None
    assert "Checked by" not in page_of(event, by)


def test_cards_of_ones_own_that_come_or_go_later_change_nothing(event: Event, by: Actor) -> None:
    assert by.user is not None
    first = start(event, by)
    replaced("Drago", by.user)
    second = make.open_event(by, **EXO)
    make.players(second, 4, by)
    second = start(second, by)
    drop_cards(game=GAME, owner=by.user)
    third = make.open_event(by, **EXO)
    assert [knows(one) for one in (first, second, third)] == [
        *(["lupo di selce"], ["drago"], ["lupo di selce"])
    ]


def test_an_event_that_came_back_says_that_its_cards_are_not_known(event: Event, by: Actor) -> None:
    event = start(event, by)
    document = json.loads(archive(event))
    assert "catalogue_version" not in document["tables"]["events"][0]
    replaced("Drago")
    again = restore(json.dumps(document).encode(), slug="di-nuovo", caller=by.user)
    assert knows(again) == ["drago"]
    page = page_of(again, by)
    assert "Checked by the cards that are loaded today: it is not known here" in page


def test_tidy_leaves_what_events_began_with(event: Event, by: Actor) -> None:
    event = start(event, by)
    replaced("Drago")
    call_command("tidy", stdout=(said := StringIO()))
    assert (said.getvalue(), knows(event)) == ("", ["lupo di selce"])
    remove_event(event)
    with override("en"):
        call_command("tidy", stdout=said)
    assert said.getvalue() == "Former cards deleted: 3.\n"
    assert [card.name for card in Card.objects.all()] == ["Drago"]


def test_the_cards_of_the_start_cost_one_query(
    event: Event, by: Actor, django_assert_num_queries
) -> None:  # type: ignore[no-untyped-def]
    event = start(event, by)
    replaced("Drago")
    assert rules_of_event(event).catalogue is not rules_of(GAME).catalogue
    with django_assert_num_queries(1):
        rules_of_event(event)
