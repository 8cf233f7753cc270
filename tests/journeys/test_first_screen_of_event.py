"""The first screen of an event before its start, of Now, of its rules, and of the hall's wall."""

from itertools import pairwise

import pytest

from tests.journeys.browser import DESK, PHONE
from tests.journeys.first_screens import moved, top_of, words_of

NARROW = PHONE | {"viewport": {"width": 390, "height": 844}}
COMING, RUNNING = "/events/demo-registration/", "/events/demo-groups/"


@pytest.mark.deep
@pytest.mark.parametrize(("device", "most"), [(DESK, 250), (NARROW, 844 - 52)])
def test_registering_is_in_sight_before_the_start(demo_site, open_page, device, most) -> None:
    page = open_page(device, base_url=demo_site[0].url)
    page.goto(COMING)
    assert top_of(page, "#registration .button") <= most
    assert page.locator(".seats-bar").count() == 1, "places are told once"
    assert moved(page) <= 0.05


@pytest.mark.parametrize("device", [DESK, NARROW])
def test_a_running_event_begins_with_clock_and_tables(demo_site, open_page, device) -> None:
    page = open_page(device, base_url=demo_site[0].url)
    page.goto(RUNNING)
    assert top_of(page, "#now") <= 300
    assert top_of(page, "#find-table") <= device["viewport"]["height"] - 44
    assert moved(page) <= 0.05


@pytest.mark.deep
def test_a_finished_event_shows_all_tabs_and_ranks_on_a_phone(demo_site, open_page) -> None:
    page = open_page(NARROW, base_url=demo_site[0].url)
    page.goto("/events/demo-finished/")
    tabs = page.locator(".event-tabs > ul > li").filter(visible=True)
    assert tabs.count() == 5
    for box in (tabs.last.bounding_box(), page.locator("#final td.number").last.bounding_box()):
        assert box["x"] + box["width"] <= 390
    page.goto("/events/demo-finished/players/")
    assert page.locator(".event-tabs summary").is_visible()
    desk = open_page(DESK, base_url=demo_site[0].url)
    desk.goto("/events/demo-finished/players/")
    line = "all => all.filter(each => getComputedStyle(each).boxShadow !== 'none').length"
    assert desk.locator(".event-tabs :is(a, summary)").evaluate_all(line) == 1


@pytest.mark.deep
def test_words_keep_clear_of_buttons_and_names_stay_in_their_line(demo_site, open_page) -> None:
    page = open_page(NARROW, base_url=demo_site[0].url)
    page.goto(f"{COMING}register/")
    button = page.locator("main form > .button").bounding_box()
    assert top_of(page, "main form > .button + p") >= button["y"] + button["height"] + 8
    page.goto(f"{RUNNING}pairings/1/1/")
    assert page.locator(".whom > small:has(.player)").first.bounding_box()["height"] < 30


@pytest.mark.deep
def test_the_drawing_of_a_formula_is_read_on_a_phone(signed_in) -> None:
    page = signed_in(**NARROW)
    page.goto("/formulas/")
    page.goto(page.locator("main a[href^='/formulas/custom']").first.get_attribute("href"))
    assert page.locator(".plays .picture .box-name").first.bounding_box()["height"] >= 12
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.deep
def test_cards_beside_the_start_keep_clear_of_each_other(demo_site, open_page) -> None:
    page = open_page(DESK | {"viewport": {"width": 768, "height": 1024}}, base_url=demo_site[0].url)
    page.goto(COMING)
    boxes = [each.bounding_box() for each in page.locator(".coming-grid > aside > .panel").all()]
    boxes.sort(key=lambda box: box["y"])
    for above, below in pairwise(boxes):
        assert below["y"] >= above["y"] + above["height"] + 8


@pytest.mark.deep
def test_the_head_of_an_organiser_is_one_row_on_a_phone(signed_in) -> None:
    page = signed_in(**NARROW)
    page.goto("/")
    assert page.locator("header.site").bounding_box()["height"] <= 60


@pytest.mark.deep
@pytest.mark.parametrize("language", ["en", "it"])
def test_the_rules_are_a_drawing_and_few_words(demo_site, open_page, language) -> None:
    page = open_page(DESK, base_url=demo_site[0].url, locale=language)
    for event in (COMING, RUNNING):
        page.goto(f"{event}rules/")
        assert words_of(page, "#path") + words_of(page, "#rules") <= 250
        assert top_of(page, "#path") < top_of(page, "#rules")


@pytest.mark.deep
def test_the_wall_before_the_start_has_one_code_and_at_the_end_records(
    demo_site, open_page
) -> None:
    wall = open_page(DESK, base_url=demo_site[0].url)
    wall.goto(f"{COMING}screen/")
    assert wall.locator("svg.qr").count() == 1
    wall.goto("/events/demo-finished/screen/")
    assert wall.locator(".podium .rank-1 .record").inner_text().count("–") == 2
