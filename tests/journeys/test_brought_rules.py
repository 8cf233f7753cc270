"""An organiser brings rules: a format of the house, and newer card lists for it."""

import pytest
from playwright.sync_api import expect

from tests.journeys.steps import follow, open_choices, sign_up

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
    follow(page.get_by_role("link", name="Copy this format"))
    page.get_by_label("Name", exact=True).fill("Lega veloce")
    sizes = page.get_by_role("group", name="Main deck", exact=True)
    sizes.get_by_label("At least").fill("20")
    sizes.get_by_label("At most").fill("20")
    page.get_by_label("Copies of one card").fill("")
    follow(page.get_by_role("button", name="Save the format"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Lega veloce")
    rules = page.get_by_role("region", name="Rules of the deck")
    expect(rules).to_contain_text("Main deck, number of cards: exactly 20.")
    expect(rules).to_contain_text("Copies of one card: no limit.")

    follow(page.get_by_role("link", name="Load newer lists"))
    page.get_by_label("File (CSV or XLSX)").set_input_files(
        {"name": "lists.csv", "mimeType": "text/csv", "buffer": LISTS.encode()}
    )
    page.get_by_label("Date of the lists").fill("2026-12-24")
    follow(page.get_by_role("button", name="Look at the file"))
    expect(page.get_by_text("Banned cards: added (1)")).to_be_visible()
    follow(page.get_by_role("button", name="Save the lists"))
    expect(page.locator("#messages")).to_contain_text("The lists are stored.")

    page.goto("/events/new/?template=creatures-of-exo")
    page.get_by_label("Name", exact=True).fill("Serata veloce")
    page.get_by_label("Date and time").fill("2027-05-08T10:00")
    open_choices(page, "play")
    page.get_by_label("Deck format").select_option("Creatures of Exo – Lega veloce")
    follow(page.get_by_role("button", name="Make the event"))
    slug = page.url.split("/")[-3]
    follow(page.get_by_role("button", name="Open registration"))
    page.goto(f"/events/{slug}/")
    expect(page.get_by_role("link", name="Creatures of Exo · Lega veloce")).to_be_visible()
    follow(page.get_by_role("link", name="Rules", exact=True))
    follow(page.get_by_role("link", name="Card lists of 24 December 2026"))
    expect(page.get_by_text("Uno + Due")).to_be_visible()
