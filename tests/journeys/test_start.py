"""From check-in to the published first round, in two clicks."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.counting import counted
from tests.journeys.steps import follow
from tournaments.core.permissions import Actor
from tournaments.models import Entry

pytestmark = [pytest.mark.deep, pytest.mark.django_db(transaction=True)]
SWISS = {"formula": "swiss-cut", "options": {"cut": 4}}


@pytest.mark.parametrize("path", ["manage/", "manage/arrivals/"])
@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (SWISS, "Pair round 1"),
        ({"formula": "groups-knockout"}, "Draw the groups"),
        ({"formula": "single-elimination"}, "Pair round 1"),
    ],
    ids=["swiss", "groups", "knock-out"],
)
def test_the_first_round_is_published_in_two_clicks(
    at_desk: Callable[..., Page],
    by: Actor,
    axe: Callable[[Page], None],
    settings: dict[str, object],
    words: str,
    path: str,
) -> None:
    event = make.open_event(by, format="creatures-of-exo", **settings)
    make.players(event, 8, by)
    event.entries.update(status=Entry.Status.CHECKED_IN)
    page = at_desk(event, path=path)
    follow(page.get_by_role("button", name=words))
    for name in event.entries.values_list("name", flat=True):
        expect(page.locator("main")).to_contain_text(name)
    axe(page)
    follow(page.get_by_role("button", name=re.compile("^Publish ")))
    assert counted(page) == 2
    assert event.rounds.get().state == "published"


def test_what_needs_an_answer_is_asked_and_no_more(
    at_desk: Callable[..., Page], by: Actor, axe: Callable[[Page], None]
) -> None:
    event = make.open_event(by, format="creatures-of-exo", **SWISS)
    make.players(event, 8, by)
    event.entries.exclude(number=5).update(status=Entry.Status.CHECKED_IN)
    page = at_desk(event, path="manage/")
    page.set_viewport_size({"width": 390, "height": 844})
    follow(page.get_by_role("button", name="Pair round 1"))
    expect(page.locator("#absent")).to_contain_text(event.entries.get(number=5).name)
    axe(page)
    for width in (390, 768, 1366):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("main code:visible, main details").count() == 0
    follow(page.get_by_role("button", name="Pair round 1"))
    expect(page.get_by_role("button", name="Publish round 1")).to_be_visible()
