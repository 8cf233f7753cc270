"""The first screen of an event before its start, of Now, of its rules, and of the hall's wall."""

import pytest

from tests.journeys.browser import DESK, PHONE
from tests.journeys.first_screens import moved, top_of, words_of

NARROW = PHONE | {"viewport": {"width": 390, "height": 844}}
COMING, RUNNING = "/events/demo-registration/", "/events/demo-groups/"


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


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_rules_are_a_drawing_and_few_words(demo_site, open_page, language) -> None:
    page = open_page(DESK, base_url=demo_site[0].url, locale=language)
    for event in (COMING, RUNNING):
        page.goto(f"{event}rules/")
        assert words_of(page, "#path") + words_of(page, "#rules") <= 250
        assert top_of(page, "#path") < top_of(page, "#rules")


def test_the_wall_before_the_start_has_one_code_and_at_the_end_records(
    demo_site, open_page
) -> None:
    wall = open_page(DESK, base_url=demo_site[0].url)
    wall.goto(f"{COMING}screen/")
    assert wall.locator("svg.qr").count() == 1
    wall.goto("/events/demo-finished/screen/")
    assert wall.locator(".podium .rank-1 .record").inner_text().count("–") == 2
