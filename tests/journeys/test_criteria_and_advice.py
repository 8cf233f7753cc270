"""A ready-made order of criteria by one tap, and from the adviser to a new event; also without
JavaScript. Use, J1 and J20."""

import re

import pytest
from playwright.sync_api import expect

from tests.journeys.steps import follow, open_setting

pytestmark = pytest.mark.deep


@pytest.mark.deep
def test_one_tap_fills_the_order(signed_in) -> None:
    page = signed_in()
    page.goto("/events/new/?format=thoom&formula=swiss-cut")
    open_setting(page, "criteria")
    expect(page.locator("[name=preset]")).to_be_hidden()
    page.get_by_role("button", name="Magic").click()
    order = ("points", "opponents_match_win", "game_win", "opponents_game_win", "lots")
    for place, key in enumerate(order, start=1):
        expect(page.locator(f"[name=criterion_{key}]")).to_have_value(str(place))
    expect(page.locator("[name=criterion_head_to_head]")).to_have_value("")
    shown = page.locator("[data-used] input").evaluate_all("all => all.map(one => one.name)")
    assert shown == [f"criterion_{key}" for key in order]
    expect(page.locator(".criteria [role=status]")).to_have_text("Filled in: Magic")


@pytest.mark.deep
def test_without_javascript_a_list_offers_the_same(signed_in) -> None:
    page = signed_in(java_script_enabled=False)
    page.goto("/events/new/?format=thoom&formula=swiss-cut")
    open_setting(page, "criteria")
    expect(page.locator("[name=preset]")).to_be_visible()
    expect(page.get_by_role("button", name="Magic")).to_be_hidden()


@pytest.mark.parametrize("scripts", [True, pytest.param(False, marks=pytest.mark.deep)])
def test_from_the_adviser_to_a_new_event(signed_in, scripts) -> None:
    page = signed_in(java_script_enabled=scripts)
    page.goto("/")
    follow(page.get_by_role("link", name="Which tournament format fits?"))
    page.get_by_label("Players").fill("6")
    page.get_by_label("Hours").fill("12")
    follow(page.get_by_role("button", name="Show suitable formats"))
    row = page.locator(
        "section", has=page.get_by_role("heading", name="Round robin: 5 rounds and a final")
    )
    expect(row).to_contain_text("fits")
    follow(row.get_by_role("link", name="Use this tournament format"))
    follow(page.locator(".game-chips").get_by_role("link", name="Thoom"))
    expect(page.locator("[type=radio][name=formula][value=single-group]")).to_be_checked()
    expect(page.locator("[name=option_single-group_final][value='1']")).to_be_checked()


def test_a_player_reads_what_is_needed_on_the_first_page(demo_site, open_page) -> None:
    server, printed = demo_site
    link = re.search(r"^(/p/\S+)\tAlba$", printed, re.MULTILINE)
    assert link is not None
    page = open_page(base_url=server.url)
    page.goto(link[1])
    needed = page.get_by_role("region", name="What you still need")
    expect(needed).to_contain_text("Qualified")
