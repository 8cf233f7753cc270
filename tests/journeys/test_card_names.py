"""Card names offered while a list is typed, by keyboard and by finger."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from decks.cards.catalogues import find_catalogue
from decks.cards.services import load_cards
from tests.decks.cards.files import sample_catalogue

playwright_api = pytest.importorskip("playwright.sync_api")
expect = playwright_api.expect
GAME = "creatures-of-exo"
COMPLETE = re.compile("/complete/")
NOON = datetime(2026, 12, 5, 12, tzinfo=UTC)


@pytest.fixture
def cards(live_server) -> None:
    load_cards(game=GAME, cards=sample_catalogue(GAME))
    assert find_catalogue(GAME) is not None


@pytest.mark.deep
def test_the_keyboard_takes_a_name(cards, desk, axe):
    desk.goto(f"/formats/{GAME}/")
    area = desk.get_by_label("Your decklist")
    area.press_sequentially("Main\n2x Lupo d'Inverno {Creatura}\n# lupo\n3 lup")
    names = desk.get_by_role("listbox", name="Cards")
    expect(names.get_by_role("option")).to_have_count(4)
    expect(area).to_have_attribute("aria-autocomplete", "list")
    area.press("ArrowDown")
    area.press("ArrowDown")
    expect(names.get_by_role("option", selected=True)).to_contain_text("Lupo del Gelo")
    axe(desk)
    area.press("Enter")
    expect(names).to_be_hidden()
    expect(area).to_have_value("Main\n2x Lupo d'Inverno {Creatura}\n# lupo\n3 Lupo del Gelo")
    area.press("Enter")
    area.press_sequentially("wolf")
    expect(names).to_be_visible()
    area.press("Escape")
    expect(names).to_be_hidden()
    area.press("Enter")
    assert area.input_value().endswith("\nwolf\n")


@pytest.mark.deep
def test_what_is_typed_while_nothing_was_found_is_asked_for(cards, desk):
    desk.clock.install(time=NOON)
    desk.clock.pause_at(NOON + timedelta(seconds=1))  # only the test lets time pass
    desk.goto(f"/formats/{GAME}/")
    area, held = desk.get_by_label("Your decklist"), []
    desk.route(COMPLETE, lambda route: held.append(route), times=1)
    area.press_sequentially("wolq")
    with desk.expect_request(COMPLETE):
        desk.clock.run_for(200)
    area.press("Backspace")  # is asked for in a moment, and the answer about "wolq" comes before
    with desk.expect_response(COMPLETE) as answer:
        held[0].fulfill(json={"names": []})
    answer.value.finished()
    desk.clock.run_for(200)
    expect(desk.get_by_role("option").first).to_be_visible()


def test_a_finger_takes_a_name_and_what_stands_behind_it_stays(cards, phone, axe):
    phone.goto(f"/formats/{GAME}/")
    area = phone.locator("textarea[name=text]")
    area.evaluate("(field) => { field.value = 'SB: 2 wolf of {Creatura} [A]'; field.focus(); }")
    area.evaluate("(field) => field.setSelectionRange(12, 12)")
    area.press("e")
    with phone.expect_response(lambda answer: answer.url.endswith("q=wolf+o")):
        area.press("Backspace")
    option = phone.get_by_role("option").first
    expect(option).to_contain_text("Lupo d'Ambra")
    assert option.bounding_box()["height"] >= 44
    axe(phone)
    option.tap()
    expect(area).to_have_value("SB: 2 Wolf of Amber {Creatura} [A]")
    expect(phone.get_by_role("listbox")).to_be_hidden()
