"""J1: a new event from a template, on a laptop and on a phone, counted."""

import re

import pytest
from playwright.sync_api import expect

from tests.journeys.steps import follow, open_choices

MOST_CLICKS = 6
COUNT = (
    "addEventListener('click', () => localStorage.clicks = +(localStorage.clicks || 0) + 1, true)"
)


@pytest.mark.parametrize("width", [360, pytest.param(1366, marks=pytest.mark.deep)])
def test_a_new_event_takes_six_clicks_at_most(signed_in, width) -> None:
    page = signed_in(viewport={"width": width, "height": 768})
    page.add_init_script(COUNT)
    page.goto("/")
    follow(page.get_by_role("link", name="New event"))
    follow(page.get_by_role("link", name="Swiss and top 8"))
    page.keyboard.press("Tab")
    page.get_by_label("Name", exact=True).focus()
    page.keyboard.type("Coppa d’Autunno")
    page.get_by_label("Date and time").fill("2026-11-28T10:00")
    page.get_by_label("Places").fill("33")
    line = page.locator("#advice-line")
    expect(line).to_contain_text("33 players: 5 rounds and top 8, ends around 18:40")
    page.get_by_role("button", name="6 rounds: 19:40").click()
    expect(line).to_contain_text("6 rounds and top 8, ends around 19:40")
    expect(page.locator("[data-count]")).to_have_text("changed: 1")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Make the event").click()
    page.wait_for_url(re.compile("/manage/$"))
    assert int(page.evaluate("localStorage.clicks")) <= MOST_CLICKS
    slug = page.url.split("/")[-3]
    page.goto(f"/events/{slug}/manage/settings/")
    expect(page.locator("[name=option_swiss-cut_rounds]")).to_have_value("6")


@pytest.mark.deep
def test_tiles_fold_to_one_line_on_a_phone(signed_in) -> None:
    page = signed_in(viewport={"width": 360, "height": 740})
    page.goto("/events/new/")
    tiles = page.locator(".templates li a")
    expect(tiles.nth(0)).to_be_visible()
    page.get_by_label("Name", exact=True).fill("Torneo")
    follow(page.get_by_role("link", name="Swiss and top 8"))
    expect(page.get_by_label("Name", exact=True)).to_have_value("Torneo")
    shown = [tile for tile in tiles.all() if tile.is_visible()]
    assert len(shown) == 1
    for label in ("Name", "Date and time"):
        box = page.get_by_label(label, exact=True).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] < 740, label
    follow(page.get_by_role("link", name="another template"))
    expect(tiles.nth(0)).to_be_visible()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Torneo")


@pytest.mark.deep
def test_another_formula_brings_its_own_choices(signed_in) -> None:
    page = signed_in()
    page.goto("/events/new/?template=swiss-top-8")
    open_choices(page, "play")
    page.get_by_label("Tournament format", exact=True).select_option("double-elimination")
    expect(page.locator("#formula-options [data-formula=double-elimination]")).to_be_visible()
    expect(page.locator("[name=option_swiss-cut_cut]")).to_have_count(0)
    page.get_by_label("Places").fill("8")
    expect(page.locator("#advice-line")).to_contain_text("8 players")


@pytest.mark.deep
def test_without_javascript_groups_open_too(signed_in) -> None:
    page = signed_in(java_script_enabled=False)
    page.goto("/events/new/?template=swiss-top-8&capacity=33&starts_at=2026-11-28T10:00")
    open_choices(page, "rest")
    expect(page.get_by_label("Time zone")).to_be_visible()
    expect(page.locator("#id_minutes")).to_be_hidden()
    expect(page.locator("#advice-line")).to_contain_text("ends around 18:40")
    page.get_by_label("Name", exact=True).fill("Torneo")
    follow(page.get_by_role("button", name="Make the event"))
    expect(page.locator("#messages")).to_contain_text("ends around 18:40")
