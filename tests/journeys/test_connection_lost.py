"""A connection that is lost is said within five seconds, untouched, and what is typed arrives."""

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import PHONE
from tests.journeys.steps import all_sent, wait_until
from tests.journeys.test_desk import enter
from tests.journeys.wire import Wire
from tournaments.models import Match
from tournaments.players.services.entries import make_link

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
WITHIN = 5  # seconds


def lose(way: str, page: Page, wire: Wire) -> None:
    if way == "offline":
        page.context.set_offline(True)
    elif way == "cut":
        wire.cut()
    else:
        wire.stall()


def come_back(page: Page, wire: Wire) -> None:
    page.context.set_offline(False)
    wire.mend()


@pytest.fixture
def pages(open_page, open_as, by, wire: Wire) -> dict[str, Callable[[Match], Page]]:
    """Return functions that open the pages on which somebody acts."""

    def own(match: Match) -> Page:
        page = open_page(PHONE, base_url=wire.url)
        page.goto(f"/p/{make_link(entry=match.players[0], by=by)}/")
        return page

    def staff(match: Match, name: str) -> Page:
        return open_as(by.user, f"/events/{match.round.event.slug}/{name}/", base_url=wire.url)

    return {
        "own": own,
        "judge": lambda match: staff(match, "floor"),
        "desk": lambda match: staff(match, "desk"),
    }


@pytest.mark.parametrize("way", ["offline", "cut", "stall"])
@pytest.mark.parametrize("name", ["own", "judge", "desk"])
def test_a_lost_connection_is_said_within_five_seconds(pages, by, wire, watch, name, way) -> None:
    watch.allow += ["ERR_INTERNET_DISCONNECTED", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION"]
    match = make.playing(by, 4, formula="single-group").rounds.get().matches.get(table=1)
    page = pages[name](match)
    said = page.locator("#connection")
    expect(said).to_be_empty()
    page.wait_for_timeout(3000)
    expect(said).to_be_empty()
    lose(way, page, wire)
    begun = time.monotonic()
    expect(said).to_have_text(re.compile("No connection|connessione"), timeout=1000 * WITHIN)
    assert time.monotonic() - begun < WITHIN
    expect(said).to_be_in_viewport()
    come_back(page, wire)
    expect(said).to_be_empty(timeout=8000)


def test_a_report_typed_while_the_wifi_carries_nothing_arrives(pages, by, wire, watch) -> None:
    watch.allow += ["ERR_EMPTY_RESPONSE", "ERR_CONNECTION"]
    match = make.playing(by, 4, formula="single-group").rounds.get().matches.get(table=1)
    page = pages["own"](match)
    wire.stall()
    expect(page.locator("#connection")).not_to_be_empty(timeout=1000 * WITHIN)
    page.locator("input[name=own]").fill("40")
    page.locator("input[name=other]").fill("12")
    page.locator("form.report button.send").first.tap()
    expect(page.locator(".kept-notice.is-kept")).to_be_visible(timeout=20_000)
    assert not match.reports.exists()
    come_back(page, wire)
    wait_until(page, match.reports.exists)
    assert [(each.score_a, each.score_b) for each in match.reports.all()] == [(40, 12)]


def test_a_result_typed_at_a_desk_that_is_cut_off_covers_no_row_and_arrives(
    pages, by, wire, watch
) -> None:
    watch.allow += ["ERR_EMPTY_RESPONSE", "ERR_CONNECTION"]
    match = make.playing(by, 4, formula="single-group").rounds.get().matches.get(table=1)
    page = pages["desk"](match)
    wire.cut()
    expect(page.locator("#connection")).not_to_be_empty(timeout=1000 * WITHIN)
    enter(page, "1", "40 12")
    kept = page.locator("#outbox")
    expect(kept).to_be_visible()
    boxes = [place.bounding_box() for place in (kept, page.locator(".desk-row").first)]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
    come_back(page, wire)
    all_sent(page)
    expect(kept).to_be_hidden()
    assert Match.objects.get(pk=match.pk).decision.score_b == 12
