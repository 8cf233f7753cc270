"""J1: a new event from its game, on a laptop and on a phone, counted."""

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.counting import COUNT, counted
from tests.journeys.steps import follow, made, on_first_screen, open_setting, typed_game

MOST_CLICKS = 6
LAPTOP = {"width": 1366, "height": 768}


def number(page: Page, name: str, value: str) -> None:
    """Click one of the values that stand in sight."""
    page.locator(f"[name=option_{name}][value='{value}']").check()


def begin(signed_in, width: int = 1366) -> Page:
    page = signed_in(viewport={"width": width, "height": 768})
    page.context.add_init_script(COUNT)
    page.goto("/")
    follow(page.get_by_role("link", name="New event"))
    return page


@pytest.mark.parametrize("width", [1366, pytest.param(390, marks=pytest.mark.deep)])
def test_a_magic_evening_takes_six_clicks_at_most(signed_in, width) -> None:
    page = begin(signed_in, width)
    if width == 390:  # by touch nothing has the focus
        page.locator("#id_game_typed").focus()
    typed_game(page, "Magic")
    expect(page.locator(".game-chips [aria-current]")).to_have_text("Magic")
    follow(page.locator(".format-chips").get_by_role("link", name="Standard"))
    page.get_by_label("Name", exact=True).focus()
    page.keyboard.type("Magic del venerdì")
    page.get_by_label("Date and time").fill("2026-12-04T20:00")
    page.get_by_label("Expected players").fill("17")
    number(page, "swiss-cut_rounds", "4")
    number(page, "swiss-cut_cut", "4")
    preview = page.locator("#advice-line")
    expect(preview).to_contain_text("17 players: 4 rounds and top 4")
    expect(preview.locator(".plan-rows li")).to_have_count(6)
    if width == 1366:
        on_first_screen(page)
    else:
        expect(page.locator(".make .ends b")).to_be_in_viewport()
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    slug = made(page)
    assert counted(page) <= MOST_CLICKS
    page.goto(f"/events/{slug}/manage/settings/")
    open_setting(page, "way")
    expect(page.locator("[name=option_swiss-cut_rounds][value='4']")).to_be_checked()
    expect(page.locator("[name=option_swiss-cut_cut][value='4']")).to_be_checked()


@pytest.mark.deep
def test_a_commander_evening_begins_with_tables(signed_in) -> None:
    page = begin(signed_in)
    typed_game(page, "magic")
    follow(page.locator(".format-chips").get_by_role("link", name="Commander"))
    expect(page.locator("[name=formula][value=tables-cut]")).to_be_checked()
    cuts = page.locator("[name=option_tables-cut_cut][type=radio]")
    offered = cuts.evaluate_all("all => all.map(one => one.value)")
    assert offered == ["1", "0", "4", "7", "10", "13", "16"]
    on_first_screen(page)


@pytest.mark.deep
def test_a_game_nobody_knows(signed_in) -> None:
    page = begin(signed_in)
    typed_game(page, "Zork")
    page.get_by_label("Name", exact=True).fill("Zork")
    page.get_by_label("Date and time").fill("2026-12-04T20:00")
    page.get_by_label("Decklists", exact=True).select_option("required")
    open_setting(page, "rules")
    page.get_by_label("Deck rules").select_option("magic-pauper")
    expect(page.locator("[data-value=rules]")).to_have_text("Pauper")
    open_setting(page, "points")
    expect(page.locator("#chip-rules")).not_to_have_attribute("open", "")
    made(page)


@pytest.mark.deep
def test_groups_of_creatures_of_exo_and_another_way(signed_in) -> None:
    page = begin(signed_in)
    follow(page.locator(".game-chips").get_by_role("link", name="Creatures of Exo"))
    page.locator("[name=formula][value=groups-knockout]").check()
    page.get_by_label("Expected players").fill("12")
    expect(page.locator("#advice-line .stage-path li")).to_have_count(2)
    page.locator("[name=formula][value=double-elimination]").check()
    expect(page.locator("[data-part=numbers] input")).to_have_count(0)
    expect(page.locator("#advice-line")).to_contain_text("12 players")
    on_first_screen(page)


@pytest.mark.deep
def test_pokemon_may_be_paired_elsewhere(signed_in) -> None:
    page = begin(signed_in)
    typed_game(page, "pokemon")
    expect(page.get_by_text("Sanctioned event?")).to_be_visible()
    on_first_screen(page)


@pytest.mark.deep
def test_without_javascript_games_and_settings_open_too(signed_in) -> None:
    page = signed_in(java_script_enabled=False)
    page.goto("/events/new/?expected=33&starts_at=2026-11-28T10:00")
    page.locator("#id_game_typed").fill("Yu-Gi-Oh!")
    with page.expect_navigation():
        page.locator("#id_game_typed").press("Enter")
    open_setting(page, "others")
    expect(page.get_by_label("Time zone")).to_be_visible()
    expect(page.locator("#id_minutes")).to_be_hidden()
    expect(page.locator("#advice-line")).to_contain_text("33 players")
    page.get_by_label("Name", exact=True).fill("Torneo")
    slug = made(page)
    page.goto(f"/events/{slug}/manage/settings/")
    expect(page.get_by_label("Date and time")).to_have_value("2026-11-28T10:00")
