"""An evening is shortened in the middle of it, counted in clicks: one act, one way back."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import PHONE
from tests.journeys.counting import counted
from tests.journeys.steps import follow
from tournaments.core.mapping import stored_plan
from tournaments.models import Event
from tournaments.players.services.entries import make_link

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def event(by) -> Event:
    """Return four Swiss rounds and a top 8 of 16 players, whose third round is out."""
    options = {"rounds": 4, "cut": 8}
    found = make.halfway(by, 16, rounds=2, formula="swiss-cut", options=options)
    make.next_round(found, by)
    return found


def shape(event: Event) -> tuple[int, list[tuple[int, int]]]:
    """Return how many rounds there are, and rounds and seats of each stage of the plan."""
    plan = stored_plan(Event.objects.get(pk=event.pk))
    return event.rounds.count(), [(stage.rounds, stage.size) for stage in plan.stages]


def told(page: Page) -> dict[str, str]:
    """Return what a change would bring, by its label."""
    rows = page.locator("dl.facts > div").all_inner_texts()
    return dict(re.split(r"\s*\n\s*", row.strip(), maxsplit=1) for row in rows)


def change(page: Page) -> None:
    follow(page.get_by_role("button", name="Change the plan"))
    expect(page).to_have_url(re.compile("/desk/$"))


def test_four_rounds_and_top_8_become_three_and_top_4_in_three_clicks_and_back_in_two(
    at_desk, open_page, event, by, axe
) -> None:
    page, phone = at_desk(event), open_page(PHONE)
    phone.goto(f"/p/{make_link(entry=event.entries.get(number=3), by=by)}/")
    follow(page.get_by_role("link", name="Change the plan"))
    axe(page)
    page.get_by_label("Rounds").fill("3")
    page.get_by_label("Top cut").select_option("4")
    follow(page.get_by_role("button", name="Preview"))
    axe(page)
    seen = told(page)
    assert (seen["Rounds"], seen["Top cut"]) == ("4 → 3", "8 → 4")
    assert "→" in seen["Expected end"]
    assert seen["Players who may finish undefeated"] == "2"
    assert "Cancelled" not in seen
    change(page)
    assert counted(page) == 3
    assert shape(event) == (3, [(3, 16), (0, 4)])
    phone.reload()
    expect(phone.locator("main")).to_contain_text("Turni: 4 → 3 · Top cut: 8 → 4")
    before = counted(page)
    page.locator(".undo-offer").first.get_by_role("button", name="Undo").click()
    follow(page.locator("#confirm-dialog").get_by_role("button", name="Undo"))
    assert counted(page) - before == 2
    assert shape(event) == (3, [(4, 16), (0, 8)])


@pytest.mark.deep
def test_the_evening_ends_after_the_rounds_made_and_the_paired_one_is_cancelled(
    at_desk, event
) -> None:
    page = at_desk(event)
    follow(page.get_by_role("link", name="Change the plan"))
    follow(page.get_by_role("button", name="Finish after round 2"))
    seen = told(page)
    assert (seen["Rounds"], seen["Cancelled"]) == ("4 → 2", "Round 3")
    change(page)
    assert counted(page) == 3
    assert shape(event) == (2, [(2, 16), (0, 8)])
