"""A result of the stage before is corrected, and who belongs there gets the seat."""

import pytest
from playwright.sync_api import expect

from tests.journeys.counting import counted
from tests.journeys.steps import follow
from tests.tournaments.corrections.test_follow import corrections, two_groups
from tournaments.models import Match

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_right_player_gets_the_seat_in_six_taps(at_desk, by) -> None:
    event = two_groups(by)
    match, shown = next(each for each in corrections(event, by) if each[1].why_not is None)
    page = at_desk(event)
    follow(page.get_by_role("link", name=f"Round {match.round.ordinal}", exact=True))
    row = page.locator("tr", has=page.get_by_text(match.players[0].name, exact=True))
    follow(row.get_by_role("link", name="Correct"))
    before = match.decision
    page.locator("[name=score_a]").fill(str(before.score_b))
    page.locator("[name=score_b]").fill(str(before.score_a))
    follow(page.get_by_role("button", name="See what it changes"))
    expect(page.get_by_role("heading", level=2).first).to_contain_text("belongs in group")
    follow(page.locator("button[name=later][value=follow]"))
    page.get_by_label("Reason").fill("Typed the wrong way round")
    follow(page.get_by_role("button", name="Put "))
    assert counted(page) <= 6
    event.refresh_from_db()
    stage = event.stages.get(number=2)
    given = [change.after for change in shown.follows.seats]
    assert set(given) <= set(stage.seats.values_list("entry__number", flat=True))
    again = Match.objects.filter(round__stage=stage).exclude(earlier=[])
    assert {each.state for each in again} == {Match.State.OPEN}
