"""A tie that nothing separates, settled at the table: from the desk to the players' phones."""

import pytest
from playwright.sync_api import expect

from tests.journeys.browser import PHONE
from tests.journeys.steps import confirm, follow, report
from tests.level_players import two_level
from tournaments.core.event_state import load_facts
from tournaments.models import Stage
from tournaments.players.services.entries import make_link

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def event(by):
    return two_level(by)


@pytest.mark.deep
def test_an_extra_match_from_the_tie_to_the_final(open_as, open_page, by, event, axe) -> None:
    tied = load_facts(event).open_stage.outcome.lots_needed[0]
    links = {n: make_link(entry=event.entries.get(number=n), by=by) for n in tied}
    desk = open_as(by.user, f"/events/{event.slug}/desk/")
    follow(desk.locator("#next").get_by_role("link", name="Decide between level players"))
    axe(desk)
    follow(desk.get_by_role("button", name="Prepare the extra match"))
    expect(desk.get_by_role("heading", name="Extra match for place 2")).to_be_visible()
    follow(desk.get_by_role("button", name="Publish “Extra match for place 2”"))
    expect(desk.get_by_role("heading", name="Extra match for place 2")).to_be_visible()
    desk.goto(f"/events/{event.slug}/lots/")
    expect(desk.get_by_text("wait for its results")).to_be_visible()

    winner, loser = max(tied), min(tied)
    first, second = open_page(PHONE), open_page(PHONE)
    for phone, number in ((first, winner), (second, loser)):
        phone.goto(f"/p/{links[number].rpartition('/p/')[2].strip('/')}/")
        phone.goto(f"/events/{event.slug}/me/")
        expect(phone.get_by_role("heading", name="Spareggio per il posto 2")).to_be_visible()
        expect(phone.get_by_text("questa partita decide l’ordine")).to_be_visible()
    axe(first)
    report(first, event.slug, 40, 25)
    confirm(second, event.slug)

    spectator = open_page()
    spectator.goto(f"/events/{event.slug}/pairings/")
    expect(spectator.get_by_role("heading", name="Extra match for place 2")).to_be_visible()
    spectator.goto(f"/events/{event.slug}/standings/")
    follow(spectator.get_by_role("link", name="Why this order?"))
    expect(spectator.locator("main")).to_contain_text("Extra match among")

    desk.goto(f"/events/{event.slug}/desk/")
    follow(desk.locator("#next").get_by_role("link", name="See who goes on"))
    desk.get_by_role("button", name="Close ").click()
    expect(desk.locator("#messages .good")).to_be_visible()
    facts = load_facts(event)
    assert facts.stages[0].stage.state == Stage.State.CLOSED
    assert winner in facts.open_stage.state.players
    assert loser not in facts.open_stage.state.players
