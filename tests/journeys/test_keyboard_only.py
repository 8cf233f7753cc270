"""J1, J4, J5, J7, J9, J12 and J14 by keyboard only: no pointer, and the focus is always seen."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Locator, Page, expect

from rules.matches.match_rules import Claim
from tests import factories as make
from tests.journeys.counting import counted
from tests.journeys.test_desk_budgets import SWISS
from tests.level_players import all_drawn
from tournaments.models import Entry, Event, Match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
MOST_TABS = 250
SEEN = """element => {
  const box = element.getBoundingClientRect();
  const x = Math.min(Math.max(box.left + box.width / 2, 0), innerWidth - 1);
  const y = Math.min(Math.max(box.top + box.height / 2, 0), innerHeight - 1);
  const top = document.elementFromPoint(x, y);
  return box.height > 0 && box.bottom > 0 && box.top < innerHeight
    && Boolean(top) && (element.contains(top) || top.contains(element));
}"""


def reach(page: Page, wanted: Locator) -> None:
    """Press Tab until a control has the focus, and see that nothing covers it."""
    expect(wanted).to_be_visible()
    for _ in range(MOST_TABS):
        if wanted.evaluate("element => element === document.activeElement"):
            page.wait_for_function(SEEN, arg=wanted.element_handle())  # scrolling may still go on
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"not reached by Tab: {wanted}")


def press(page: Page, wanted: Locator) -> None:
    """Reach a control by Tab and press Enter."""
    reach(page, wanted)
    page.keyboard.press("Enter")


def follow(page: Page, wanted: Locator) -> None:
    """Reach what leads to another page, and press Enter as soon as it is possible."""
    reach(page, wanted)
    expect(wanted).not_to_have_attribute("aria-disabled", "true")
    with page.expect_navigation():
        page.keyboard.press("Enter")


@pytest.fixture
def opened(at_desk) -> Callable[..., Page]:
    """Return a function that opens a page; the pointer must not have been used at the end."""
    pages = []

    def begin(*args, **values) -> Page:
        pages.append(at_desk(*args, **values))
        return pages[-1]

    yield begin
    assert [counted(page) for page in pages] == [0] * len(pages)


def test_j1_a_new_event(opened, by):
    page = opened(make.event(by))
    page.goto("/")
    follow(page, page.get_by_role("link", name="New event"))
    follow(page, page.locator(".game-chips").get_by_role("link", name="Saint Seiya"))
    reach(page, page.get_by_label("Name", exact=True))
    page.keyboard.type("Coppa")
    reach(page, page.get_by_label("Date and time"))
    page.keyboard.type("112820261000AM")  # this browser asks for the month first
    expect(page.get_by_label("Date and time")).to_have_value("2026-11-28T10:00")
    reach(page, page.get_by_label("Expected players"))
    page.keyboard.type("33")
    expect(page.locator("#advice-line")).to_contain_text("33 players: 6 rounds and top 8")
    follow(page, page.get_by_role("button", name="Create the event"))
    made = Event.objects.get(name="Coppa")
    assert made.starts_at == datetime(2026, 11, 28, 9, tzinfo=UTC)
    assert (made.format, made.formula) == ("saint-seiya", "swiss-cut")


def test_j4_j5_and_j7_rounds_and_their_results(opened, by):
    event = make.started(by, 8, **SWISS)
    page = opened(event)
    for number in (1, 2):
        follow(page, page.get_by_role("button", name=f"Prepare round {number}"))
        follow(page, page.get_by_role("button", name=f"Publish round {number}"))
        assert event.rounds.get(ordinal=number).state == "published"
        page.goto(f"/events/{event.slug}/desk/")
        expect(page.locator("#quick-table")).to_be_focused()
        for table in range(1, 5):
            page.keyboard.type(str(table))
            page.keyboard.press("Enter")
            page.keyboard.type("20")
            page.keyboard.press("Enter")
        expect(page.locator("tr.desk-row[data-final]")).to_have_count(4)
    assert Match.objects.filter(round__event=event, state="final").count() == 8


def test_j7_what_is_missing_is_one_key_away(opened, by):
    event = make.playing(by, 12, **SWISS)
    page = opened(event)
    chip = page.locator(".block.missing a.chip").nth(4)
    reach(page, chip)
    page.keyboard.press("Enter")
    row = page.locator(".desk-row[data-table='5']")
    expect(row).to_be_in_viewport(ratio=1)
    expect(row.locator(":focus")).to_have_count(1)  # the row has the focus: a key enters it


def test_j9_a_correction_of_an_earlier_round(opened, by):
    event = make.playing(by, 8, **SWISS)
    make.play_round(event.rounds.get(), by, lambda _match, _index: Claim(score=(2, 0)))
    make.next_round(event, by)
    page = opened(event)
    follow(page, page.get_by_role("link", name="Round 1", exact=True))
    follow(page, page.get_by_role("link", name="Correct").first)
    follow(page, page.locator("fieldset.side").nth(1).get_by_role("button", name="2–0"))
    expect(page.get_by_role("heading", name="Correction:")).to_be_visible()
    page.keyboard.type("Typed the wrong way round")
    follow(page, page.get_by_role("button", name="Make only this correction"))
    assert Match.objects.get(round__ordinal=1, table=1).decision.winner == "b"


def test_j12_who_leaves_and_comes_back(opened, by):
    event = make.playing(by, 8, **SWISS)
    make.play_round(event.rounds.get(), by, lambda _match, _index: Claim(score=(2, 0)))
    leaves = Match.objects.get(round__event=event, table=3).players[1]
    page = opened(event)
    press(page, page.locator(".desk-row").get_by_role("link", name=f"Drop {leaves.name}"))
    asked = page.locator("#panel").get_by_role("button", name=f"Drop {leaves.name}")
    press(page, asked)
    expect(page.locator(".desk-row[data-table='3']")).to_contain_text("no longer plays")
    assert Entry.objects.get(pk=leaves.pk).status == Entry.Status.WITHDRAWN
    expect(page.locator(".last-acts")).to_contain_text(leaves.name)
    follow(page, page.locator(".last-acts").get_by_role("button", name="Undo"))
    assert Entry.objects.get(pk=leaves.pk).plays


def test_j14_a_stage_with_lots_is_closed(opened, by):
    event = make.started(by, 12)
    make.play_stage(event, by, all_drawn)
    page = opened(event)
    follow(page, page.get_by_role("link", name="Decide between tied players"))
    lots = 0
    while (draw := page.get_by_role("button", name="Make the random draw")).count():
        follow(page, draw.first)
        lots += 1
    follow(page, page.get_by_role("link", name="Who advances"))
    follow(page, page.get_by_role("button", name="Close “Groups” and prepare"))
    assert lots
    assert event.stages.get(number=1).state == "closed"
