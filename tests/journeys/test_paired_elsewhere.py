"""A Pokémon cup of eight that TOM pairs: rounds are pasted, results typed at the desk."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import DESK
from tests.journeys.counting import COUNT, counted
from tests.journeys.steps import all_sent, follow, typed_game
from tournaments.core.permissions import Actor
from tournaments.models import Contact, Event
from tournaments.verification.event import verify_event

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
NAMES = (
    *("Anna Alberti", "Bruno Bassi", "Carla Conti", "Dario Dossi"),
    *("Elena Este", "Franco Fermi", "Gina Gallo", "Hugo Haas"),
)
ROUNDS = (((1, 2), (3, 4), (5, 6), (7, 8)), ((1, 3), (5, 7), (2, 4), (6, 8)))
LAST = ((1, 5), (3, 7), (2, 6), (4, 8))


def made(page: Page, by: Actor) -> Event:
    """Make a cup of Pokémon that TOM pairs, without a top cut, and enter eight players."""
    page.goto("/")
    follow(page.get_by_role("link", name="New event"))
    typed_game(page, "Pokémon")
    follow(page.locator(".format-chips").get_by_role("link", name="Standard"))
    sanctioned = page.get_by_label("Sanctioned event?")
    sanctioned.select_option("True")
    page.get_by_label("Name", exact=True).fill("Coppa di lega")
    page.get_by_label("Date and time").fill("2027-05-08T10:00")
    page.locator("[name=option_swiss-cut_cut][value='0']").check()
    page.locator("[name=decklists]").select_option("off")
    follow(page.get_by_role("button", name="Create the event"))
    follow(page.get_by_role("button", name="Open registration"))
    event = Event.objects.get()
    make.players_more(event, NAMES, by)
    Contact.objects.create(entry=event.entries.get(number=1), memberships={"play-id": "4517283"})
    return event


def printed(tables: tuple[tuple[int, int], ...]) -> str:
    """Return a round as TOM prints it by table, names in capitals."""
    rows = (
        f"{at}\t{NAMES[a - 1].upper()} (0/0/0 (0))\tvs.\t{NAMES[b - 1].upper()} (0/0/0 (0))"
        for at, (a, b) in enumerate(tables, start=1)
    )
    return "\n".join(("Coppa – Pairings", "Table\tPlayer\t\tOpponent", *rows))


def fits(page: Page) -> None:
    """See that nothing goes sideways on a phone, a tablet and a laptop."""
    wide = page.viewport_size
    for width in (390, 768, 1366):
        page.set_viewport_size({"width": width, "height": 768})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url
    if wide:
        page.set_viewport_size(wide)


def paste(page: Page, text: str) -> None:
    page.get_by_label("Pairings", exact=True).fill(text)
    follow(page.get_by_role("button", name="Preview"))


def publish(page: Page, number: int) -> None:
    follow(page.get_by_role("button", name=f"Publish round {number}"))
    expect(page).to_have_url(re.compile("/desk/$"))


def type_results(page: Page, event: Event, number: int) -> None:
    """Type at the desk's line that the first player of each table has won."""
    item = event.rounds.get(ordinal=number)
    page.locator("#quick-table").focus()
    for match in item.matches.order_by("table"):
        for part in (str(match.table), "2 0"):
            page.keyboard.type(part)
            page.keyboard.press("Enter")
        expect(page.locator(f"#row-{match.pk}")).to_have_attribute("data-final", "")
    all_sent(page)
    page.reload()


def test_a_pokemon_cup_of_eight_is_paired_in_tom_and_played_here(open_as, by, axe, watch) -> None:
    watch.allow += ["400 (Bad Request)"]  # a list with a fault
    page = open_as(by.user, settings=DESK)
    page.context.add_init_script(COUNT)
    event = made(page, by)
    page.goto(f"/events/{event.slug}/manage/start/")
    follow(page.get_by_role("button", name="Start the event"))
    expect(page.get_by_role("heading", name="Pairings: round 1")).to_be_visible()
    axe(page)
    # the list of the first round has a name that nobody has: one click mends it
    paste(page, printed(ROUNDS[0]).replace("HUGO HAAS", "HUGO HAASE"))
    expect(page.locator(".faults")).to_contain_text("Line 6: No player is called HUGO HAASE.")
    axe(page)
    fits(page)
    follow(page.get_by_role("button", name="Use Hugo Haas"))
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    publish(page, 1)
    type_results(page, event, 1)

    # the results as TOM asks for them, ticked off on this device
    follow(page.get_by_role("link", name="TOM · Round 1"))
    rows = page.locator("#typed tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.nth(0)).to_contain_text("4517283")
    expect(rows.nth(0)).to_contain_text("Win: Anna Alberti")
    rows.nth(0).get_by_role("checkbox").check()
    axe(page)
    fits(page)
    page.emulate_media(media="print")
    expect(page.get_by_role("link", name="To the desk")).to_be_hidden()
    page.emulate_media(media="screen")
    page.reload()
    expect(rows.nth(0).get_by_role("checkbox")).to_be_checked()
    expect(rows.nth(1).get_by_role("checkbox")).not_to_be_checked()

    # the second round: three clicks from the desk until it is out
    page.goto(f"/events/{event.slug}/desk/")
    before = counted(page)
    follow(page.get_by_role("link", name="Paste the pairings of round 2"))
    paste(page, printed(ROUNDS[1]))
    publish(page, 2)
    assert counted(page) - before == 3
    type_results(page, event, 2)

    follow(page.get_by_role("link", name="Paste the pairings of round 3"))
    paste(page, printed(LAST))
    publish(page, 3)
    type_results(page, event, 3)
    follow(page.get_by_role("button", name="Finish the event"))
    page.goto(f"/events/{event.slug}/standings/")
    expect(page.locator("main")).to_contain_text("Anna Alberti")
    event.refresh_from_db()
    assert event.state == Event.State.FINISHED
    played = [make.pairs_of(item.matches.order_by("table")) for item in event.rounds.all()]
    assert played == [[*each] for each in (*ROUNDS, LAST)]
    assert list(verify_event(event)) == []
