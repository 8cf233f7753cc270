"""Pairings, results and standings copied for a chat: one tap, also without https."""

import pytest
from django.db.models import Value
from django.db.models.functions import Concat
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import DESK, PHONE
from tournaments.core.slugs import event_short_code

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { get: () => undefined });"
KEPT = """navigator.clipboard.write = async ([item]) => {
  window.copied = await (await item.getType("text/plain")).text();
};"""


def pasted(page: Page) -> str:
    """Return what was copied, as a chat gets it."""
    page.evaluate(
        """() => { const area = document.createElement("textarea"); area.id = "chat";
        document.body.append(area); area.focus(); }"""
    )
    page.keyboard.press("Control+V")
    text = page.locator("#chat").input_value()
    page.evaluate("document.getElementById('chat').remove()")
    return text


@pytest.mark.parametrize("device", [PHONE, DESK])
def test_pairings_are_copied_in_one_tap(open_page, by, device):
    event = make.playing(by, 8, formula="swiss-cut", name="Venerdì")
    page = open_page(device, locale="en-GB")
    page.add_init_script(KEPT)
    page.goto(f"/events/{event.slug}/pairings/")
    page.get_by_role("link", name="Copy pairings").click()
    expect(page.get_by_role("link", name="Copied")).to_be_visible()
    text = page.evaluate("window.copied")
    assert text.startswith("Venerdì\nPairings – Swiss rounds · Round 1\n\n1. ")
    assert text.endswith(f"/e/{event_short_code(event.pk)}")


def test_at_the_desk_on_a_laptop_without_https(at_desk, by):
    event = make.halfway(by, 8, rounds=1, formula="swiss-cut", name="Venerdì")
    page = at_desk(event)
    page.add_init_script(NO_CLIPBOARD)
    page.reload()
    for words, begins in (
        ("Pairings", "Venerdì\nPairings – Swiss rounds · Round 1"),
        ("Results", "Venerdì\nResults – Swiss rounds · Round 1"),
        ("Standings", "Venerdì\nStandings – Swiss rounds, after round 1"),
    ):
        panel = page.get_by_role("navigation", name="Copy as text")
        address = panel.get_by_role("link", name=words).get_attribute("href")
        tapped = panel.locator(f"a[href='{address}']")
        tapped.click()
        expect(tapped).to_have_text("Copied")
        assert pasted(page).startswith(begins)


def test_of_several_messages_each_tap_copies_the_next(open_page, by):
    event = make.playing(by, 96, formula="swiss-cut", name="Nazionale")
    event.entries.update(name=Concat("name", Value(" dei Conti Rossi")))
    page = open_page(PHONE, locale="en-GB")
    page.add_init_script(KEPT)
    page.goto(f"/events/{event.slug}/pairings/")
    page.get_by_role("link", name="Copy pairings").click()
    again = page.get_by_role("link", name="Copied 1 of 2. Copy the next part.")
    expect(again).to_be_visible()
    first = page.evaluate("window.copied")
    again.click()
    expect(page.get_by_role("link", name="Copied", exact=True)).to_be_visible()
    second = page.evaluate("window.copied")
    assert "(1/2)" in first.split("\n\n")[0]
    assert "(2/2)" in second.split("\n\n")[0]
    tables = [int(x.split(".")[0]) for t in (first, second) for x in t.split("\n\n")[1].split("\n")]
    assert tables == list(range(1, 49))


def test_without_scripts_the_text_opens(open_page, by):
    event = make.playing(by, 4, formula="single-group", name="Lega")
    page = open_page(PHONE, locale="en-GB", java_script_enabled=False)
    page.goto(f"/events/{event.slug}/pairings/")
    page.get_by_role("link", name="Copy pairings").click()
    expect(page.locator("body")).to_contain_text("Lega Pairings – ")
