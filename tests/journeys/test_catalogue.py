"""An organiser loads a catalogue as it is published, and twenty lists are checked by it."""

import pytest
from playwright.sync_api import expect

from decks.models import Catalogue
from decks.own_formats.services import OwnFormat, make_own_format
from tests import factories as make
from tests.decks.cards.published_files import as_json, magic
from tests.journeys.browser import PHONE
from tests.journeys.steps import follow
from tests.tournaments.own_formats.games import PAUPER
from tournaments.core.permissions import Actor
from tournaments.decklists.services import submit_decklist
from tournaments.players.services.entries import make_link

pytestmark = pytest.mark.django_db(transaction=True)
PLAYERS = 20
ISLE = magic("Isola", "pauper modern", type_line="Basic Land — Island")
FIRE = magic("Fire // Ice", card_faces=[{"name": "Fire"}, {"name": "Ice"}])
FILE = [
    ISLE,
    FIRE,
    magic("Sol Ring", "vintage=restricted"),
    magic("Goblin", layout="token"),
    *(magic(f"Guardiano {at}") for at in range(300)),
]


@pytest.mark.deep
def test_a_catalogue_is_loaded_and_twenty_lists_are_checked_by_it(open_as, open_page):
    organiser = make.user()
    house = make_own_format(OwnFormat(**PAUPER), by=organiser)
    page = open_as(organiser, f"/formats/{house.slug}/")
    page.goto("/cards/")
    follow(page.get_by_role("link", name="Magic", exact=True))
    follow(page.get_by_role("link", name="Load cards"))
    file = {"name": "oracle-cards.json", "mimeType": "application/json", "buffer": as_json(FILE)}
    page.locator("input[type=file]").set_input_files(file)
    follow(page.get_by_role("button", name="Look at the file"))
    expect(page.get_by_text("Scryfall: 303 new")).to_be_visible()
    follow(page.get_by_role("button", name="Save"))
    assert Catalogue.objects.get().cards.count() == 303

    page.goto(f"/formats/{house.slug}/rules/")
    page.get_by_text("Lists and kinds").click()
    page.get_by_label("Legal in").fill("pauper")
    follow(page.get_by_role("button", name="Save as version 2"))
    expect(page.get_by_text("Only cards that are legal in pauper.")).to_be_visible()

    by = Actor(user=organiser)
    event = make.open_event(by, format=house.slug, decklists="required")
    entries = make.players(event, PLAYERS, by)
    for at, entry in enumerate(entries):
        odd = "1 Sol Ring" if at in (3, 7) else "1 Fire" if at else "1 Guardiamo 7"
        submit_decklist(entry=entry, text=f"Deck\n59 Isola\n{odd}", by=Actor(entry=entry))
    page.goto(f"/events/{event.slug}/manage/players/?filter=illegal")
    expect(page.locator("[id^=player-]")).to_have_count(2)
    page.goto(f"/events/{event.slug}/manage/players/{entries[3].number}/decklist/")
    expect(page.get_by_text("“Sol Ring” is not legal in pauper.").first).to_be_visible()

    player = open_page(PHONE)
    player.goto(f"/p/{make_link(entry=entries[0], by=by)}/")
    player.goto(f"/events/{event.slug}/me/deck/")
    expect(player.get_by_text("Guardiano 7").first).to_be_visible()
