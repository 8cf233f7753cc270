"""The first screens of players, published decklists and statistics: rows, and what fits."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.journeys.browser import DESK, PHONE
from tests.journeys.first_screens import moved, rows_in_sight
from tests.journeys.letters import SIDEWAYS, letter_problems

pytestmark = pytest.mark.deep

LARGE = PHONE | {"viewport": {"width": 390, "height": 844}}
FINISHED = "/events/demo-finished/"
WIDER = """(all) => all.filter(each => {
  const card = each.closest(".panel").getBoundingClientRect(), box = each.getBoundingClientRect();
  return box.left < card.left - 1 || box.right > card.right + 1;
}).length"""


@pytest.mark.parametrize(("kind", "rows"), [(DESK, 10), (LARGE, 11)])
def test_players_and_their_lists_are_rows(
    demo_site: Any, open_page: Callable[..., Any], kind: dict[str, Any], rows: int
) -> None:
    server, _printed = demo_site
    page = open_page(kind, base_url=server.url)
    for path in ("players/", "decklists/"):
        page.goto(f"{FINISHED}{path}")
        assert rows_in_sight(page, "#players-table tbody tr") >= rows
        assert list(letter_problems(page, SIDEWAYS, public=True)) == []
        page.keyboard.press("/")
        page.keyboard.type("nor")
        assert page.locator("#players-table tbody tr:visible").count() == 1


@pytest.mark.parametrize("kind", [DESK, LARGE, PHONE])
def test_statistics_begin_with_the_most_played_and_stay_in_their_cards(
    demo_site: Any, open_page: Callable[..., Any], axe: Callable[..., None], kind: dict[str, Any]
) -> None:
    server, _printed = demo_site
    page = open_page(kind, base_url=server.url)
    page.goto(f"{FINISHED}played/")
    assert moved(page) <= 0.05
    told = page.locator("h1").inner_text()
    assert told in ("Lama del Sale: 8 of 12 decklists", "Lama del Sale: 8 liste su 12")
    assert page.locator(".played table, .played svg").evaluate_all(WIDER) == 0
    assert page.locator(".finalists li").count() == 8
    assert list(letter_problems(page, SIDEWAYS, public=True)) == []
    axe(page)


def test_the_staff_see_six_players_on_a_phone(
    signed_in: Callable[..., Any], axe: Callable[..., None]
) -> None:
    page = signed_in(settings=LARGE)
    for event in ("demo-registration", "demo-groups"):
        page.goto(f"/events/{event}/manage/players/")
        assert rows_in_sight(page, "#players tbody tr") >= 6
        assert moved(page) <= 0.05
        axe(page)


def test_tables_of_the_staff_fit_their_width(signed_in: Callable[..., Any]) -> None:
    """Words of the desk's head beside each other; on a phone addresses and moments in one line."""
    page = signed_in(settings=DESK | {"locale": "it"})
    page.goto("/events/demo-groups/desk/")
    cut = "all => all.filter(each => each.scrollWidth > each.clientWidth).length"
    assert page.locator(".desk-tables thead .tail > span").count() == 4
    assert page.locator(".desk-tables thead .tail > span").evaluate_all(cut) == 0
    page = signed_in(settings=LARGE | {"locale": "it"})
    page.goto("/events/demo-groups/manage/staff/")
    for address in page.locator("#roles small").all():
        assert address.evaluate("each => each.getClientRects().length") == 1
        assert address.bounding_box()["height"] < 30
    wide = "all => all.filter(each => each.scrollWidth > each.clientWidth).length"
    for path in ("manage/staff/", "penalties/", "matches/10/", "manage/decklists/"):
        page.goto(f"/events/demo-groups/{path}")
        assert page.locator(".table-scroll").evaluate_all(wide) == 0, path
    assert rows_in_sight(page, "#lists tbody tr") >= 10
