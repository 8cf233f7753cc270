"""The screen of the hall in Chromium: all is seen without scrolling, pages turn by themselves."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import DESK
from tests.journeys.first_screens import moved
from tests.journeys.test_desk import open_desk
from tournaments.judging.services import create_announcement
from tournaments.screen.services import pin_view

pytestmark = pytest.mark.django_db(transaction=True)
DEEP = pytest.mark.deep
NOON = datetime(2026, 12, 5, 12, tzinfo=UTC)
SIZES = [(1280, 720), *(pytest.param(size, marks=DEEP) for size in ((1920, 1080), (3840, 2160)))]
MEASURED = """() => {
  const all = (what) => [...document.querySelectorAll(what)];
  const box = (each) => each.getBoundingClientRect();
  const seen = ({left, top, right, bottom}) =>
    left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  const told = (each) => [...each.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
  const drawn = (each) => each.checkVisibility() && !each.closest("svg, .visually-hidden");
  const texts = all(".screen-head *, .screen-page *, .screen-foot *").filter(told).filter(drawn);
  const bottom = box(all(".screen-page").find((each) => !each.hidden)).bottom;
  const words = (found) => found.map((each) => each.textContent.trim());
  return {
    sideways: document.documentElement.scrollWidth - innerWidth,
    down: document.documentElement.scrollHeight - innerHeight,
    outside: words(texts.filter((each) => !seen(box(each)))),
    below: words(texts.filter((each) => each.closest(".screen-page"))
      .filter((each) => box(each).bottom > bottom + 1)),
    cut: words(all(".screen-page :is(.name, th[scope=row])").filter(drawn)
      .filter((each) => each.scrollWidth > each.clientWidth + 1)),
  };
}"""
NOTHING = {"sideways": 0, "down": 0, "outside": [], "below": [], "cut": []}


def open_screen(open_page, event, size: tuple[int, int]) -> Page:
    wall = open_page(DESK, viewport={"width": size[0], "height": size[1]})
    wall.goto(f"/events/{event.slug}/screen/")
    expect(wall.locator("#screen .screen-page:not([hidden])")).to_have_count(1)
    return wall


@pytest.fixture
def event(by):
    """Return a round of 64 players that is out."""
    return make.playing(by, 64, formula="swiss-cut")


@pytest.mark.deep
@pytest.mark.parametrize("size", SIZES)
def test_64_names_on_two_pages_that_are_read_from_the_last_row(open_page, event, size):
    wall = open_screen(open_page, event, size)
    assert wall.locator("[data-part=names]").count() == 2
    names = wall.locator("[data-part=names] li .name").all_text_contents()
    assert len({" ".join(name.split()) for name in names}) == 64
    for _page in range(2):
        assert wall.evaluate(MEASURED) == NOTHING
        sizes = wall.evaluate(
            """() => ["table", "name"].map((kind) => parseFloat(getComputedStyle(
              document.querySelector(`.names:not([hidden]) .${kind}`)).fontSize))"""
        )
        assert sizes[0] >= 1.3 * sizes[1]
        assert sizes[1] >= 36 * size[1] / 1080
        wall.keyboard.press("ArrowRight")


@pytest.mark.parametrize("size", SIZES)
def test_every_view_fits(open_page, by, event, size):
    create_announcement(
        event=event, text="Silenzio per favore: la finale comincia " * 5, minutes=5, by=by
    )
    for view in ("playing", "standings", "announcement"):
        pin_view(event=event, view=view, by=by)
        wall = open_screen(open_page, event, size)
        assert wall.locator("#screen").get_attribute("data-shows") == view
        assert wall.evaluate(MEASURED) == NOTHING, view
        assert moved(wall) <= 0.05, view
        assert wall.locator(".clock").count() == 1, "the bar of an event's pages has one too"


@pytest.mark.deep
@pytest.mark.parametrize("size", SIZES)
def test_bracket_and_podium_fit(open_page, by, size):
    over = make.played(by, 8, formula="single-elimination", decklists="off")
    for view in ("bracket", "podium"):
        pin_view(event=over, view=view, by=by)
        wall = open_screen(open_page, over, size)
        assert wall.locator("#screen").get_attribute("data-shows") == view
        assert wall.evaluate(MEASURED) == NOTHING, view


@pytest.mark.deep
def test_pages_turn_slowly_and_wait_when_told(open_page, event):
    wall = open_page(DESK)
    wall.clock.install(time=NOON)
    wall.clock.pause_at(NOON + timedelta(seconds=1))  # only the test lets time pass
    wall.goto(f"/events/{event.slug}/screen/")
    marks = wall.locator(".marks li")
    expect(marks.nth(0)).to_have_class("current")
    wall.clock.run_for(8_000)
    expect(marks.nth(0)).to_have_class("current")  # eight seconds at least
    wall.clock.run_for(3_000)
    expect(marks.nth(1)).to_have_class("current")
    wall.keyboard.press(" ")
    wall.clock.run_for(15_000)
    expect(marks.nth(1)).to_have_class("current")
    expect(wall.locator("#screen-state")).to_contain_text("space bar")
    wall.keyboard.press(" ")
    wall.clock.run_for(11_000)
    expect(marks.nth(0)).to_have_class("current")


@pytest.mark.deep
def test_it_says_that_it_is_not_connected(open_page, watch, event):
    watch.allow.append("ERR_INTERNET_DISCONNECTED")
    wall = open_page(DESK, timezone_id="Asia/Tokyo")
    wall.clock.install(time=NOON)
    wall.goto(f"/events/{event.slug}/screen/")
    at_venue = NOON.astimezone(ZoneInfo("Europe/Rome")).strftime("%H:%M:")
    expect(wall.locator("#screen-state")).to_contain_text(at_venue)
    wall.context.set_offline(True)
    wall.clock.run_for(40_000)
    expect(wall.locator("#screen-state.bad")).to_contain_text("Offline since")


@pytest.mark.deep
def test_j24_the_screen_is_one_click_from_the_desk(open_as, by, event):
    desk = open_desk(open_as, by, event)
    with desk.expect_event("framenavigated"):
        desk.get_by_role("link", name="Screen", exact=True).click()
    expect(desk.locator("#screen")).to_be_visible()


@pytest.mark.deep
def test_what_is_pinned_at_the_desk_comes_with_the_next_question(open_as, open_page, by, event):
    desk = open_desk(open_as, by, event)
    wall = open_page(DESK)
    wall.clock.install()
    wall.goto(f"/events/{event.slug}/screen/")
    expect(wall.locator("#screen")).to_have_attribute("data-shows", "names")
    desk.get_by_text("Screen: Automatic").click()
    desk.get_by_role("button", name="Standings", exact=True).click()
    expect(desk.locator("#messages")).to_contain_text("Saved.")
    wall.clock.run_for(11_000)  # one question of the open page
    expect(wall.locator("#screen")).to_have_attribute("data-shows", "standings")
