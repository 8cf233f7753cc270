"""Tables of three and more: chosen on the form of an event, decided at the desk by taps."""

import pytest
from playwright.sync_api import expect

from tests import factories as make
from tests.browsers import url
from tests.journeys.steps import follow, open_setting
from tournaments.models import Event, Match

pytestmark = pytest.mark.django_db(transaction=True)


def test_tables_are_chosen_and_their_order_is_tapped(open_as, by, live_server) -> None:
    page = open_as(by.user, "/events/new/?expected=26&starts_at=2026-12-05T10:00")
    follow(page.get_by_role("link", name="Saint Seiya"))
    page.fill("[name=name]", "Lega")
    page.locator("[name=formula][value=tables-cut]").check()
    expect(page.locator("#advice-line")).to_contain_text("Tables: 7")
    open_setting(page, "points")
    page.select_option("[name=table_worth]", "places")
    open_setting(page, "criteria")
    made = page.locator("[data-used] [name=table_criterion_places_made]")
    expect(made).to_have_value("2")
    page.get_by_role("button", name="Points by result").click()
    expect(made).to_have_count(0)
    expect(page.locator("[data-used] [name=table_criterion_opponents_share]")).to_have_value("2")
    page.get_by_role("button", name="Create the event").click()
    page.wait_for_url("**/manage/players/")
    chosen = Event.objects.get()
    assert (chosen.formula, chosen.table_points) == ("tables-cut", {"preset": "places"})
    assert chosen.criteria[1] == "opponents_share"

    event = make.playing(by, 8, **make.TABLES, table_points={"preset": "places"})
    page.goto(f"{live_server.url}{url('desk', event)}")
    row = page.locator("tr.desk-row").first
    seats = row.locator("[data-seat]")
    for seat in (3, 1, 3, 2, 4):  # the second tap of 3 takes back all that was tapped
        seats.nth(seat - 1).click()
    expect(seats.nth(1).locator("small")).to_have_text("1st")
    seats.nth(2).click()
    expect(row.locator(".state")).to_have_text("Finished")
    first = Match.objects.filter(round__event=event).order_by("table")[0]
    assert first.decision.places == [4, 1, 3, 2]
