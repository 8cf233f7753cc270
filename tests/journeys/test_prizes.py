"""Prizes in Chromium: typed, the event finished, ticked, a sheet to sign, a file; counted."""

import re

import pytest
from playwright.sync_api import expect

from tests import factories as make
from tests.journeys.browser import DESK, PHONE
from tests.journeys.counting import counted
from tests.journeys.steps import follow
from tournaments.core.event_state import load_facts
from tournaments.models import Event
from tournaments.prizes.selectors import event_winners

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]


def test_prizes_are_typed_won_ticked_signed_and_filed(at_desk, open_page, by, axe) -> None:
    event = make.started(by, 4, formula="single-group", fee="5 €")
    page = at_desk(event, path="manage/settings/")
    follow(page.locator("#chip-prizes"))
    axe(page)
    for row, (places, prize, value) in enumerate(
        [(("1", ""), "Box", "20"), (("2", "3"), "Booster", "4,50")], start=1
    ):
        typed = {"From": places[0], "To": places[1], "Prize": prize, "Value": value}
        for column, text in typed.items():
            page.get_by_label(f"{column} {row}", exact=True).fill(text)
    page.get_by_label("Show the prizes to everybody").check()
    follow(page.get_by_role("button", name="Save"))
    expect(page.locator("dl.facts")).to_contain_text("29.00")
    make.play_event(Event.objects.get(pk=event.pk), by)
    page.goto(f"/events/{event.slug}/desk/")
    before = counted(page)
    follow(page.get_by_role("link", name="Prizes", exact=True))
    first = page.get_by_role("button", name=re.compile("Hand out")).first
    follow(first)
    expect(page.get_by_text("Handed out: 1/3")).to_be_visible()
    assert counted(page) - before == 2
    axe(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as CSV").click()
    assert download.value.suggested_filename == f"{event.slug}-prizes.csv"
    sheet = page.request.get(f"/events/{event.slug}/print/prizes.pdf")
    assert (sheet.status, sheet.body()[:4]) == (200, b"%PDF")
    phone = open_page(PHONE, locale="en-GB")
    phone.goto(f"/events/{event.slug}/")
    follow(phone.locator("main").get_by_role("link", name="Prizes", exact=True))
    winner = event_winners(load_facts(Event.objects.get(pk=event.pk)))[0]
    row = phone.locator("#winners tbody tr").first
    name = event.entries.get(number=winner.player).display_name
    expect(row).to_contain_text(name)
    expect(row).to_contain_text("20.00")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    wide = "all => all.filter(each => each.scrollWidth > each.clientWidth).length"
    assert phone.locator(".table-scroll").evaluate_all(wide) == 0
    axe(phone)
    page.set_viewport_size(PHONE["viewport"])
    assert page.locator("#winners .table-scroll").evaluate_all(wide) == 0
    phone.goto(f"/events/{event.slug}/players/{winner.player}/")
    expect(phone.locator(".own-prize")).to_contain_text("Box · 20.00")


@pytest.mark.parametrize("locale", ["it-IT", "en-GB"])
@pytest.mark.parametrize("width", [390, 768, 1366])
def test_the_table_fits(at_desk, by, width, locale) -> None:
    event = make.open_event(by, formula="single-group")
    page = at_desk(event, {**DESK, "locale": locale}, "manage/prizes/")
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    heads = page.locator(".prize-rows th")
    assert heads.evaluate_all("all => all.every((one) => one.scrollWidth <= one.clientWidth)")
