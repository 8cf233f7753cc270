"""A season in a browser, at a phone's width: from the account to the final, counted in clicks."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from tests import factories as make
from tests.journeys.browser import DESK
from tests.journeys.counting import COUNT, counted
from tests.journeys.steps import Desk, follow, new_event, paste_players, sign_up
from tournaments.core.permissions import Actor
from tournaments.models import Event, Series
from tournaments.series.finals import find_final

pytestmark = [pytest.mark.deep, pytest.mark.django_db(transaction=True)]
NAMES = [
    f"{given} {surname}"
    for given in ("Anna", "Bruno")
    for surname in ["Alberti", "Bassi", "Conti", "Dossi", "Elia"]
]
STEP = ", ".join(
    f"{place} .button:not([aria-disabled=true], :disabled)" for place in (".next", ".draft-publish")
)
NARROW = {"width": 390, "height": 844}


@pytest.fixture
def page(live_server: object, open_page: Callable[..., Page]) -> Page:
    page = open_page(DESK)
    page.set_viewport_size(NARROW)
    page.context.add_init_script(COUNT)
    return page


def played(slug: str) -> None:
    """Play an event that has begun to its end."""
    event = Event.objects.get(slug=slug)
    by = Actor(user=User.objects.get(email="marta@example.org"))
    make.play_round(event.rounds.get(), by)
    make.play_event(event, by)


def begin(page: Page) -> None:
    """Open registration, pair and publish the first round, from the page of the players."""
    follow(page.locator("#next-step").get_by_role("button", name="Open registration").first)
    follow(page.locator("#next-step .button.primary"))
    if page.locator("#absent").count():  # nobody was checked in: asked once
        follow(page.get_by_role("button", name=re.compile("^(Pair|Draw) ")))
    follow(page.get_by_role("button", name=re.compile("^Publish ")))


def games(a: str, b: str) -> tuple[int, int]:
    """Return a result by which the player who comes first in the list wins."""
    return (2, 0) if NAMES.index(a) < NAMES.index(b) else (0, 2)


def play_at_desk(page: Page, slug: str) -> None:
    """Play an evening whose first round is out, and finish it, by the keys of the desk."""
    desk, event = Desk(page, slug), Event.objects.get(slug=slug)
    page.set_viewport_size(DESK["viewport"])
    desk.open()
    begun, keys = counted(page), counted(page, "keydown")
    while event.state == Event.State.RUNNING:
        desk.play(games)
        while not desk.waiting() and event.state == Event.State.RUNNING:
            expect(page.locator(f"[data-step], {STEP}").first).to_be_visible()
            with page.expect_navigation():
                page.keyboard.press("Control+Enter")
            event.refresh_from_db()
    page.set_viewport_size(NARROW)
    assert counted(page) == begun, "by keys alone"
    most = 6 * len(desk.entered) + 8 * event.rounds.count()
    assert counted(page, "keydown") - keys <= most, "six keys a result, four steps a round"


def test_a_season_from_the_account_to_the_final(page: Page, axe: Callable[[Page], None]) -> None:
    sign_up(page, "Marta", "marta@example.org")
    page.goto("/series/")
    begun = counted(page)
    follow(page.get_by_role("link", name="New series"))
    page.get_by_label("Name", exact=True).fill("Lega del venerdì")
    follow(page.get_by_role("button", name="Create the series"))
    assert counted(page) - begun == 2, "a name, and the usual points"
    series = Series.objects.get()

    first = new_event(page, "Creatures of Exo", "Venerdì 1")
    Event.objects.update(decklists=Event.Decklists.OFF)
    paste_players(page, first, NAMES)
    page.goto(f"{series.get_absolute_url()}events/")
    follow(page.get_by_role("button", name="Add", exact=True))
    expect(page.locator("main")).to_contain_text("Venerdì 1")
    page.goto(f"/events/{first}/manage/players/")
    begin(page)
    played(first)

    for friday in (2, 3):
        page.goto(series.get_absolute_url())
        begun = counted(page)
        follow(page.get_by_role("link", name="Events", exact=True).last)
        follow(page.get_by_role("button", name="Next evening"))
        follow(page.locator("#regulars").get_by_role("button", name="Add"))
        begin(page)
        clicks = counted(page) - begun
        assert clicks <= 12, f"Friday {friday} took {clicks} clicks"
        evening = series.events.order_by("starts_at").last()
        assert evening.entries.count() == len(NAMES)
        assert evening.rounds.get().state == "published"
        play = played if friday == 3 else partial(play_at_desk, page)
        play(evening.slug)

    page.goto(series.get_absolute_url())
    rows = page.locator("tbody[data-row]")
    expect(rows).to_have_count(len(NAMES))
    assert rows.first.locator("td.c:not(.rest)").count() == 3, "regulars are one person"
    axe(page)
    sheet = page.request.get(f"{series.get_absolute_url()}print/")
    assert sheet.headers["content-type"] == "application/pdf"

    begun = counted(page)
    follow(page.get_by_role("link", name="Events", exact=True).last)
    follow(page.get_by_role("link", name="Final"))
    follow(page.get_by_role("button", name="Invite"))
    assert counted(page) - begun == 3
    member = find_final(Series.objects.get())
    assert member is not None
    assert member.event.entries.count() == 8
    page.goto(f"{series.get_absolute_url()}events/")
    expect(page.locator("main")).to_contain_text(member.event.name)
