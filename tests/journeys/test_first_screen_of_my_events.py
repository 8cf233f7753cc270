"""The organiser's home, the staff bar and the head of the players, measured as they open."""

from collections.abc import Callable
from itertools import combinations

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import DESK, PHONE
from tests.journeys.first_screens import controls_of, moved, rows_in_sight, top_of, words_of
from tests.journeys.steps import follow
from tournaments.core.permissions import Actor
from tournaments.results.services.results import decide_result

ENGLISH = {"locale": "en-GB"}
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]


def test_the_home_begins_with_what_runs_and_then_with_what_is_missing(
    open_as: Callable[..., Page], by: Actor, axe: Callable[[Page], None]
) -> None:
    running = make.playing(by, 12, formula="swiss-cut", name="Alba", decklists="off")
    coming = make.open_event(by, name="Selce", decklists="required", capacity=16)
    make.players(coming, 9, by)
    make.event(by, name="Vento")
    for size, top in ((DESK, 130), (PHONE, 230)):
        page = open_as(by.user, "/me/", size | ENGLISH)
        assert top_of(page, ".running-event") <= top
        assert rows_in_sight(page, ".table-tiles li") == 6
        assert words_of(page) <= 120
        assert controls_of(page) <= 16
        assert moved(page) <= 0.05
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for card in page.locator(".running-event, .coming-event").all():
            assert card.locator(".button.primary").count() <= 1
    expect(page.get_by_text("Decklists missing: 9")).to_be_visible()
    axe(page)
    page.emulate_media(color_scheme="dark")
    axe(page)
    follow(page.get_by_role("link", name="Desk"))
    assert page.url.endswith(f"/events/{running.slug}/desk/")


def test_head_and_bar_of_times_are_whole_at_every_width(
    open_as: Callable[..., Page], by: Actor
) -> None:
    make.playing(by, 12, formula="mutant-chronicles", name="Alba")
    make.playing(by, 8, formula="double-elimination", name="Duna")
    tablet = {"viewport": {"width": 768, "height": 1024}}
    for size in (DESK, tablet, PHONE | {"locale": "it"}, tablet | {"locale": "it"}):
        page = open_as(by.user, "/me/", ENGLISH | size)
        parts = page.locator("header.site :is(.brand, .main > a, .head-act, .who)")
        boxes = [box for each in parts.all() if (box := each.bounding_box())]
        assert all(box["x"] + box["width"] <= size["viewport"]["width"] for box in boxes)
        for one, other in combinations(boxes, 2):
            left, right = sorted((one, other), key=lambda box: box["x"])
            above, below = sorted((one, other), key=lambda box: box["y"])
            beside = left["x"] + left["width"] <= right["x"] + 0.5
            assert beside or above["y"] + above["height"] <= below["y"] + 0.5
        page.locator(".big-clock b").evaluate_all(
            "all => all.forEach(each => each.textContent = 'tempo scaduto')"
        )
        cut = "all => all.filter(each => each.scrollWidth > each.clientWidth).length"
        assert page.locator(".round-bar li, .big-clock b").evaluate_all(cut) == 0


def test_a_large_hall_shows_the_unfinished_tables_alone(
    open_as: Callable[..., Page], by: Actor
) -> None:
    event = make.playing(by, 64, formula="swiss-cut", decklists="off")
    for match in event.rounds.get().matches.filter(table__lte=30):
        decide_result(match=match, version=match.version, claim=make.a_wins(match), by=by)
    page = open_as(by.user, "/me/")
    assert rows_in_sight(page, ".table-tiles li") == 2


def test_each_act_of_a_draft_is_a_click_away(open_as: Callable[..., Page], by: Actor) -> None:
    event = make.event(by, name="Vento", decklists="optional")
    page = open_as(by.user, f"/events/{event.slug}/manage/settings/", DESK | ENGLISH)
    tabs = page.locator(".staff-tabs > :is(a, details > summary)")
    assert [text.strip() for text in page.locator(".staff-tabs > a").all_inner_texts()] == [
        *("Desk", "Players", "Settings"),
    ]
    assert tabs.count() == 3
    page.locator(".staff-more summary").click()
    more = page.locator(".staff-more .menu li")
    assert [text.strip() for text in more.all_inner_texts()] == [
        *("Staff", "Decklists", "Log", "Files and backups", "Check this event"),
    ]
    page.goto(f"/events/{event.slug}/")
    follow(page.get_by_role("button", name="Open registration"))
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.locator("#next-step").get_by_role("link", name="Check-in")).to_be_visible()
