"""The first screen of the standings: rows in sight below the event's bar, and a row that opens."""

from typing import Any

import pytest

from tests import factories as make
from tests.journeys.browser import DESK, PHONE
from tests.journeys.first_screens import moved, rows_in_sight
from tournaments.judging.services import create_announcement
from tournaments.models import Event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ROW = "tbody[data-row]"
HEADS = {1366: 60, 390: 103}
"""Heights of the event's bar and tabs; what a page has above them is not counted here."""


@pytest.fixture
def event(by: Any) -> Event:
    """Return a Swiss event of 33 players in round 4."""
    event = make.halfway(by, 33, rounds=3, formula="swiss-cut", options={"rounds": 6, "cut": 8})
    make.next_round(event, by)
    return event


def rows(page: Any, width: int, height: int, letters: float = 1) -> int:
    """Return the rows in a window of this size, with letters this large, below the head."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(f"document.documentElement.style.fontSize = '{100 * letters}%'")
    top = page.locator(".tools").bounding_box()["y"] - HEADS[width] * letters
    page.set_viewport_size({"width": width, "height": int(height + top)})
    found = rows_in_sight(page, ROW)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    return found


@pytest.mark.deep
def test_a_desk_shows_sixteen_rows(open_page: Any, event: Event) -> None:
    page = open_page(DESK)
    page.goto(f"/events/{event.slug}/standings/")
    assert moved(page) <= 0.05
    assert rows(page, 1366, 768) >= 16
    page.keyboard.press("/")
    name = event.entries.get(number=33).name
    page.keyboard.type(name)
    assert page.locator(f"{ROW}:not([hidden])").evaluate_all(
        "all => all.map(each => each.dataset.called)"
    ) == [name]


def test_a_phone_shows_twelve_rows_and_opens_them(open_page: Any, event: Event, axe: Any) -> None:
    page = open_page(PHONE)
    page.goto(f"/events/{event.slug}/standings/")
    assert rows(page, 390, 844) >= 12
    assert rows(page, 390, 664) >= 8
    assert rows(page, 390, 664, 1.4) >= 5
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.locator(f"{ROW} summary").nth(1).tap()
    opened = page.locator(f"{ROW}:nth-of-type(2) details[open]")
    assert opened.locator("li").count() == 4
    axe(page)
    page.evaluate("document.dispatchEvent(new Event('polled'))")
    assert opened.count() == 1


@pytest.mark.deep
def test_what_is_announced_stands_alone_above_the_toolbar(
    open_page: Any, event: Event, by: Any
) -> None:
    create_announcement(event=event, text="Pausa alle 12", minutes=30, by=by)
    for settings, letters in ((DESK, 1), (PHONE, 1), (PHONE, 2)):
        page = open_page(settings)
        page.goto(f"/events/{event.slug}/standings/")
        width = page.viewport_size["width"] // letters
        page.set_viewport_size({"width": width, "height": 800})
        said, field = (page.locator(each).bounding_box() for each in (".announcement", "#find"))
        assert said["width"] >= width - 2 * said["x"] - 1
        assert field["y"] >= said["y"] + said["height"]
        assert page.locator(".tools").bounding_box()["y"] >= said["y"] + said["height"]


@pytest.mark.deep
@pytest.mark.parametrize("language", ["en", "it"])
def test_what_can_be_chosen_keeps_clear_of_the_field(
    open_page: Any, by: Any, language: str
) -> None:
    options = {"rounds": 10, "cut": 4}
    event = make.halfway(by, 8, rounds=9, formula="swiss-cut", options=options)
    page = open_page({**PHONE, "viewport": {"width": 360, "height": 740}}, locale=language)
    page.goto(f"/events/{event.slug}/standings/")
    field = page.locator("#find").bounding_box()
    for each in page.locator(".tools > *").filter(visible=True).all():
        box = each.bounding_box()
        assert box["x"] + box["width"] <= field["x"]


@pytest.mark.deep
def test_a_row_opens_without_scripts(open_page: Any, event: Event) -> None:
    page = open_page(DESK, java_script_enabled=False)
    page.goto(f"/events/{event.slug}/standings/")
    page.locator(f"{ROW} summary").first.press("Enter")
    assert page.locator(f"{ROW} details[open] li").count() == 4
