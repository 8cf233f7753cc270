"""The next event with its regulars, counted in clicks from wherever an organiser stands."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.counting import counted
from tests.journeys.steps import follow
from tests.tournaments.repeats.test_repeats import EVENING, again, play
from tournaments.models import Event

pytestmark = pytest.mark.django_db(transaction=True)
SIZES = tuple({"width": width, "height": 800} for width in (1366, 768, 390))


@pytest.fixture
def event(by) -> Event:
    """Return the second evening of a chain, finished, with four of six who came before."""
    first = make.played(by, 6, **EVENING)
    return play(again(first, by), by)


def check_width(page: Page) -> None:
    for size in SIZES:
        page.set_viewport_size(size)
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, (page.url, size)
    page.set_viewport_size(SIZES[0])


def test_one_click_to_the_next_friday_and_one_more_for_the_regulars(at_desk, event, axe) -> None:
    page = at_desk(event)
    page.goto(f"/events/{event.slug}/")
    check_width(page)
    axe(page)
    begun = counted(page)
    follow(page.locator(".hero").get_by_role("button", name="Repeat"))
    made = Event.objects.get(source=event)
    expect(page).to_have_url(re.compile(f"/events/{made.slug}/manage/players/$"))
    assert counted(page) - begun == 1
    expect(page.locator("#next-step")).to_contain_text("Open registration")
    expect(page.locator("#regulars")).to_contain_text("From recent events: 6 players, 6 ticked")
    check_width(page)
    axe(page)
    follow(page.locator("#regulars").get_by_role("button", name="Add"))
    assert counted(page) - begun == 2
    expect(page.locator("#regulars")).to_have_count(0)
    assert made.entries.exclude(origin=None).count() == 6
    page.goto(f"/events/{event.slug}/")
    expect(page.get_by_role("link", name=f"Next: {made.name}")).to_be_visible()


@pytest.mark.deep
def test_one_click_from_the_organisers_home_and_the_rest_by_keyboard(at_desk, event, axe) -> None:
    page = at_desk(event)
    page.goto("/me/")
    check_width(page)
    axe(page)
    begun = counted(page)
    follow(page.get_by_role("button", name="Repeat"))
    assert counted(page) - begun == 1
    made = Event.objects.get(source=event)
    page.goto(f"/events/{made.slug}/manage/players/")
    page.locator("#regulars summary").press("Enter")
    boxes = page.locator("#regulars input[type=checkbox]")
    expect(boxes).to_have_count(6)
    boxes.first.press("Space")
    check_width(page)
    axe(page)
    button = page.locator("#regulars").get_by_role("button", name="Add")
    with page.expect_navigation():
        button.press("Enter")
    assert made.entries.count() == 5
    assert counted(page) - begun == 1


@pytest.mark.deep
def test_one_click_from_the_head_of_new_event(at_desk, event) -> None:
    page = at_desk(event)
    page.goto("/events/new/")
    check_width(page)
    begun = counted(page)
    follow(page.get_by_role("button", name=re.compile("^Repeat Serata")))
    assert counted(page) - begun == 1
    assert Event.objects.filter(source=event).count() == 1
