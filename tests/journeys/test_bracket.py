"""A bracket of 64 in a browser: who is looked for is found, followed, and kept in sight."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import PHONE
from tests.journeys.counting import COUNT, counted
from tests.journeys.looks import DARK, DESK, SIDEWAYS, WIDTHS, axe_problems, shown
from tests.journeys.steps import catch_up, hurry
from tournaments.models import Event, Match

pytestmark = pytest.mark.django_db(transaction=True)
FOCUSED = "document.activeElement.id"
TAKEN = """(field, name) => {
  field.value = name;
  const how = { inputType: "insertReplacementText", bubbles: true };
  field.dispatchEvent(new InputEvent("input", how));
}"""
INSIDE = "document.activeElement.closest('#followed')?.dataset.number"


@pytest.fixture
def event(by) -> Event:
    found = make.halfway(by, 64, rounds=1, formula="single-elimination")
    make.next_round(found, by)
    return found


def somebody(event: Event) -> Match:
    """Return a match of the second round whose first player shares three letters with others."""
    matches = Match.objects.filter(round__event=event, round__number=2)
    return next(match for match in matches if len(match.players[0].name.split()[0]) > 3)


def test_who_looks_for_themselves_on_a_phone_is_followed_until_they_end_it(
    open_page, event, by, axe_finds
) -> None:
    phone = open_page(PHONE)
    phone.context.add_init_script(COUNT)
    match = somebody(event)
    entry = match.players[0]
    letters = entry.name[:3].lower()
    phone.goto(f"/events/{event.slug}/bracket/")
    expect(phone.locator(".bk-fold[open]")).to_have_count(1)
    phone.get_by_role("combobox").tap()
    phone.keyboard.type(letters)
    phone.keyboard.press("Enter")
    hit = phone.locator(f".bk-hits a[href*='?p={entry.number}#']")
    expect(hit).to_be_in_viewport(ratio=1)
    hit.tap()
    who = phone.locator("#followed[data-number]")
    expect(who).to_contain_text(entry.name)
    expect(who).to_be_in_viewport(ratio=1)
    assert counted(phone) == 2, "two taps and three letters"
    assert phone.evaluate(FOCUSED) == "followed", "and not at the top of the page"
    assert phone.url.endswith(f"/bracket/?p={entry.number}")
    now = phone.locator(".bk-road .now")
    expect(now).to_contain_text(match.players[1].name)
    expect(now).to_be_in_viewport(ratio=1)
    lit = phone.locator(".match-tile.lit")
    expect(lit).to_have_count(2)
    expect(phone.locator(".bk-fold[open]")).to_have_attribute("data-own", "")
    expect(lit.last).to_be_visible()
    assert not phone.evaluate(SIDEWAYS)

    lit.last.scroll_into_view_if_needed()
    score = lit.last.bounding_box() or {}
    phone.touchscreen.tap(score["x"] + score["width"] - 10, score["y"] + score["height"] - 10)
    expect(phone).to_have_url(re.compile(rf"/events/{event.slug}/pairings/2/\d+/$"))
    phone.go_back()
    expect(lit).to_have_count(2)

    other = phone.locator(".bk-fold:not([data-own])").first
    other.locator("summary").tap()
    make.play_round(match.round, by)
    hurry(phone)
    expect(phone.locator(".bk-road .won")).to_have_count(2)  # by news, not by a reload
    expect(lit).to_have_count(3)
    expect(phone.locator(".bk-fold[open]")).to_have_count(2)
    catch_up(phone)
    expect(lit).to_have_count(3)
    assert list(axe_problems(phone, axe_finds, (PHONE["viewport"]["width"],))) == []

    phone.keyboard.press("Escape")
    expect(lit).to_have_count(0)
    assert phone.evaluate(FOCUSED) == "follow"
    catch_up(phone)
    expect(phone.locator(".match-tile").first).to_be_attached()
    expect(lit).to_have_count(0)


@pytest.mark.deep
def test_the_whole_is_drawn_on_a_laptop_and_a_name_leads_to_its_path(
    open_page, event, axe_finds
) -> None:
    page = open_page()
    match = somebody(event)
    page.goto(f"/events/{event.slug}/bracket/")
    tiles = page.locator(".bk-tree .match-tile")
    expect(tiles).to_have_count(64)
    assert tiles.evaluate_all("all => all.every(one => one.checkVisibility())")
    assert not page.evaluate(SIDEWAYS)
    field = page.get_by_role("combobox")
    field.focus()
    page.keyboard.type(str(match.players[1].name))
    page.keyboard.press("Enter")
    expect(page.locator("#followed[data-number]")).to_have_count(1)
    assert page.evaluate(INSIDE) == str(match.players[1].number)
    expect(page.locator(".match-tile.lit").last).to_be_in_viewport(ratio=1)
    before = page.evaluate("scrollY")
    page.locator(
        f".side .player[href$='?p={match.players[0].number}']"
    ).last.click()  # a tap on a name
    expect(page.locator(f"#followed[data-number='{match.players[0].number}']")).to_be_visible()
    assert page.url.endswith(f"?p={match.players[0].number}")
    assert abs(page.evaluate("scrollY") - before) < DESK
    page.get_by_role("combobox").evaluate(TAKEN, match.players[1].name)
    expect(page.locator(f"#followed[data-number='{match.players[1].number}']")).to_be_visible()
    for view in ("full", "rounds", "whole"):
        page.locator(f"[data-view={view}]").click()
        expect(page.locator(f"[data-view={view}]")).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".match-tile.lit").last).to_be_visible()
        assert not page.evaluate(SIDEWAYS)
    hurry(page)
    expect(page.locator(".match-tile.lit")).to_have_count(2)
    assert list(axe_problems(page, axe_finds, WIDTHS[1:], ("light", DARK))) == []
    shown(page, WIDTHS[0])
    expect(page.locator(".bk-fold[open]")).to_have_count(1)


@pytest.mark.deep
def test_without_scripts_a_form_finds_players_and_folds_open(open_page, event) -> None:
    page: Page = open_page(PHONE, java_script_enabled=False)
    entry = somebody(event).players[0]
    page.goto(f"/events/{event.slug}/bracket/")
    page.get_by_role("combobox").fill(entry.name[:3])
    page.get_by_role("button", name="Mostra il percorso").tap()
    page.locator(f".bk-hits a[href*='?p={entry.number}#']").tap()
    expect(page.locator("#followed[data-number]")).to_be_in_viewport()
    expect(page.locator(".match-tile.lit").last).to_be_visible()
    page.locator(".bk-fold summary").last.tap()
    expect(page.locator(".bk-centre .match-tile")).to_be_visible()
