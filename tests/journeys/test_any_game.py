"""Games that did not come with the program: an evening each, counted, to the printed result."""

import os
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests import factories as make
from tests.journeys.browser import DESK, PHONE
from tests.journeys.counting import COUNT, counted
from tests.journeys.steps import (
    ADD,
    PASSWORD,
    follow,
    on_first_screen,
    paste_deck,
    typed_game,
)
from tournaments.core.permissions import Actor
from tournaments.lots.services import draw_start_order
from tournaments.models import Event, Match
from tournaments.starting.services import start_event
from tournaments.verification.event import verify_event

pytestmark = [pytest.mark.deep, pytest.mark.django_db(transaction=True)]
NAMES = [
    f"{given} {surname}"
    for given in ("Anna", "Bruno", "Carla", "Dario")
    for surname in ("Alberti", "Bassi", "Conti", "Dossi")
]
LOOKS = os.environ.get("LOOKS")
"""A folder for pictures of what the journeys see."""
LISTS = Path(__file__).parents[1] / "golden" / "ready"
OTHERS = re.compile(
    r"doomtrooper|creatures of exo|thoom|saint seiya|promotion point", re.IGNORECASE
)


def looked(page: Page, name: str) -> None:
    """Keep a picture where somebody wants to look, and see that no other game is named."""
    assert OTHERS.search(page.locator("body").inner_text()) is None
    if LOOKS:
        page.screenshot(path=Path(LOOKS) / f"{name}.png", full_page=True)


@pytest.fixture
def organiser(open_as: Callable[..., Page], by: Actor) -> Page:
    page = open_as(by.user, settings=DESK)
    page.context.add_init_script(COUNT)
    return page


def made(page: Page, game: str, format_name: str) -> Event:
    """Make an event of a ready-made game, from the front page, and open its registration."""
    page.goto("/")
    follow(page.get_by_role("link", name="New event"))
    typed_game(page, game)
    if format_name:
        follow(page.locator(".format-chips").get_by_role("link", name=format_name))
    page.get_by_label("Name", exact=True).fill(f"{game} evening")
    page.get_by_label("Date and time").fill("2027-05-08T20:30")
    if page.locator("[name=decklists]").input_value() == "required":
        page.locator("[name=decklists]").select_option("optional")
    on_first_screen(page)
    follow(page.get_by_role("button", name="Create the event"))
    follow(page.get_by_role("button", name="Open registration"))
    return Event.objects.get()


def signs_up(phone: Page, slug: str, name: str, cards: str) -> None:
    """Make an account on a phone, register with it, and hand in the list, if there is one."""
    phone.goto(f"/accounts/signup/?next=/events/{slug}/register/")
    email = f"{name.lower().replace(' ', '.')}@example.org"
    for field, text in (("name", name), ("email", email), ("password1", PASSWORD)):
        phone.locator(f"[name={field}]").fill(text)
    follow(phone.locator("main form button:not([type=button])").first)
    expect(phone.locator("[name=name]")).to_have_value(name)
    looked(phone, f"{slug}-{name}-register")
    follow(phone.get_by_role("button", name="Iscriviti", exact=True))
    if cards:
        paste_deck(phone, slug, (LISTS / f"{cards}.txt").read_text(encoding="utf-8"))
        expect(phone.locator("main")).to_contain_text(
            "Dimensioni e copie corrette. Non controllati:"
        )
        looked(phone, f"{slug}-{name}-list")
    phone.goto(f"/events/{slug}/me/")
    looked(phone, f"{slug}-{name}-me")


def add_players(page: Page, names: list[str]) -> None:
    """Enter those who did not sign up, a name a line."""
    expect(page).to_have_url(re.compile("/manage/players/$"))
    page.get_by_label("Players, one per line").fill("\n".join(names))
    follow(page.get_by_role("button", name="Preview"))
    follow(page.get_by_role("button", name=ADD))


def first_round(page: Page, *, by_keys: bool) -> None:
    """Pair the first round and publish it; ``by_keys`` as the button says: Ctrl and Enter."""
    before = counted(page)
    follow(page.get_by_role("button", name="Pair round 1"))
    pressed = page.get_by_role("button", name="Publish round 1")
    expect(pressed).to_be_visible()
    if by_keys:
        with page.expect_navigation():
            page.keyboard.press("Control+Enter")
    else:
        follow(pressed)
    assert counted(page) - before == 2 - by_keys


def played(page: Page, event: Event, by: Actor, first: Callable[[Page, Match], None]) -> None:
    """Enter the first result as somebody does at the desk, all others too; print the result."""
    item = event.rounds.get()
    match = Match.objects.filter(round__event=event).order_by("table")[0]
    page.locator("#quick-table").focus()
    first(page, match)
    expect(page.locator(f"#row-{match.pk}")).to_have_attribute("data-final", "")
    looked(page, f"{event.slug}-desk")
    make.play_round(item, by)
    make.play_event(Event.objects.get(pk=event.pk), by)
    for name in ("", "standings/", "pairings/", "rules/"):
        page.goto(f"/events/{event.slug}/{name}")
        looked(page, f"{event.slug}-{name.strip('/') or 'event'}")
    assert list(verify_event(Event.objects.get(pk=event.pk))) == []
    answer = page.request.get(f"/events/{event.slug}/print/standings.pdf")
    assert answer.ok, answer.status
    assert answer.body().startswith(b"%PDF")
    if LOOKS:
        (Path(LOOKS) / f"{event.slug}.pdf").write_bytes(answer.body())


def typed(text: str) -> Callable[[Page, Match], None]:
    """Return how a result is typed at the desk's line."""

    def enter(page: Page, match: Match) -> None:
        for part in (str(match.table), text):
            page.keyboard.type(part)
            page.keyboard.press("Enter")

    return enter


@pytest.mark.parametrize(
    ("game", "name", "cards", "text", "most"),
    [
        ("Magic", "Pauper", "magic-constructed/legal-sixty-and-fifteen", "2 1", 10),
        ("Pokémon", "", "pokemon-standard/legal-as-exported", "2 0", 10),
        ("Chess", "", "", "=", 9),
    ],
)
def test_a_league_night(
    organiser: Page,
    open_page: Callable[..., Page],
    by: Actor,
    game: str,
    name: str,
    cards: str,
    text: str,
    most: int,
) -> None:
    """Two sign up by their phones, the others are entered; one click more opens registration."""
    event = made(organiser, game, name)
    add_players(organiser, NAMES[2:])
    phones = [open_page(PHONE) for _name in NAMES[:2]]
    for phone, player in zip(phones, NAMES, strict=False):
        signs_up(phone, event.slug, player, cards)
    organiser.reload()
    first_round(organiser, by_keys=most < 10)
    assert counted(organiser) <= most
    played(organiser, event, by, typed(text))
    for phone, player in zip(phones, NAMES, strict=False):
        phone.reload()
        looked(phone, f"{event.slug}-{player}-end")


def test_two_events_in_one_hall_are_told_apart_in_one_click(
    at_desk: Callable[..., Page], by: Actor
) -> None:
    begins = timezone.now() + timedelta(hours=1)
    hall = {"venue": "Circolo La Torre", "starts_at": begins}
    make.event(by, tables="1-12", **hall)
    second = make.event(by, tables="1-4", **hall)
    page = at_desk(second, path="manage/settings/")
    expect(page.get_by_text("Tables in common with")).to_be_visible()
    follow(page.get_by_role("button", name=re.compile("^Move to tables")))
    assert counted(page) == 1
    second.refresh_from_db()
    assert second.tables.startswith("13")


def test_a_waiting_player_enters_after_the_start_in_one_click(
    at_desk: Callable[..., Page], by: Actor
) -> None:
    event = make.open_event(by, formula="swiss-cut", capacity=8, decklists="off")
    make.players(event, 9, by)
    waiting = event.entries.get(status="waiting")
    draw = draw_start_order(event=event, by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    page = at_desk(event, path=f"manage/players/{waiting.number}/")
    follow(page.get_by_role("button", name="Pair from the next round"))
    assert counted(page) == 1
    waiting.refresh_from_db()
    assert waiting.status != "waiting"
