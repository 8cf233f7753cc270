"""Ticks of a deck check made while the connection comes and goes: each is stored in the end."""

import random

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import PHONE
from tests.journeys.steps import hurry, wait_until
from tournaments.checks import services as checks
from tournaments.models import DeckCheck

pytestmark = pytest.mark.django_db(transaction=True)
APART = 50
# Ticks some lines one after another, each as a finger does.
TAP = """async ([lines, apart]) => {
  for (const line of lines) {
    document.querySelector(`input[name=line][value="${line}"]`).click();
    await new Promise(resolve => setTimeout(resolve, apart));
  }
}"""


@pytest.fixture
def check(by) -> DeckCheck:
    event = make.playing(by, 4, decklists="required")
    return checks.check_player(entry=event.entries.get(number=1), by=by)


@pytest.fixture
def judge(open_as, by, check, wire, watch) -> Page:
    watch.allow += ["Failed to load resource", "htmx:"]
    path = f"/events/{check.event.slug}/checks/{check.pk}/"
    page = open_as(by.user, path, PHONE, base_url=wire.url)
    page.on("dialog", lambda dialog: dialog.accept())
    return page


def stored(check: DeckCheck) -> set[int]:
    return set(DeckCheck.objects.get(pk=check.pk).ticked)


@pytest.mark.parametrize("rounds", [3, pytest.param(100, marks=pytest.mark.deep)])
def test_no_tick_is_lost_while_the_line_comes_and_goes(judge, check, wire, rounds):
    draw = random.Random("ticks")
    lines = [
        int(each)
        for each in judge.locator("input[name=line]").evaluate_all(
            "all => all.map(one => one.value)"
        )
    ]
    wanted: set[int] = set()
    for _round in range(rounds):
        chosen = draw.sample(lines, 6)
        wanted ^= set(chosen)
        judge.evaluate(f"args => {{ window.ticking = ({TAP})(args); }}", [chosen, APART])
        judge.wait_for_timeout(draw.randrange(6 * APART))
        wire.cut()
        judge.evaluate("window.ticking")
        wire.mend()
        hurry(judge)
        wait_until(judge, lambda wanted=wanted: stored(check) == wanted)
    assert judge.locator("input[name=line]:checked").count() == len(wanted)


@pytest.mark.deep
def test_ticks_that_wait_are_sent_from_the_judges_tables(judge, check, wire):
    boxes = judge.locator("input[name=line]")
    wire.cut()
    for at in range(3):
        boxes.nth(at).tap()
    expect(judge.locator(".stored.unsaved")).to_contain_text("si inviano da sole")
    wire.mend()
    judge.goto(f"/events/{check.event.slug}/checks/")
    assert stored(check) == set()  # no page of judges' acts
    judge.goto(f"/events/{check.event.slug}/floor/")
    wait_until(judge, lambda: stored(check) == {0, 1, 2})
