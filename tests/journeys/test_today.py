"""A day of several events in Chromium: where a player sits, and the staff's page, door, screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.convention import Convention, hold_convention
from tests.journeys.browser import DESK, PHONE
from tests.journeys.test_screen import MEASURED, NOTHING
from tournaments.clock.services import run_clock
from tournaments.core.permissions import Actor
from tournaments.models import Entry
from tournaments.series.services import add_event

pytestmark = pytest.mark.django_db(transaction=True)
TODAY, DOOR = "/series/fiera/today/", "/series/fiera/arrivals/"
CARDS_FIT = """() => [...document.querySelectorAll(".day-card")]
  .filter((card) => card.checkVisibility() && card.scrollHeight > card.clientHeight + 1)
  .map((card) => card.textContent)"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll(
  "[data-part=day]:not([hidden]) :is(h2, .table, .name, .still)")]
  .map((each) => parseFloat(getComputedStyle(each).fontSize)))"""
FITS = "document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture
def fair(by: Actor) -> Convention:
    """Return a convention with two events that run."""
    return hold_convention(by)


@pytest.mark.parametrize("width", [390, 768])
def test_a_player_types_letters_and_sees_table_event_and_opponent(
    open_page: Callable[..., Page], fair: Convention, axe: Callable[[Page], None], width: int
) -> None:
    page = open_page(PHONE, viewport={"width": width, "height": 780}, locale="en-GB")
    page.goto(TODAY)
    page.get_by_role("searchbox").press_sequentially("bea")  # one action: the letters
    found = page.locator("#day-found li")
    expect(found).to_have_count(4)
    seat = fair.alba.rounds.get().matches.filter(match_seats__entry__name="Bea").get()
    expect(found.first).to_contain_text(f"Table {seat.table}")
    expect(found.first).to_contain_text("Alba · Round 1")
    expect(found.nth(1)).to_contain_text("Borea")
    assert found.first.bounding_box()["y"] < 700
    assert page.evaluate(FITS)
    axe(page)
    page.get_by_role("searchbox").fill("zzz")
    expect(page.locator("#day-said")).to_have_text("No player has this name.")
    page.get_by_role("searchbox").fill("")
    expect(found).to_have_count(0)


@pytest.mark.deep
def test_the_organiser_goes_from_the_day_to_any_next_step(
    open_as: Callable[..., Page], fair: Convention, axe: Callable[[Page], None]
) -> None:
    page = open_as(fair.series.created_by, TODAY, DESK)
    cards = page.locator(".running-event, .coming-event")
    expect(cards).to_have_count(4)
    for card in cards.all():
        assert card.locator(".button.primary").count() == 1
    assert page.evaluate(FITS)
    axe(page)
    page.get_by_role("region", name="Borea").get_by_role("link", name="Desk").click()
    assert page.url.endswith(f"/events/{fair.borea.slug}/desk/")
    page.go_back()
    page.get_by_role("link", name="Screen", exact=True).first.click()
    assert page.url.endswith("/series/fiera/screen/")


@pytest.mark.deep
def test_the_page_follows_clock_and_results_by_itself(
    open_page: Callable[..., Page], fair: Convention, by: Actor
) -> None:
    page = open_page(DESK)
    page.goto(TODAY)
    card = page.locator(".running-card").first
    expect(card).to_contain_text("50:00")
    run_clock(event=fair.alba, ordinal=1, action="start", by=by)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(card.locator("[data-until]")).to_contain_text("49:")


@pytest.mark.deep
def test_the_door_marks_by_letters_and_two_phones_at_once(
    open_as: Callable[..., Page], fair: Convention, axe: Callable[[Page], None], watch
) -> None:
    page = open_as(fair.series.created_by, DOOR, DESK)
    other = open_as(fair.series.created_by, DOOR, PHONE | {"locale": "en-GB"})
    expect(page.locator("#door-find")).to_be_focused()
    page.keyboard.type("fos")
    page.keyboard.press("Enter")
    expect(page.locator(".arrival.here")).to_contain_text("Fosca")
    page.keyboard.type("ada")
    expect(page.locator("#door-said")).to_contain_text("Ada")
    page.keyboard.press("Enter")
    expect(page.locator(".arrival.here")).to_have_count(2)
    statuses = Entry.objects.filter(name="Ada", event__in=[fair.cena, fair.duna])
    assert {entry.status for entry in statuses} == {Entry.Status.CHECKED_IN}
    expect(page.locator("#door-counts")).to_contain_text("2 of 6")
    axe(page)
    watch.allow.append("409 (Conflict)")
    row = other.locator('.arrival[data-name="Ada"]')
    row.get_by_role("button", name="Duna").click()
    expect(row.get_by_role("alert")).to_be_visible()
    expect(row.locator(".mark")).to_have_attribute("aria-pressed", "true")
    assert other.evaluate(FITS)
    axe(other)


@pytest.mark.deep
@pytest.mark.parametrize("more", [0, pytest.param(2, marks=pytest.mark.deep)])
def test_the_screen_fits_and_turns_its_pages(
    open_page: Callable[..., Page], by: Actor, more: int
) -> None:
    fair = hold_convention(by, 24)
    for _again in range(more):
        event = make.playing(by, 48, formula="swiss-cut", name="Dodici parole " * 5, venue="Sala")
        add_event(series=fair.series, event=event, by=by)
    wall = open_page(DESK, viewport={"width": 1920, "height": 1080})
    wall.goto("/series/fiera/screen/")
    pages = wall.locator("[data-part=day]")
    assert pages.count() >= 4
    expect(wall.locator(".day-cards .chips").first.locator("li")).to_have_count(24)
    for at in range(pages.count()):
        expect(pages.nth(at)).to_be_visible()
        assert wall.evaluate(MEASURED) == NOTHING
        assert wall.evaluate(CARDS_FIT) == []
        expect(wall.locator(".day-clocks b")).to_have_text(["50:00"] * (2 + more))
        assert wall.evaluate(SMALLEST) >= 34
        wall.keyboard.press("ArrowRight")
