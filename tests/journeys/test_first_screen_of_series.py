"""The pages of a season: rows in sight, a row that opens, widths, no fault of axe."""

import re
from typing import Any

import pytest

from tests import factories as make
from tests.journeys.browser import DESK, PHONE
from tests.journeys.first_screens import moved, rows_in_sight
from tests.large_series import large_series
from tests.tournaments.series.evenings import group_evening, season
from tournaments.models import Series, SeriesEvent

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ROW = "tbody[data-row]"
WIDTHS = (360, 390, 768, 1366)


@pytest.fixture
def long(by: Any) -> Series:
    """Return a season of twelve evenings and forty people."""
    return large_series(by, events=12, players=24, crowd=40)


@pytest.fixture
def league(by: Any) -> Series:
    """Return a season of two evenings in which a pair may be one person."""
    first = group_evening(by, "Ada/Drago Bea Carlo Dora", name="Giovedì uno")
    second = group_evening(by, "Ada/Drago Bea Elio", name="Giovedì due")
    return season(by, [first, second], names_are_people=False)


@pytest.mark.deep
def test_a_desk_shows_sixteen_rows_and_the_last_eight_events(open_page: Any, long: Series) -> None:
    page = open_page(DESK)
    page.set_viewport_size({"width": 1366, "height": 768})
    page.goto(long.get_absolute_url())
    assert rows_in_sight(page, ROW) >= 16
    assert moved(page) <= 0.05
    heads = page.locator("thead th.c:visible")
    assert heads.count() == 8
    page.get_by_label("All events").check()
    assert heads.count() == 12
    assert page.evaluate("document.documentElement.scrollWidth") <= 1366
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("/")
    name = page.locator(ROW).nth(30).get_attribute("data-called")
    page.keyboard.type(name)
    shown = page.locator(f"{ROW}:not([hidden])")
    assert shown.evaluate_all("all => all.map(each => each.dataset.called)") == [name]


@pytest.mark.deep
def test_organisers_with_all_their_tabs_see_as_many_rows(
    open_as: Any, by: Any, long: Series
) -> None:
    SeriesEvent.objects.create(series=long, event=make.playing(by, 4, formula="single-group"))
    page = open_as(by.user, long.get_absolute_url())
    assert page.locator(".tabs li").count() == 6
    assert rows_in_sight(page, ROW) >= 16


@pytest.mark.deep
@pytest.mark.parametrize(("width", "letters"), [(360, 1), (390, 1), (390, 1.4), (360, 2)])
def test_rank_and_points_never_leave_a_phone(
    open_page: Any, by: Any, width: int, letters: float
) -> None:
    long_names = "Massimiliano-Ferdinando/Circolo Bartolomea-Guglielmina Carlo Dora"
    shown = season(by, [group_evening(by, long_names), group_evening(by, "Carlo Dora Bea")])
    page = open_page(PHONE)
    width = int(width / letters)  # the same, for rules that depend on the window too
    page.set_viewport_size({"width": width, "height": 780})
    page.goto(shown.get_absolute_url())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for kind in (".rank b", "th .person", ".points"):
        cells = page.locator(f"{ROW} {kind}").filter(visible=True)
        assert cells.count() == 5, kind
        boxes = cells.evaluate_all("all => all.map(each => each.getBoundingClientRect().toJSON())")
        assert [box for box in boxes if box["left"] < 0 or box["right"] > width] == [], kind


@pytest.mark.deep
def test_readers_choose_among_how_many_they_want_to_end(
    open_page: Any, by: Any, long: Series, axe: Any
) -> None:
    SeriesEvent.objects.create(series=long, event=make.open_event(by))
    for settings in (DESK, PHONE):
        page = open_page(settings, locale="en-GB")
        page.goto(long.get_absolute_url())
        page.get_by_text("Top 8", exact=True).first.click()
        offered = page.locator(".drop a:visible").all_text_contents()
        assert offered == ["Top 4", "Top 8", "Top 16", "Top 32"]
        axe(page)
        page.get_by_role("link", name="Top 4").click()
        assert page.locator(".series-tools summary").inner_text() == "Top 4"
        page.locator(f"{ROW} summary").nth(1).click()
        assert "Top 4" in page.locator(f"{ROW} details[open]").inner_text()
        page.locator(f"{ROW} details[open]").get_by_role("link", name="Results").click()
        page.wait_for_url(re.compile(r"first=4"))
        assert "Top 4: Undecided" in page.locator("main").inner_text()


@pytest.mark.deep
def test_what_cells_mean_is_told_where_they_are_seen(open_page: Any, long: Series) -> None:
    page = open_page(DESK, locale="en-GB")
    page.goto(long.get_absolute_url())
    legend = page.locator(".ranks-legend").inner_text()
    assert legend.strip() == "Events won · (…) doesn’t count"
    page.set_viewport_size({"width": 390, "height": 844})
    assert not page.locator(".ranks-legend").is_visible()
    assert not page.locator("thead th.c").first.is_visible()


def test_a_phone_shows_twelve_rows_and_opens_them(open_page: Any, long: Series, axe: Any) -> None:
    page = open_page(PHONE)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(long.get_absolute_url())
    assert rows_in_sight(page, ROW) >= 12
    page.locator(f"{ROW} summary").nth(1).tap()
    opened = page.locator(f"{ROW}:nth-of-type(2) details[open]")
    assert opened.locator("li").count() > 1
    assert "Punti: " in opened.inner_text(), "why this rank"
    axe(page)
    opened.evaluate("each => each.open = false")
    page.set_viewport_size({"width": 390, "height": 664})
    assert rows_in_sight(page, ROW) >= 8
    page.evaluate("document.documentElement.style.fontSize = '140%'")
    assert rows_in_sight(page, ROW) >= 5
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.deep
@pytest.mark.parametrize("language", ["it-IT", "en-GB"])
def test_each_page_fits_and_has_no_fault(
    open_as: Any, by: Any, league: Series, axe: Any, language: str
) -> None:
    page, at = open_as(by.user, locale=language), league.get_absolute_url()
    page.goto(at)
    person = page.locator("th a.player").first.get_attribute("href")
    for path in (
        *("/series/", "/series/new/", at, f"{at}events/", person),
        *(f"{at}people/", f"{at}staff/", f"{at}settings/", f"{at}final/", f"{at}prizes/"),
    ):
        page.goto(path)
        assert moved(page) <= 0.05, path
        page.evaluate("document.querySelectorAll('main details').forEach(each => each.open = true)")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, (path, width)
        page.set_viewport_size({"width": 390, "height": 844})
        axe(page)
