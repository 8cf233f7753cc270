"""By which cards, lists and house formats an event checks decks, before and after its start."""

import json
from datetime import date
from io import BytesIO, StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils.translation import override
from openpyxl import load_workbook

from decks.card_lists.services import load_lists
from decks.cards.files import read_cards
from decks.cards.services import delete_own_cards, load_cards
from decks.decklists.samples import sample_deck
from decks.house_formats.services import create_house_format
from decks.models import Card, CardListVersion, Catalogue, HouseFormat
from decks.rulebook import DeckRules, current_rules
from rules.deckbuilding.deck import Violation
from rules.deckbuilding.text import parse_decklist
from rules.errors import BadInput
from tests import factories as make
from tests.browsers import signed_in, url
from tests.decks.cards.files import WOLVES, loaded
from tournaments.archive.reader import restore_archive
from tournaments.archive.writer import event_archive
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.decklists import services as decklists
from tournaments.decklists.selectors.rules import event_card_catalogue, event_deck_rules
from tournaments.events import services as events
from tournaments.events.forms.event import (
    NONE,
    SITE,
    USUAL,
    EventForm,
    event_settings,
    settings_form_initial,
)
from tournaments.events.services import delete_event_rows
from tournaments.lots import services as draws
from tournaments.models import Event
from tournaments.starting import services as starting
from tournaments.starting.selectors import decklist_faults
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event
from tournaments.verification.records import check_decks

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


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
    load_cards(game=GAME, cards=cards, remove_missing=True, owner=owner)  # type: ignore[arg-type]


def page_of(event: Event, by: Actor) -> str:
    """Return the page on which the staff writes a player's list."""
    client = signed_in(by)
    return client.get(url("manage-player-decklist", event, 1)).content.decode()


def knows(event: Event) -> list[str]:
    """Return which of the two cards of the list an event knows."""
    cards = event_card_catalogue(Event.objects.get(pk=event.pk))
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


@pytest.mark.deep
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
    assert "Decklists are checked against the cards loaded " in page
    assert "Later events will use the newer card catalogue." in page
    assert f"catalogue={Catalogue.objects.get().pk}&amp;version=1" in page


@pytest.mark.deep
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
    assert event_deck_rules(event).catalogue is None
    assert "Checked against" not in page_of(event, by)


def test_cards_of_ones_own_that_come_or_go_later_change_nothing(event: Event, by: Actor) -> None:
    assert by.user is not None
    first = start(event, by)
    replaced("Drago", by.user)
    second = make.open_event(by, **EXO)
    make.players(second, 4, by)
    second = start(second, by)
    delete_own_cards(game=GAME, owner=by.user)
    third = make.open_event(by, **EXO)
    assert [knows(one) for one in (first, second, third)] == [
        *(["lupo di selce"], ["drago"], ["lupo di selce"])
    ]


@pytest.mark.deep
def test_an_event_that_came_back_says_that_its_cards_are_not_known(event: Event, by: Actor) -> None:
    event = start(event, by)
    document = json.loads(event_archive(event))
    assert "catalogue_version" not in document["tables"]["events"][0]
    replaced("Drago")
    again = restore_archive(json.dumps(document).encode(), slug="di-nuovo", caller=by.user)
    assert knows(again) == ["drago"]
    page = page_of(again, by)
    assert "Decklists are checked against today’s cards" in page


def test_tidy_leaves_what_events_began_with(event: Event, by: Actor) -> None:
    event = start(event, by)
    replaced("Drago")
    call_command("tidy", stdout=(said := StringIO()))
    assert (said.getvalue(), knows(event)) == ("", ["lupo di selce"])
    delete_event_rows(event)
    with override("en"):
        call_command("tidy", stdout=said)
    assert said.getvalue() == "Old cards deleted: 3.\n"
    assert [card.name for card in Card.objects.all()] == ["Drago"]


def test_the_cards_of_the_start_cost_one_query(
    event: Event, by: Actor, django_assert_num_queries
) -> None:  # type: ignore[no-untyped-def]
    event = start(event, by)
    replaced("Drago")
    assert event_deck_rules(event).catalogue is not current_rules(GAME).catalogue
    with django_assert_num_queries(1):
        event_deck_rules(event)


def known(event: Event) -> int | None:
    """Return the catalogue by which an event checks its lists."""
    catalogue = event_deck_rules(Event.objects.get(pk=event.pk)).catalogue
    return None if catalogue is None else catalogue.pk  # type: ignore[attr-defined]


def choose(client: Client, event: Event, choice: str):  # type: ignore[no-untyped-def]
    form = EventForm(
        owner_id=event.created_by_id, initial=settings_form_initial(event_settings(event))
    )
    shown = {bound.name: bound.value() for bound in form}
    sent = {
        name: value for name, value in shown.items() if value is not None and value is not False
    }
    address = url("manage-settings", event)
    return client.post(address, sent | {"cards": choice}, headers={"accept-language": "en"})


def test_the_creators_cards_go_before_the_sites(by: Actor) -> None:
    event = make.event(by, **EXO)
    assert known(event) is None
    site = loaded("creatures-of-exo")
    loaded("thoom")
    loaded("creatures-of-exo", "nome\nAltri\n", make.user())
    assert known(event) == site.pk
    own = loaded("creatures-of-exo", "nome\nDrago\n", by.user)
    assert known(event) == own.pk


def test_the_organiser_chooses_the_sites_cards_or_none(by: Actor) -> None:
    event = make.event(by, **EXO)
    site = loaded("creatures-of-exo")
    own = loaded("creatures-of-exo", "nome\nDrago\n", by.user)
    client = Client()
    client.force_login(by.user)
    for choice, expected in ((SITE, site.pk), (NONE, None), (USUAL, own.pk)):
        assert choose(client, event, choice).status_code == 302
        assert known(event) == expected
        event.refresh_from_db()
        assert settings_form_initial(event_settings(event))["cards"] == choice


def test_a_choice_is_offered_only_where_there_are_cards(by: Actor) -> None:
    owner = by.user.pk if by.user else None
    loaded("thoom", "nome\nAltri\n", make.user())
    assert "cards" not in EventForm(owner_id=owner).fields
    loaded("thoom", "nome\nMie\n", by.user)
    assert "cards" in EventForm(owner_id=owner).fields


def test_cards_of_the_site_must_be_there(by: Actor) -> None:
    event = make.event(by, **EXO)
    loaded("thoom")
    client = Client()
    client.force_login(by.user)
    page = choose(client, event, SITE)
    assert page.status_code == 400
    assert "Choose one of the options." in page.content.decode()


def test_the_choice_of_cards_is_fixed_at_the_start(by: Actor) -> None:
    event = make.started(by, 4, **EXO)
    with pytest.raises(Exception, match="start"):
        events.change_event(event=event, changes={"without_catalogue": True}, by=by)


def test_the_cards_cost_one_query(by: Actor, django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    event = make.event(by, **EXO)
    loaded("creatures-of-exo")
    event_deck_rules(event)
    with django_assert_num_queries(2):
        event_deck_rules(event)
    event.without_catalogue = True
    with django_assert_num_queries(2):
        event_deck_rules(event)


def test_cards_that_come_later_are_no_difference_to_be_found(by: Actor) -> None:
    event = make.open_event(by, **EXO)
    ada, *_others = make.players(event, 4, by)
    decklists.submit_decklist(entry=ada, text=sample_deck(event.format, 5), by=by)
    decklists.submit_decklist(entry=ada, text="Regina dei Lupi", by=by)
    loaded("creatures-of-exo")
    facts = load_facts(event)
    assert list(check_decks(facts)) == []


ORIGINAL = "doomtrooper-original"
REQUIRED = Event.Decklists.REQUIRED
DECK = "Leader\n1 Alfa {Leader}\nMain\n" + "".join(
    f"2 Carta {letter} {{Tattica}}\n" for letter in "abcdefghij"
)


@pytest.fixture
def house(by: Actor) -> HouseFormat:
    assert by.user is not None
    changes = {"zones": {"main": {"minimum": 20, "maximum": 20}}}
    return create_house_format(
        base="creatures-of-exo", name="Lega veloce", changes=changes, by=by.user
    )


def lists(card: str, day: int, *, by: Actor | None = None, slug: str = ORIGINAL) -> CardListVersion:
    rows = [{"list": "banned", "card": card}]
    owner = by.user if by else None
    dated = date(2027, 1, day)
    return load_lists(slug=slug, rows=rows, dated=dated, for_site=by is None, by=owner).version


def page(name: str, event: Event, by: Actor | None = None) -> Any:
    client = Client(headers={"accept-language": "en"})
    if by is not None and by.user is not None:
        client.force_login(by.user)
    whole = "?whole=1" if name == "workbook" else ""
    answer = client.get(url(f"{name}", event) + whole)
    assert answer.status_code == 200, name
    return answer


def text_of(name: str, event: Event, by: Actor | None = None) -> str:
    return str(page(name, event, by).content.decode())


def event_sheet(event: Event) -> dict[str, str]:
    book = load_workbook(BytesIO(page("workbook", event).content))
    return {str(row[0]): str(row[1]) for row in book["Event"].iter_rows(values_only=True)}


def running(event: Event, by: Actor) -> Event:
    draw = draws.draw_start_order(event=event, seed="seed", by=by)
    starting.start_event(event=event, draw_number=draw.number, by=by)
    return Event.objects.get(pk=event.pk)


@pytest.mark.deep
def test_a_whole_event_with_a_house_format(by: Actor, house: HouseFormat) -> None:
    event = make.open_event(
        by, format=house.slug, formula="groups-knockout", decklists=REQUIRED, venue="Sala"
    )
    make.players(event, 6, by)
    assert "Creatures of Exo · Lega veloce" in text_of("event", event)
    assert "Lega veloce" in str(Client().get("/").content.decode())
    for entry in event.entries.all():
        given = decklists.submit_decklist(entry=entry, text=DECK, by=by)
        assert given.decklist.legal
    assert not decklists.submit_decklist(
        entry=event.entries.get(number=1), text=sample_deck("creatures-of-exo", 1), by=by
    ).decklist.legal
    assert [fault.entry.number for fault in decklist_faults(event)] == [1]
    decklists.submit_decklist(entry=event.entries.get(number=1), text=DECK, by=by)
    event = running(event, by)
    house.refresh_from_db()
    assert house.locked_at is not None
    assert (event.card_lists, event.lists_dated) == (None, None)
    for name in ("event", "formula", "players", "pairings", "standings"):
        page(name, event)
    for name in ("manage-players", "manage-settings", "desk"):
        page(name, event, by)
    make.play_event(event, by)
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    sheet = event_sheet(event)
    assert sheet["Format"] == "Creatures of Exo · Lega veloce"
    assert list(verify_event(event)) == []


def test_house_formats_of_others_are_not_for_my_events(by: Actor, house: HouseFormat) -> None:
    other = make.organiser()
    for slug in (house.slug, "creatures-of-exo_nobody"):
        with pytest.raises(BadInput):
            make.event(other, format=slug)
    mine = make.event(by, format="creatures-of-exo")
    events.change_event(event=mine, changes={"format": house.slug}, by=by)
    theirs = make.event(other)
    refused = make.refusal(
        events.change_event, event=theirs, changes={"format": house.slug}, by=other
    )
    assert refused == "foreign_format"


def test_the_forms_offer_ones_own_house_formats(by: Actor, house: HouseFormat) -> None:
    client = Client()
    assert by.user is not None
    client.force_login(by.user)
    offered = f'<option value="{house.slug}"'
    new = f"/events/new/?format={house.base}"
    chip = f'href="?format={house.slug}"'
    assert chip in client.get(new).content.decode()
    stranger = Client()
    stranger.force_login(make.user())
    assert chip not in stranger.get(new).content.decode()
    event = make.event(by, format=house.slug)
    settings = text_of("manage-settings", event, by)
    assert f"{offered} selected>" in settings


@pytest.mark.deep
def test_lists_after_the_start_count_for_the_next_event(by: Actor) -> None:
    event = make.open_event(by, decklists=REQUIRED)
    make.players(event, 4, by)
    make.with_decks(event, by)
    event = running(event, by)
    assert (event.card_lists, event.lists_dated) == (None, date(2026, 11, 21))
    card = event.entries.get(number=1).submission.decklist.deck["zones"]["deck"][0]["name"]
    text = event.entries.get(number=1).submission.decklist.raw
    newer = lists(card, 1)
    assert "card.banned" in {v.code for v in found(current_rules(ORIGINAL), text)}
    assert "card.banned" not in {v.code for v in found(event_deck_rules(event), text)}
    mended = decklists.submit_decklist(
        entry=event.entries.get(number=1), text=text, reason="letto dal foglio", by=by
    )
    assert mended.decklist.legal
    shown = text_of("rules", event)
    assert reverse("decks:lists_version", args=[ORIGINAL, "2026-11-21"]) in shown
    assert "21 November 2026" in shown
    assert event_sheet(event)["Card lists"] == "21 November 2026"

    following = make.open_event(by, decklists=REQUIRED)
    make.players(following, 4, by)
    assert not decklists.submit_decklist(
        entry=following.entries.get(number=1), text=text, by=by
    ).decklist.legal
    assert reverse("decks:lists_version", args=[ORIGINAL, newer.pk]) in text_of("rules", following)
    assert "1 January 2027" in text_of("rules", following)
    following = started_without(following, by)
    assert following.card_lists == newer
    lists("Altro", 9)
    assert event_deck_rules(following).lists_dated == newer.dated
    assert event_sheet(following)["Card lists"] == "1 January 2027"


def found(rules: DeckRules, text: str) -> tuple[Violation, ...]:
    return rules.format.validate(parse_decklist(text, rules.format))


def started_without(event: Event, by: Actor) -> Event:
    """Start though lists are missing."""
    draw = draws.draw_start_order(event=event, seed="seed", by=by)
    starting.start_event(event=event, draw_number=draw.number, override="senza liste", by=by)
    return Event.objects.get(pk=event.pk)


def test_lists_before_the_start_count_for_lists_handed_in(by: Actor) -> None:
    event = make.open_event(by, decklists=REQUIRED)
    make.players(event, 3, by)
    make.with_decks(event, by)
    assert decklist_faults(event) == []
    card = event.entries.get(number=2).submission.decklist.deck["zones"]["deck"][0]["name"]
    newer = lists(card, 1, by=by)
    numbers = [fault.entry.number for fault in decklist_faults(event)]
    assert 2 in numbers
    draw = draws.draw_start_order(event=event, seed="seed", by=by)
    refused = make.refusal(starting.start_event, event=event, draw_number=draw.number, by=by)
    assert refused == "decklists_not_ready"
    starting.start_event(event=event, draw_number=draw.number, override="lo sanno", by=by)
    event.refresh_from_db()
    assert event.card_lists == newer
    assert [f for f in verify_event(event) if f.check == "deck_legality"] == []


def test_an_organisers_lists_do_not_reach_other_events(by: Actor) -> None:
    mine, other = make.open_event(by), make.open_event(make.organiser())
    newer = lists("Brace", 1, by=by)
    assert event_deck_rules(mine).card_lists == newer
    assert event_deck_rules(other).card_lists is None


def test_a_card_list_that_an_event_is_pinned_to_stays(by: Actor) -> None:
    newer = lists("Brace", 1)
    event = make.started(by, 3)
    assert event.card_lists == newer
    assert event_deck_rules(event).lists_dated == newer.dated
