"""A judge with a phone: J21 (a deck check) and J22 (minutes, a penalty) in counted taps."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import PHONE
from tests.journeys.counting import COUNT_TAPS, taps
from tests.journeys.steps import follow
from tournaments.core.permissions import Actor
from tournaments.models import DeckCheck, JudgeCall, Match, Penalty, TimeExtension
from tournaments.players.services import entries
from tournaments.results.services import reports

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def event(by):
    return make.playing(by, 12, decklists="required")


@pytest.fixture
def hall(open_as, event) -> Callable[[], Page]:
    """Return a function that opens the tables on a judge's phone, where taps are counted."""

    def opened() -> Page:
        page = open_as(make.staff(event).user, settings=PHONE)
        page.context.add_init_script(COUNT_TAPS)
        page.goto(f"/events/{event.slug}/floor/")
        return page

    return opened


def narrow(page: Page) -> None:
    """Nothing is wider than the phone."""
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), page.url


@pytest.mark.deep
def test_j21_a_deck_check_at_random_in_three_taps(hall, event, axe):
    page = hall()
    follow(page.get_by_role("link", name="I mazzi"))
    follow(page.get_by_role("button", name="Sorteggia un tavolo"))
    expect(page.locator("#ticks")).to_be_visible()
    expect(page.get_by_role("timer")).to_contain_text(re.compile(r"\d:\d\d"))
    axe(page)
    narrow(page)
    follow(page.get_by_role("button", name=re.compile(r"^In regola: chiudi, ridai \d+ min")))
    assert taps(page) == 3
    done = DeckCheck.objects.get(finished_at__isnull=False)
    assert (done.outcome, TimeExtension.objects.get().match) == ("clean", done.match)
    expect(page.locator("#ticks")).to_be_visible()  # the other player of the table
    assert DeckCheck.objects.get(finished_at=None).match == done.match


def test_j22_extra_time_in_two_taps_and_back_in_one(hall, event, axe):
    page = hall()
    axe(page)
    page.locator(".tile").nth(4).tap()
    expect(page.get_by_role("dialog")).to_be_visible()
    axe(page)
    narrow(page)
    follow(page.get_by_role("button", name="+5"))
    assert taps(page) == 2
    given = TimeExtension.objects.get()
    assert (given.minutes, given.match.table, given.reason) == (5, 5, "Una decisione")
    expect(page.locator(".tile").nth(4)).to_contain_text("+5")
    follow(page.get_by_role("button", name="Annulla"))
    assert taps(page) == 3
    assert not TimeExtension.objects.exists()
    expect(page.locator(".tile").nth(4)).to_contain_text("in gioco")


def test_j22_a_penalty_in_four_taps(hall, event, axe):
    match = Match.objects.get(round__event=event, table=5)
    page = hall()
    page.locator(".tile").nth(4).tap()
    follow(page.get_by_role("dialog").get_by_role("link", name=match.players[1].name))
    page.locator("label", has_text="Ritardo").tap()
    expect(page.locator("#said-penalty")).to_have_text(
        f"Richiamo · {match.players[1].name} · Ritardo"
    )
    axe(page)
    narrow(page)
    follow(page.get_by_role("button", name="Assegna"))
    assert taps(page) == 4
    given = Penalty.objects.get()
    assert (given.entry, given.level, given.infraction) == (match.players[1], "caution", "Ritardo")
    # The next time the next step is proposed, and a fifth tap takes another one.
    page.locator(".tile").nth(4).tap()
    follow(page.get_by_role("dialog").get_by_role("link", name=match.players[1].name))
    page.locator("label", has_text="Ritardo").tap()
    expect(page.locator("#said-penalty")).to_contain_text("Ammonizione")
    page.locator("label", has_text="Partita persa").tap()
    expect(page.locator("#said-penalty")).to_contain_text("Partita persa")


@pytest.mark.deep
def test_j13_two_different_reports_are_settled_in_two_taps(hall, event, axe):
    match = Match.objects.select_related("round__event").get(round__event=event, table=4)
    for entry, index in ((match.players[0], 0), (match.players[1], 5)):
        claim = make.a_wins(match, index)
        reports.report_result(match=match, claim=claim, by=Actor(entry=entry))
    page = hall()
    page.locator(".floor-calls").get_by_role("link", name="Decidi").tap()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("button", name="Vale questo")).to_have_count(2)
    axe(page)
    narrow(page)
    follow(sheet.get_by_role("button", name="Vale questo").first)
    assert taps(page) == 2
    expect(page.locator(".tile").nth(3)).to_have_class(re.compile("final"))
    match.refresh_from_db()
    assert match.decision.score_b == 10


def test_a_call_is_one_tap_for_the_player_and_one_for_the_judge(
    hall, event, by, open_page, live_server
):
    match = Match.objects.get(round__event=event, table=3)
    page = hall()
    mine = open_page(PHONE)
    mine.goto(f"{live_server.url}/p/{entries.make_link(entry=match.players[0], by=by)}/")
    follow(mine.get_by_role("button", name="Chiama un giudice"))
    expect(mine.locator("main")).to_contain_text("Giudice chiamato alle")
    made = JudgeCall.objects.get()
    page.reload()
    before = page.locator(".floor-calls").bounding_box()
    expect(page.locator(".floor-calls")).to_contain_text(match.players[0].name)
    follow(page.get_by_role("button", name="Vado io"))
    assert taps(page) == 1
    made.refresh_from_db()
    assert made.taken_at is not None
    assert page.locator(".floor-calls").bounding_box() == before
    mine.reload()
    expect(mine.locator("main")).to_contain_text("Arriva un giudice")
    follow(page.get_by_role("button", name="Risolto"))
    assert taps(page) == 2
    assert page.locator(".floor-calls").bounding_box() == before  # empty or full
