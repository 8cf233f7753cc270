"""What an open page asks by itself, counted by a clock that the test moves."""

import re
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from playwright.sync_api import Page, Route, expect

from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import url
from tests.journeys.browser import PATIENCE, PHONE
from tests.scenes.base import SWISS
from tournaments.core.permissions import Actor
from tournaments.judging.services import create_announcement
from tournaments.models import Event, Match
from tournaments.pages.long_lists import FULL
from tournaments.players.services import entries
from tournaments.results.services.reports import report_result

pytestmark = pytest.mark.django_db(transaction=True)
# Jitter in the middle of its range, a page that can be hidden, a network that can be slow, and
# how many questions are on their way.
STILL = """
Math.random = () => 0.5;
window.network = {};
Object.defineProperty(navigator, "connection", { get: () => window.network });
let hidden = false;
Object.defineProperty(document, "hidden", { get: () => hidden });
window.hide = (now) => { hidden = now; document.dispatchEvent(new Event("visibilitychange")); };
window.open = 0;
const ask = window.fetch;
window.fetch = async (...asked) => {
  window.open += 1;
  try {
    const answer = await ask(...asked);
    await answer.clone().arrayBuffer();  // an answer is there once it is read whole
    return answer;
  } finally {
    window.open -= 1;
  }
};
"""
NOON = datetime(2026, 12, 5, 12, tzinfo=UTC)
FIRST, EVERY = 7, 10  # seconds until the first question, and between two
DESK = 1.6  # the same at a desk, which sees within two seconds what another one stores


class Asking:
    """A page, what it has asked since it was opened, and its time."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.asked: Counter[str] = Counter()
        page.add_init_script(STILL)
        page.clock.install(time=NOON)
        page.clock.pause_at(NOON + timedelta(seconds=1))
        page.on("request", self.note)

    def note(self, request) -> None:
        if request.resource_type in ("fetch", "xhr") and "/health/" not in request.url:
            self.asked[request.url.partition("/events/")[2].partition("?")[0]] += 1

    def open(self, address: str) -> None:
        """Open a page."""
        self.page.goto(address)
        self.asked.clear()

    def answer(self, how: Callable[[Route], None] | None) -> None:
        """Answer the questions of the page in another way, or again by the site."""
        self.page.unroute_all()
        if how:
            self.page.route("**/events/**", how)

    def passes(self, seconds: float, then: str = "", *, step: float = 1) -> int:
        """Do something and let time pass; return how many questions the page asked.

        Answers come at the end of a step: to the page they seem to take as long.
        """
        before = self.asked.total()
        self.page.evaluate(then)
        self.settle()
        for _step in range(round(seconds / step)):
            self.page.clock.run_for(round(1000 * step))
            self.settle()
        return self.asked.total() - before

    def settle(self) -> None:
        """Wait for the answers that are on their way."""
        end = time.monotonic() + PATIENCE / 1000
        while self.page.evaluate("window.open"):
            assert time.monotonic() < end


def refuse(status: int, route: Route) -> None:
    """Answer as a server that is busy for two minutes."""
    route.fulfill(status=status, headers={"Retry-After": "120"})


@pytest.fixture
def event(by) -> Event:
    return make.playing(by, 4)


@pytest.fixture
def asking(open_as, by, event) -> Asking:
    """Return the phone of an organiser who plays at table 1 too."""
    match = event.rounds.get().matches.get(table=1)
    link = f"/p/{entries.make_link(entry=match.players[0], by=by)}/"
    return Asking(open_as(by.user, link, PHONE, locale="en-GB"))


@pytest.mark.deep
def test_one_question_each_time_for_all_that_a_page_shows(asking, event):
    """The desk asks for phones too: those who wait raise no version of the event."""
    for name, first, every, asked in (
        ("pairings", FIRST, EVERY, {"pairings/": 3}),
        ("standings", FIRST, EVERY, {"standings/": 3}),
        ("me", FIRST, EVERY, {"me/now/": 3}),
        ("desk", DESK, DESK, {"desk/tables/": 3, "desk/join/": 1}),
    ):
        asking.open(url(name, event))
        asking.passes(first + 2 * every, step=every / 10)
        assert asking.asked == {f"{event.slug}/{part}": n for part, n in asked.items()}, name


def test_hidden_pages_ask_nothing_and_shown_again_they_ask_at_once(asking, event):
    asking.open(url("me", event))
    assert asking.passes(FIRST) == 1
    asking.page.evaluate("window.hide(true)")
    assert asking.passes(5 * EVERY, step=EVERY) == 0
    assert asking.passes(0, then="window.hide(false)") == 1
    assert asking.passes(EVERY - 1) == 0
    assert asking.passes(1) == 1


@pytest.mark.deep
def test_a_page_asks_less_where_answers_are_slow_or_missing(asking, event, watch):
    watch.allow += ["status of 503", "status of 429", "ERR_CONNECTION_REFUSED"]
    asking.open(url("pairings", event))
    asking.page.evaluate("window.network = { effectiveType: '2g' }")
    assert asking.passes(FIRST) == 1
    assert asking.passes(3 * EVERY - 1) == 0
    asking.page.evaluate("window.network = {}")
    assert asking.passes(2) == 1
    # No connection: twice as long each time.
    asking.answer(lambda route: route.abort("connectionrefused"))
    assert asking.passes(EVERY) == 1
    assert [asking.passes(2 * EVERY), asking.passes(4 * EVERY)] == [1, 1]
    expect(asking.page.locator("#connection")).to_contain_text("No connection")
    asking.answer(None)
    assert asking.passes(2, then="window.dispatchEvent(new Event('online'))") == 1
    expect(asking.page.locator("#connection")).to_be_empty()
    assert asking.passes(EVERY) == 1
    # A server that is busy says when to come back; nothing brings the page back earlier.
    for status in (503, 429):
        asking.answer(partial(refuse, status))
        assert asking.passes(EVERY) == 1
        asking.answer(None)
        assert asking.passes(119, then="window.hide(true); window.hide(false)", step=17) == 0
        assert asking.passes(50, step=10) >= 1


@pytest.mark.deep
def test_what_is_typed_goes_along_when_the_page_is_exchanged(asking, event, by):
    page = asking.page
    asking.open(url("me", event))
    page.locator(".call-judge summary").tap()
    page.locator("#call-reason").fill("Carta dubbia")
    page.locator("#own").fill("40")
    create_announcement(event=event, text="Pausa alle 12", minutes=30, by=by)
    asking.passes(FIRST)
    expect(page.locator(".announcement")).to_have_count(0)  # not while a finger is in the field
    page.locator("#own").blur()
    asking.passes(1)
    expect(page.locator(".announcement")).to_contain_text("Pausa alle 12")
    expect(page.locator("#own")).to_have_value("40")
    expect(page.locator("#call-reason")).to_have_value("Carta dubbia")
    expect(page.locator("#call-reason")).to_be_visible()

    # Where the new page has no such field the reader decides.
    match = event.rounds.get().matches.get(table=1)
    report_result(match=match, claim=Claim(score=(22, 40)), by=Actor(entry=match.players[1]))
    asking.passes(EVERY)
    expect(page.locator("#own")).to_have_value("40")
    page.get_by_role("button", name="Reload the page").tap()
    expect(page.locator(".my-match")).to_contain_text(f"{match.players[1].name} reported:")
    expect(page.get_by_role("button", name="Reload the page")).to_be_hidden()


@pytest.mark.deep
def test_what_is_pressed_is_not_exchanged_before_its_click(asking, event, by):
    page = asking.page
    asking.open(url("me", event))
    asking.passes(FIRST - 0.5, step=0.5)
    page.locator(".call-judge summary").hover()
    page.mouse.down()
    create_announcement(event=event, text="Pausa alle 12", minutes=30, by=by)
    assert asking.passes(1, step=0.5) == 1
    expect(page.locator(".announcement")).to_have_count(0)
    page.mouse.up()
    expect(page.locator("#call-reason")).to_be_visible()
    asking.passes(1)
    expect(page.locator(".announcement")).to_contain_text("Pausa alle 12")
    expect(page.locator("#call-reason")).to_be_visible()
    # A menu may swallow the end of a press: what is new comes all the same.
    create_announcement(event=event, text="Pausa alle 13", minutes=30, by=by)
    page.mouse.down()
    asking.passes(EVERY + 2)
    expect(page.locator(".announcement")).to_have_count(2)


@pytest.mark.deep
def test_whom_another_page_has_is_found_while_typing(open_page, by):
    event = make.playing(by, FULL + 12, **SWISS)
    page = open_page(PHONE)
    page.goto(url("pairings", event))
    last = Match.objects.get(round__event=event, table=FULL // 2 + 1).players[0].name
    cell = page.locator("#by-table td a").get_by_text(last, exact=True)
    expect(cell).to_have_count(0)
    page.locator("#find").press_sequentially(last.lower())
    expect(cell).to_be_visible()
    expect(page.locator("#live")).to_have_attribute("data-poll", re.compile(r"\?find="))
    page.locator("#find").fill("")
    expect(page.locator("#by-table tbody tr")).to_have_count(FULL // 2)
