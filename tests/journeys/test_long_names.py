"""Long names in a knock-out on a phone, with usual letters and with letters twice as large."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests import factories as make
from tests.journeys.browser import PHONE
from tests.journeys.letters import SIDEWAYS, letter_problems
from tournaments.core.permissions import Actor
from tournaments.lots import services as draws
from tournaments.models import Event
from tournaments.starting import services as starting

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
NAMES = (
    *("Massimiliano Quattrocchi", "Bartolomea Strozzapreti Montalcino", "Ali"),
    *("Vercingetorige Malaspina-Fieschi", "Mariantonietta Bevilacqua", "Bo Xu"),
    *("Cristoforo Pappalettera", "Wolfeschlegel Delle Monache"),
)


@pytest.mark.parametrize(
    ("language", "formula"),
    [
        ("it", "single-elimination"),
        pytest.param("en", "single-elimination", marks=pytest.mark.deep),
        pytest.param("it", "double-elimination", marks=pytest.mark.deep),
        pytest.param("en", "double-elimination", marks=pytest.mark.deep),
    ],
)
def test_no_word_of_a_name_is_split(
    open_page: Callable[..., Page], by: Actor, language: str, formula: str
) -> None:
    event = make.open_event(by, formula=formula, format="creatures-of-exo")
    make.players_more(event, NAMES, by)
    draw = draws.draw_start_order(event=event, seed="seed", by=by)
    starting.start_event(event=event, draw_number=draw.number, by=by)
    event = Event.objects.get(pk=event.pk)
    make.play_round(make.next_round(event, by), by)
    second = make.next_round(event, by)
    phone = open_page(PHONE, locale=language)
    assert problems(phone, event, "", "bracket/?p=1", "pairings/", "pairings/1/1/") == []
    make.play_round(second, by)
    make.play_event(event, by)
    assert problems(phone, event, "", "bracket/", "players/1/") == []


def problems(phone: Page, event: Event, *pages: str) -> list[str]:
    """Return what is wrong with the letters of some public pages of an event."""
    found: list[str] = []
    for page in pages:
        phone.goto(f"/events/{event.slug}/{page}")
        found += letter_problems(phone, SIDEWAYS, public=True)
    return found
