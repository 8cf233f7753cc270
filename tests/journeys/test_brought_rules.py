"""An organiser brings rules: a format of the house, card lists, a published catalogue."""

import pytest
from playwright.sync_api import expect

from decks.models import Catalogue
from decks.own_formats.services import FormatInput, create_custom_format
from tests import factories as make
from tests.decks.cards.published_files import as_json, magic
from tests.journeys.browser import PHONE
from tests.journeys.steps import follow, made, sign_up
from tests.tournaments.own_formats.games import PAUPER
from tournaments.core.permissions import Actor
from tournaments.decklists.services import submit_decklist
from tournaments.players.services.entries import make_link

LISTS = "list,card,expansion,with\nbanned,Brace,,\nexcluded_together,Uno,,Due\n"
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def organiser(live_server, open_page):
    """Return the organiser's window, signed in."""
    page = open_page()
    sign_up(page, "Marta", "marta@example.org")
    return page


@pytest.mark.deep
def test_a_format_of_the_house_with_its_own_lists(organiser):
    page = organiser
    page.goto("/formats/creatures-of-exo/")
    follow(page.get_by_role("link", name="Copy"))
    page.get_by_label("Name", exact=True).fill("Lega veloce")
    sizes = page.get_by_role("group", name="Main deck", exact=True)
    sizes.get_by_label("At least").fill("20")
    sizes.get_by_label("At most").fill("20")
    page.get_by_label("Copies of each card").fill("")
    follow(page.get_by_role("button", name="Save"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Lega veloce")
    rules = page.get_by_role("region", name="Rules")
    expect(rules).to_contain_text("Main deck: exactly 20.")
    expect(rules).to_contain_text("Copies of each card: no limit.")

    follow(page.get_by_role("link", name="Import banned and limited lists"))
    page.locator("#id_file").set_input_files(
        {"name": "lists.csv", "mimeType": "text/csv", "buffer": LISTS.encode()}
    )
    page.get_by_label("Date").fill("2026-12-24")
    follow(page.get_by_role("button", name="Preview"))
    expect(page.get_by_text("Banned cards · Added (1)")).to_be_visible()
    follow(page.get_by_role("button", name="Save"))
    expect(page.locator("#messages")).to_contain_text("Saved.")

    page.goto("/events/new/?game=Creatures of Exo")
    follow(page.locator(".format-chips").get_by_role("link", name="Lega veloce"))
    page.get_by_label("Name", exact=True).fill("Serata veloce")
    page.get_by_label("Date and time").fill("2027-05-08T10:00")
    slug = made(page)
    follow(page.get_by_role("button", name="Open registration"))
    page.goto(f"/events/{slug}/")
    expect(page.get_by_role("link", name="Creatures of Exo · Lega veloce")).to_be_visible()
    follow(page.get_by_role("link", name="Rules", exact=True))
    follow(page.get_by_role("link", name="Card lists 24 December 2026"))
    expect(page.get_by_text("Uno + Due")).to_be_visible()


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
    house = create_custom_format(FormatInput(**PAUPER), by=organiser)
    page = open_as(organiser, f"/formats/{house.slug}/")
    page.goto("/cards/")
    follow(page.get_by_role("link", name="Magic", exact=True))
    follow(page.get_by_role("link", name="Load cards"))
    file = {"name": "oracle-cards.json", "mimeType": "application/json", "buffer": as_json(FILE)}
    page.locator("input[type=file]").set_input_files(file)
    follow(page.get_by_role("button", name="Preview"))
    expect(page.get_by_text("Scryfall: Added: 303, changed: 0")).to_be_visible()
    follow(page.get_by_role("button", name="Save"))
    assert Catalogue.objects.get().cards.count() == 303

    page.goto(f"/formats/{house.slug}/rules/")
    page.locator("summary", has_text="Card lists").click()
    page.get_by_label("Legal in").fill("pauper")
    follow(page.get_by_role("button", name="Save"))
    expect(page.get_by_text("Legal in: pauper")).to_be_visible()

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
