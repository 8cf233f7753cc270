"""A player's page in a browser: what it promises without connection, and whom it is shared with."""

import pytest
from playwright.sync_api import expect

from tests import factories as make
from tests.journeys.browser import PHONE
from tests.journeys.steps import hurry
from tests.journeys.test_offline import keeps, reader, wire  # noqa: F401
from tournaments.players.services import entries

pytestmark = pytest.mark.django_db(transaction=True)
NO_TABLE = "Without connection no table appears here"


def test_a_page_without_connection_promises_no_table(reader, by, wire):  # noqa: F811
    event = make.halfway(by, 4, formula="single-group", format="creatures-of-exo")
    reader.goto(f"/p/{entries.make_link(entry=event.entries.get(number=1), by=by)}/")
    keeps(reader, f"/events/{event.slug}/me/")
    says = reader.locator(".seat-say")
    expect(says).to_have_text("Stay here: the table appears by itself.")
    wire.cut()
    hurry(reader)
    expect(says).to_contain_text(NO_TABLE)
    reader.reload()
    expect(reader.locator(".stand")).to_be_visible()
    expect(says).to_contain_text(NO_TABLE)
    wire.mend()
    expect(says).to_have_text("Stay here: the table appears by itself.")


@pytest.mark.deep
def test_the_place_is_shared_by_the_phone(open_page, by):
    event = make.played(by, 12)
    entry = event.entries.get(number=3)
    page = open_page(PHONE)
    page.add_init_script("navigator.share = async (shared) => { window.shared = shared; };")
    page.goto(f"/p/{entries.make_link(entry=entry, by=by)}/")
    page.get_by_role("link", name="Condividi").tap()
    assert page.evaluate("window.shared.url").endswith(f"/events/{event.slug}/players/3/")
