"""The clock of a page that was kept, opened without connection: it counts to the same end.

Time passes by the page's own clock, half an hour wrong; the worker keeps what the page has told it.
"""

import re
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from rules.events.clock import ClockAction
from tests import factories as make
from tests.journeys.browser import PHONE
from tests.journeys.clocked import nearly_over
from tests.journeys.steps import hurry, wait_until
from tests.journeys.test_offline import CONTROLLED, keeps
from tournaments.clock.services import extend_time, run_clock
from tournaments.core.clocks import clock_from_row, current_moment
from tournaments.models import Event, Match, RoundClock
from tournaments.players.services.entries import make_link

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
WRONG = timedelta(minutes=30)
AWAY = 40
TOLD = """async href => {
  for (const name of await caches.keys()) {
    const at = `/offline/news?of=${encodeURIComponent(href)}`;
    const found = await (await caches.open(name)).match(at);
    if (found) return (await found.json()).clock || "";
  }
  return "";
}"""
FACE = re.compile(r"(\+?)(\d+):(\d\d)")


@pytest.fixture
def event(by) -> Event:
    event = make.playing(by, 4)
    run_clock(event=event, ordinal=1, action=ClockAction.START, by=by)
    nearly_over(1800)
    return event


@pytest.fixture
def reader(open_as, by, wire, watch) -> Page:
    """Return the organiser's phone, half an hour late, whose site has a worker."""
    watch.allow.append("ERR_FAILED")
    page = open_as(by.user, settings=PHONE, base_url=wire.url, service_workers="allow")
    page.clock.install(time=datetime.now() - WRONG)  # noqa: DTZ005 - the phone's own
    page.goto("/formats/")
    wait_until(page, lambda: page.evaluate(CONTROLLED))
    return page


def seconds(face: str) -> int:
    sign, minutes, rest = FACE.search(face).groups()
    return (60 * int(minutes) + int(rest)) * (-1 if sign else 1)


def left() -> float:
    """Return the seconds left of the only clock by the server."""
    return clock_from_row(RoundClock.objects.get(), 50).left(current_moment())


def read(page: Page, address: str) -> None:
    """Open a page, and wait until what it tells of its clock is kept."""
    page.goto(address)
    keeps(page, address)
    wait_until(page, lambda: page.evaluate(TOLD, page.url))


def holds(page: Page, more: int = 0) -> None:
    """See that a kept clock is grey, says of when it is, and is right within a second."""
    clock = page.locator("[data-clock]").first
    expect(clock).to_have_class(re.compile("copy"))
    expect(clock.locator(".clock-copy")).to_have_text(
        re.compile(r"^aggiornato alle \d\d:\d\d, offline$")
    )
    before = left()
    shown = seconds(clock.locator(".clock-face").text_content())
    assert left() - 1 <= shown - more + AWAY <= before + 2, (before, shown)


def test_every_page_counts_to_the_same_end_without_connection(reader, event, by, wire, axe):
    pages = ["", "pairings/", "floor/", "desk/", "screen/"]
    for page in pages:
        read(reader, f"/events/{event.slug}/{page}")
    reader.goto("/")
    expect(reader.locator(".card-clock")).to_have_text(re.compile(r"^\d+:\d\d$"))
    assert abs(seconds(reader.locator(".card-clock").text_content()) - left()) <= 2
    keeps(reader, "/")
    wire.cut()
    reader.clock.fast_forward(1000 * AWAY)
    for page in pages:
        reader.goto(f"/events/{event.slug}/{page}")
        expect(reader.locator(".stand")).to_contain_text("Offline dalle ")
        holds(reader)
    axe(reader)
    reader.goto("/")
    card = reader.locator(".card-clock.copy")
    expect(card).to_contain_text("aggiornato alle ")
    assert abs(seconds(card.text_content()) + AWAY - left()) <= 2  # a date is in whole seconds


@pytest.mark.deep
def test_what_was_told_since_is_what_a_player_sees_again(reader, event, by, wire, axe):
    match = Match.objects.select_related("round__event").get(round__event=event, table=1)
    reader.goto(f"/p/{make_link(entry=match.players[0], by=by)}/")
    read(reader, f"/events/{event.slug}/me/")
    extend_time(match=match, minutes=5, reason="Chiamata", by=by)
    hurry(reader)
    expect(reader.locator("[data-clock]")).to_have_attribute("data-extra", "5")
    part = TOLD.replace(".clock", ".part")
    wait_until(reader, lambda: "data-extra" in reader.evaluate(part, reader.url))
    wire.cut()
    reader.clock.fast_forward(1000 * AWAY)
    reader.reload()
    holds(reader, more=300)
    ends = datetime.now() + timedelta(seconds=left() + 300)  # noqa: DTZ005 - of Rome, as the event
    axe(reader)

    reader.clock.fast_forward(2_200_000)
    clock = reader.locator("[data-clock]")
    expect(clock.locator(".clock-face")).to_be_hidden()
    told = clock.locator(".clock-note").text_content()
    assert told in {f"Doveva finire alle {ends + timedelta(seconds=s):%H:%M}" for s in (-45, 0)}
    wire.mend()
    hurry(reader)
    expect(clock).not_to_have_class(re.compile("copy"))


@pytest.mark.deep
def test_a_stopped_clock_stands_still_in_a_copy_too(reader, event, by, wire):
    read(reader, f"/events/{event.slug}/")
    run_clock(event=event, ordinal=1, action=ClockAction.PAUSE, by=by)
    hurry(reader)
    wait_until(reader, lambda: "paused" in reader.evaluate(TOLD, reader.url))
    wire.cut()
    reader.clock.fast_forward(1000 * AWAY)
    reader.reload()
    clock = reader.locator("[data-clock]")
    expect(clock.locator(".clock-note")).to_have_text("Il timer è in pausa.")
    expect(clock.locator(".clock-copy")).to_contain_text("aggiornato alle")
    assert abs(seconds(clock.locator(".clock-face").text_content()) - left()) <= 1
