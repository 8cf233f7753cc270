"""A double elimination of four from the desk, to a second final; a phone follows the bracket."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import PHONE
from tests.journeys.steps import follow
from tournaments.players.services.entries import make_link

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = (
    ("Upper bracket, semi-finals", {}),
    *(("", {}), ("", {})),  # by the services, as the first one by hand
    ("Grand final", {"wins": "0-2"}),
    ("Grand final, second match", {"wins": "0-2"}),
)


@pytest.fixture
def event(by):
    return make.started(by, 4, formula="double-elimination", format="creatures-of-exo")


def play_round(desk: Page, slug: str, name: str, wins: str = "2-0") -> None:
    """Prepare a round, look it over, publish it, and enter a result at each table."""
    desk.goto(f"/events/{slug}/desk/")
    follow(desk.get_by_role("button", name="Prepare round"))
    expect(desk.locator("h1", has_text=name)).to_be_visible()
    follow(desk.get_by_role("button", name="Publish round"))
    desk.goto(f"/events/{slug}/desk/")
    tables = desk.locator(".desk-row[data-table]").count()
    for table in range(1, tables + 1):
        row = desk.locator(f".desk-row[data-table='{table}']")
        row.locator(f".preset[value='{wins}']").click()
        expect(row).to_have_class(re.compile("final"))


def looks_right(page: Page, axe_finds) -> None:
    """Assert that a page fits the phone and that axe finds nothing, by day and by night."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert axe_finds(page, only_colours=scheme == "dark") == []


@pytest.mark.deep  # the pages are those of every bracket, the steps those of every stage
def test_from_the_first_round_to_the_second_final(open_as, open_page, by, event, phone, axe_finds):
    token = make_link(entry=event.entries.get(number=1), by=by)
    desk = open_as(by.user, f"/events/{event.slug}/desk/")
    phone.goto(f"/events/{event.slug}/formula/")
    expect(phone.get_by_role("heading", name="Tabellone perdenti – Finale")).to_be_visible()
    player = open_page(PHONE)
    player.goto(f"/p/{token}/")
    for number, (name, how) in enumerate(ROUNDS, start=1):
        if not name:
            make.play_round(make.next_round(event, by), by)
            continue
        play_round(desk, event.slug, name, **how)
        if number == 1:
            phone.goto(f"/events/{event.slug}/standings/")
            expect(phone.get_by_role("link", name="Tabellone perdenti")).to_be_visible()
            final = phone.locator("section", has_text="Tabellone vincenti, finale").last
            expect(final.locator("li")).to_have_count(2)
            looks_right(phone, axe_finds)
            player.goto(f"/events/{event.slug}/me/")
            expect(player.locator(".ahead")).to_contain_text("Prossimo incontro: Tabellone")
            looks_right(player, axe_finds)
    expect(desk.get_by_role("link", name="Close the last stage")).to_be_visible()
    phone.goto(f"/events/{event.slug}/standings/")
    expect(phone.locator(".bracket-round").last).to_contain_text("Finalissima, secondo incontro")
    looks_right(phone, axe_finds)
