"""Events with rules that organisers bring: house formats, and lists newer than the start."""

from datetime import date
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from decks.card_lists.services import load_lists
from decks.decklists.samples import sample_deck
from decks.house_formats.services import make_house_format
from decks.models import CardListVersion, HouseFormat
from decks.rulebook import DeckRules, rules_of
from rules.deckbuilding.deck import Violation
from rules.deckbuilding.text import parse
from rules.errors import BadInput, RuleError
from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.decklists import services as decklists
from tournaments.decklists.selectors.rules import rules_of_event
from tournaments.events.services import events
from tournaments.lots import services as draws
from tournaments.models import Event
from tournaments.starting import services as starting
from tournaments.starting.selectors import decklist_faults
from tournaments.verification.event import verify_event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

ORIGINAL = "doomtrooper-original"
REQUIRED = Event.Decklists.REQUIRED
DECK = "Leader\n1 Alfa {Leader}\nMain\n" + "".join(
    f"2 Carta {letter} {{Tattica}}\n" for letter in "abcdefghij"
)


@pytest.fixture
def house(by: Actor) -> HouseFormat:
    assert by.user is not None
    changes = {"zones": {"main": {"minimum": 20, "maximum": 20}}}
    return make_house_format(
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
    answer = client.get(reverse(f"tournaments:{name}", args=[event.slug]) + whole)
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


def test_a_whole_event_with_a_house_format(by: Actor, house: HouseFormat) -> None:
    event = make.open_event(
        by, format=house.slug, formula="groups-knockout", decklists=REQUIRED, venue="Sala"
    )
    make.players(event, 6, by)
    assert "Creatures of Exo · Lega veloce" in text_of("event", event)
    assert "number of cards: exactly 20" in text_of("rules", event)
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
    for name in ("event", "formula", "players", "pairings", "standings", "ranking"):
        page(name, event)
    for name in ("manage", "manage-players", "manage-settings", "desk"):
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
    with pytest.raises(BadInput) as refused:
        events.change_event(event=theirs, changes={"format": house.slug}, by=other)
    assert refused.value.code == "foreign_format"


def test_the_forms_offer_ones_own_house_formats(by: Actor, house: HouseFormat) -> None:
    client = Client()
    assert by.user is not None
    client.force_login(by.user)
    offered = f'<option value="{house.slug}"'
    new = client.get("/events/new/")
    assert offered in new.content.decode()
    stranger = Client()
    stranger.force_login(make.user())
    assert offered not in stranger.get("/events/new/").content.decode()
    event = make.event(by, format=house.slug)
    settings = text_of("manage-settings", event, by)
    assert f"{offered} selected>" in settings


def test_lists_after_the_start_count_for_the_next_event(by: Actor) -> None:
    event = make.open_event(by, decklists=REQUIRED)
    make.players(event, 4, by)
    make.with_decks(event, by)
    event = running(event, by)
    assert (event.card_lists, event.lists_dated) == (None, date(2026, 11, 21))
    card = event.entries.get(number=1).submission.decklist.deck["zones"]["deck"][0]["name"]
    text = event.entries.get(number=1).submission.decklist.raw
    newer = lists(card, 1)
    assert "card.banned" in {v.code for v in found(rules_of(ORIGINAL), text)}
    assert "card.banned" not in {v.code for v in found(rules_of_event(event), text)}
    mended = decklists.submit_decklist(
        entry=event.entries.get(number=1), text=text, reason="letto dal foglio", by=by
    )
    assert mended.decklist.legal
    shown = text_of("rules", event)
    assert reverse("decks:lists_version", args=[ORIGINAL, "2026-11-21"]) in shown
    assert "21 November 2026" in shown
    assert event_sheet(event)["Card lists"] == "Card lists of 21 November 2026"

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
    assert rules_of_event(following).lists_dated == newer.dated
    assert event_sheet(following)["Card lists"] == "Card lists of 1 January 2027"


def found(rules: DeckRules, text: str) -> tuple[Violation, ...]:
    return rules.format.validate(parse(text, rules.format))


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
    with pytest.raises(RuleError) as refused:
        starting.start_event(event=event, draw_number=draw.number, by=by)
    assert refused.value.code == "decklists_not_ready"
    starting.start_event(event=event, draw_number=draw.number, override="lo sanno", by=by)
    event.refresh_from_db()
    assert event.card_lists == newer
    assert [f for f in verify_event(event) if f.check == "deck_legality"] == []


def test_an_organisers_lists_do_not_reach_other_events(by: Actor) -> None:
    mine, other = make.open_event(by), make.open_event(make.organiser())
    newer = lists("Brace", 1, by=by)
    assert rules_of_event(mine).card_lists == newer
    assert rules_of_event(other).card_lists is None


def test_a_card_list_that_an_event_is_pinned_to_stays(by: Actor) -> None:
    newer = lists("Brace", 1)
    event = make.started(by, 3)
    assert event.card_lists == newer
    assert rules_of_event(event).lists_dated == newer.dated
