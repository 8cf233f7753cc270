"""A Pokémon cup of eight that TOM pairs: rounds are pasted, results typed at the desk."""

import re

import pytest
from playwright.sync_api import Page, expect

from decks.own_formats.services import OwnFormat, make_own_format
from rules.deckbuilding.data.files import ready_made
from rules.deckbuilding.data.json import rules_to_json
from tests import factories as make
from tests.journeys.counting import counted
from tests.journeys.steps import all_sent, follow, open_setting
from tournaments.models import Contact, Event
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db(transaction=True)
NAMES = (
    *("Anna Alberti", "Bruno Bassi", "Carla Conti", "Dario Dossi"),
    *("Elena Este", "Franco Fermi", "Gina Gallo", "Hugo Haas"),
)
ROUNDS = (((1, 2), (3, 4), (5, 6), (7, 8)), ((1, 3), (5, 7), (2, 4), (6, 8)))
LAST = ((1, 5), (3, 7), (2, 6), (4, 8))


@pytest.fixture
def event(by) -> Event:
    """Return a cup of Pokémon with eight players whose registration is open; two rounds planned."""
    found = next(one for one in ready_made() if one.key == "pokemon-standard")
    content = OwnFormat(
        game=found.game, name=found.name, lists="off", rules=rules_to_json(found.rules)
    )
    house = make_own_format(content, by=by.user)
    options = {"rounds": 2, "cut": 0}
    cup = make.open_event(
        by, formula="swiss-cut", format=house.slug, decklists="off", options=options
    )
    make.players_more(cup, NAMES, by)
    Contact.objects.create(entry=cup.entries.get(number=1), memberships={"play-id": "4517283"})
    return cup


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
    follow(page.get_by_role("button", name="Look them over"))


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


def test_a_pokemon_cup_of_eight_is_paired_in_tom_and_played_here(
    at_desk, event, axe, watch
) -> None:
    watch.allow += ["400 (Bad Request)"]  # a list with a fault
    page = at_desk(event, path="manage/settings/")
    open_setting(page, "others")
    expect(page.locator("#chip-others")).to_contain_text("Pair in TOM or EventLink")
    page.locator("[name=paired_elsewhere]").select_option("True")
    follow(page.get_by_role("button", name="Save the settings"))
    page.goto(f"/events/{event.slug}/manage/start/")
    follow(page.get_by_role("button", name="Start the event"))
    expect(page.get_by_role("heading", name="Pairings of round 1")).to_be_visible()
    axe(page)
    # the list of the first round has a name that nobody has: one click mends it
    paste(page, printed(ROUNDS[0]).replace("HUGO HAAS", "HUGO HAASE"))
    expect(page.locator(".faults")).to_contain_text("Line 6: Nobody here is called HUGO HAASE.")
    axe(page)
    fits(page)
    follow(page.get_by_role("button", name="Use Hugo Haas"))
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    publish(page, 1)
    type_results(page, event, 1)

    # the results as TOM asks for them, ticked off on this device
    follow(page.get_by_role("link", name="Round 1 for TOM"))
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

    # two rounds were planned, TOM goes on
    follow(page.get_by_role("link", name="Paste one more round"))
    expect(page.locator("main")).to_contain_text("All planned rounds are made. This adds one.")
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
