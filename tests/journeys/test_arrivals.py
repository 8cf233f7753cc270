"""The door in Chromium: three letters and Enter, a scanner, the fee by one key, on a phone too."""

import pytest
import segno
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import DESK, PHONE
from tests.journeys.steps import follow
from tournaments.arrivals.photos import check_in_code
from tournaments.models import Entry, Event

pytestmark = pytest.mark.django_db(transaction=True)
NAMES = ("Marco Rossi", "Anna De Luca", "Gaia D’Amico", "Elena Greco", "Ugo Đorđević", "Ada Rosti")


@pytest.fixture
def event(by):
    found = make.open_event(by, fee="10 €", decklists="required")
    make.players_more(found, NAMES, by)
    return found


@pytest.fixture
def door(open_as, by, event):
    """Return a function that opens the door as its organiser on a desk or a phone."""
    return lambda settings: open_as(by.user, f"/events/{event.slug}/manage/arrivals/", settings)


def status(event: Event, name: str) -> str:
    return str(event.entries.get(name=name).status)


def row(page: Page, name: str):
    return page.locator(f'.arrival[data-name="{name}"]')


def test_j3_three_letters_and_enter(door, event):
    page = door(DESK)
    expect(page.locator("#door-find")).to_be_focused()  # no click before
    page.keyboard.type("gre")
    expect(page.locator("#door-said")).to_contain_text("Elena Greco")
    page.keyboard.press("Enter")  # four keys
    expect(row(page, "Elena Greco")).to_have_class("arrival here todo unpaid")
    assert status(event, "Elena Greco") == Entry.Status.CHECKED_IN
    expect(page.locator("#door-find")).to_be_focused()
    page.keyboard.type("dam")  # an apostrophe needn't be typed
    expect(page.locator("#door-said")).to_contain_text("Gaia D’Amico")
    page.keyboard.press("Escape")
    page.keyboard.type("dor")  # what was typed is replaced, Đ is found by D
    expect(page.locator("#door-said")).to_contain_text("Ugo Đorđević")
    page.keyboard.press("Enter")
    expect(row(page, "Ugo Đorđević").locator(".mark")).to_have_attribute("aria-pressed", "true")
    assert status(event, "Ugo Đorđević") == Entry.Status.CHECKED_IN
    for letters in ("dor", "xyz", "luc"):  # here already, nobody: letters replace those before
        page.keyboard.type(letters)
        expect(page.locator("#door-find")).to_have_value(letters)
        page.keyboard.press("Enter")
    expect(row(page, "Anna De Luca").locator(".mark")).to_have_attribute("aria-pressed", "true")


@pytest.mark.deep
def test_enter_marks_nobody_while_several_are_left(door, event):
    page = door(DESK)
    page.keyboard.type("ros")
    expect(page.locator("#door-said")).to_contain_text("Type more letters (2)")
    page.keyboard.press("Enter")
    assert not event.entries.filter(status=Entry.Status.CHECKED_IN).exists()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#door-said")).to_contain_text("Marco Rossi")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(row(page, "Ada Rosti").locator(".mark")).to_have_attribute("aria-pressed", "true")
    assert status(event, "Marco Rossi") == Entry.Status.REGISTERED


@pytest.mark.deep
def test_one_key_notes_the_fee_and_nothing_else(door, event):
    page = door(DESK)
    page.keyboard.type("gre")
    page.keyboard.type("€")
    expect(row(page, "Elena Greco").locator(".fee button")).to_have_attribute(
        "aria-pressed", "true"
    )
    entry = event.entries.get(name="Elena Greco")
    assert (entry.fee_paid, entry.status) == (True, Entry.Status.REGISTERED)
    assert event.entries.filter(fee_paid=True).count() == 1
    expect(page.locator("#door-find")).to_have_value("gre")


def test_a_scanner_types_the_code_and_enter(door, event, live_server):
    page = door(DESK)
    entry = event.entries.get(name="Anna De Luca")
    entry.event = event
    page.keyboard.type(f"{live_server.url}/events/{event.slug}/arrive/{check_in_code(entry)}/")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Anna De Luca")).to_be_visible()
    page.get_by_role("button", name="Check in").click()
    expect(page.get_by_role("button", name="Check in")).to_have_count(0)
    assert status(event, "Anna De Luca") == Entry.Status.CHECKED_IN


@pytest.mark.deep
def test_at_360_everything_of_a_player_lies_on_their_card(door):
    page = door(PHONE)
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360
    outside = page.evaluate(
        """() => [...document.querySelectorAll(".arrival :is(button, .badge)")].filter((each) => {
          const {left, right, height} = each.getBoundingClientRect();
          return left < 0 || right > innerWidth || (each.matches("button") && height < 40);
        }).map((each) => each.textContent.trim())"""
    )
    assert outside == []
    names = page.locator(".arrival .person").all_text_contents()
    assert names[0] == "D’Amico Gaia"
    assert names == sorted(names, key=lambda name: name.replace("Đ", "D").replace("’", "").lower())


@pytest.mark.deep
def test_a_photo_of_a_code_checks_in_where_there_is_no_camera(
    door, event, live_server, tmp_path, axe
):
    entry = event.entries.get(name="Anna De Luca")
    path = reverse("tournaments:arrive", args=[event.slug, check_in_code(entry)])
    photo = tmp_path / "code.png"
    segno.make(f"{live_server.url}{path}").save(str(photo), scale=9)
    page = door(PHONE)
    axe(page)
    with page.expect_navigation(url=f"**{path}"):
        page.get_by_label("Fotografa il codice").set_input_files(photo)
    follow(page.get_by_role("button", name="presente"))
    assert status(event, entry.name) == Entry.Status.CHECKED_IN
