"""A formula built from nothing, an event made with it and started; with and without JavaScript.

Use, J1: somebody who has never seen the builder clicks through it.
"""

import re

import pytest
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.steps import follow, made, paste_players, sign_up
from tournaments.core.permissions import Actor
from tournaments.events import services as events
from tournaments.lots import services as draws
from tournaments.models import Event
from tournaments.starting import services as starting

PLAYERS = [make.player_name(index) for index in range(12)]


def build(page: Page, name: str, live: bool) -> None:
    """Build three groups of four and a knock-out with the two best thirds.

    live: scripts run on the page; its forms are then sent without leaving it.
    """
    page.goto("/formulas/")
    follow(page.get_by_role("link", name="New tournament format").first)
    follow(page.get_by_role("link", name="Empty"))
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Minimum players").fill("12")
    page.get_by_label("Maximum players").fill("12")
    page.get_by_role("button", name="Round robin").click()
    first = page.get_by_role("region", name="Stage 1: Groups")
    first.get_by_label("Number of groups").fill("3")
    if live:
        page.keyboard.press("Tab")
    else:
        follow(page.get_by_role("button", name="Preview"))
    expect(first.get_by_role("group", name="Group D")).to_have_count(0)
    page.get_by_role("button", name="Knock-out").click()
    second = page.get_by_role("region", name="Stage 2: Knock-out")
    expect(second.get_by_role("combobox", name=re.compile("Seat 1$"))).to_have_value("rank-1-1-1-0")
    chosen = second.locator("ol.seats option:checked")
    expect(chosen.filter(has_text=re.compile("^Best 3rd-placed"))).to_have_count(1)
    expect(chosen.filter(has_text=re.compile("^2nd best 3rd-placed"))).to_have_count(1)


@pytest.mark.deep
@pytest.mark.django_db(transaction=True)
def test_best_thirds_from_nothing_to_the_start(live_server, desk, axe) -> None:
    page = desk
    sign_up(page, "Marta", "marta@example.org")
    build(page, "Coppa di maggio", live=True)
    plays = page.get_by_role("complementary", name="Preview")
    expect(plays).to_contain_text("Playable")
    plays.get_by_text("Players: 12 · Rounds: 6 · Matches: 25").click()
    expect(plays.get_by_role("table", name="With 12 players")).to_contain_text("Groups: 3 × 4")
    # A place taken twice is said at once, where it is, and put right.
    last = page.locator("#stage-2-group-1-seat-8")
    last.focus()
    last.select_option(label="1st of group A – used in stage 2")
    expect(page.locator("#stage-2-problems")).to_contain_text("is used more than once")
    expect(last).to_be_focused()
    axe(page)
    last.select_option("best-1-0-3-2")
    expect(plays).to_contain_text("Playable")
    follow(page.get_by_role("button", name="Save"))
    expect(page.locator("#messages")).to_contain_text("Saved.")
    follow(page.get_by_role("link", name="Use in a new event – Coppa di maggio"))
    follow(page.locator(".game-chips").get_by_role("link", name="Magic"))
    chosen = page.locator("#id_formula label").filter(has=page.locator(":checked"))
    expect(chosen).to_have_text("Coppa di maggio")
    expect(chosen).to_have_attribute("title", "Coppa di maggio (12–12)")
    page.get_by_label("Name", exact=True).fill("Torneo di maggio")
    page.get_by_label("Date and time").fill("2027-05-08T10:00")
    slug = made(page)
    paste_players(page, slug, PLAYERS)
    start(slug)
    page.goto(f"/events/{slug}/formula/")
    picture = page.get_by_role("img", name="The tournament format of Torneo di maggio")
    for words in ("Groups", "Knock-out", "Best 3rd-placed", "2nd best 3rd-placed", PLAYERS[11]):
        expect(picture).to_contain_text(words)


def start(slug: str) -> None:
    """Start an event without decklists, as its organiser does."""
    event = Event.objects.get(slug=slug)
    by = Actor(user=event.created_by)
    if event.state == Event.State.DRAFT:
        event = events.change_event_state(event=event, action="open_registration", by=by)
    event = events.change_event(event=event, changes={"decklists": Event.Decklists.OFF}, by=by)
    draw = draws.draw_start_order(event=event, seed="seed", by=by)
    starting.start_event(event=event, draw_number=draw.number, by=by)


@pytest.mark.deep
@pytest.mark.django_db(transaction=True)
def test_the_same_without_javascript(live_server, open_page) -> None:
    page = open_page(java_script_enabled=False)
    sign_up(page, "Marta", "marta@example.org")
    build(page, "Coppa di giugno", live=False)
    follow(page.get_by_role("button", name="Save"))
    expect(page.locator("#messages")).to_contain_text("Saved.")
    expect(page.get_by_role("listitem").filter(has_text="Groups: 3 × 4").first).to_be_visible()
