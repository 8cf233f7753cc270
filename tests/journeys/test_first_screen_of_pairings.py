"""What the first screen of pairings and brackets shows: rows, one field, nothing that moves."""

import pytest
from playwright.sync_api import expect

from tests import factories as make
from tests.journeys.browser import DESK, PHONE
from tests.journeys.first_screens import moved, rows_in_sight
from tests.journeys.letters import SIDEWAYS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
LARGE_PHONE = {**PHONE, "viewport": {"width": 390, "height": 844}}
ROWS = "#by-table tbody tr"


def test_rows_of_33_players_and_one_found_by_typing(open_page, by):
    event = make.halfway(by, 33, rounds=1, formula="swiss-cut", options={"rounds": 6, "cut": 8})
    make.next_round(event, by)
    for settings, least in ((DESK, 16), (LARGE_PHONE, 12)):
        page = open_page(settings)
        page.goto(f"/events/{event.slug}/pairings/")
        assert rows_in_sight(page, ROWS) >= least
        assert not page.evaluate(SIDEWAYS)
        assert moved(page) <= 0.05
    desk = open_page(DESK)
    desk.goto(f"/events/{event.slug}/pairings/")
    name = event.entries.get(number=20).name
    desk.keyboard.type(f"/{name.lower()}")
    found = desk.locator(ROWS).filter(visible=True)
    expect(found.filter(has_text=name)).to_have_count(1)
    assert found.count() < 17
    desk.locator(".chooser a", has_text="1").click()
    expect(desk.locator(".chooser [aria-current]")).to_have_text("Round 1")


def test_groups_stand_beside_each_other_with_their_rounds_to_come(open_page, by):
    event = make.playing(by, 12)
    page = open_page(DESK)
    page.goto(f"/events/{event.slug}/pairings/")
    boxes = [each.bounding_box() for each in page.locator(".of-groups > div").all()]
    assert boxes[0]["y"] == boxes[1]["y"]
    assert rows_in_sight(page, ROWS) == 6
    assert page.locator(".to-come").count() == 3


@pytest.mark.parametrize("players", [8, 16])
def test_a_small_bracket_stands_whole_in_the_first_screen(open_page, by, players):
    event = make.playing(by, players, formula="single-elimination")
    page = open_page(DESK)
    page.goto(f"/events/{event.slug}/bracket/")
    for part in (".bk-whole", ".bk-third"):
        box = page.locator(part).bounding_box()
        assert box["y"] + box["height"] <= DESK["viewport"]["height"]
    assert moved(page) <= 0.05


def test_a_double_elimination_needs_no_scrolling_sideways(open_page, by):
    event = make.playing(by, 16, formula="double-elimination")
    page = open_page(DESK)
    page.goto(f"/events/{event.slug}/bracket/")
    for half in page.locator(".bk").all():
        assert half.evaluate("each => each.scrollWidth <= each.clientWidth")
    shortened = ".bk .person:not(.unknown *)"
    cut = "all => all.filter(each => each.scrollWidth > each.clientWidth).length"
    assert page.locator(shortened).evaluate_all(cut) == 0
