"""Long lists of players in parts: the reader's row first, search over all."""

import re

import pytest
from django.http import QueryDict
from django.test import Client

from tests import factories as make
from tests.browsers import ENGLISH, by_link, signed_in, text, url
from tests.scenes.base import SWISS
from tournaments.models import Event
from tournaments.pages.long_lists import FULL, WantedPart, part_of, wanted_of

pytestmark = pytest.mark.django_db
PLAYERS = FULL + 12
LISTS = ("pairings", "standings", "players")


@pytest.fixture
def crowd(by) -> Event:
    """Return an event with a Swiss round out for more players than a part has rows."""
    return make.playing(by, PLAYERS, **SWISS)


def page(client, name: str, event: Event, query: str = "") -> str:
    return text(client.get(url(name, event) + query))


def names(event: Event) -> list[str]:
    """Return the names of all players in the order of the lists by name."""
    return list(event.entries.order_by("name_key", "number").values_list("name", flat=True))


def shown(words: str, event: Event) -> set[str]:
    """Return the names of players on a page."""
    return {name for name in names(event) if f">{name}<" in words}


@pytest.mark.parametrize("name", LISTS)
def test_every_player_stands_in_one_of_the_parts(crowd, name):
    client = Client(headers=ENGLISH)
    first, second = (page(client, name, crowd, query) for query in ("", "?page=2"))
    assert shown(first, crowd) | shown(second, crowd) == set(names(crowd))
    rows = [re.findall(r"<tbody.*?</tbody>", words, re.DOTALL)[0] for words in (first, second)]
    assert [row.count("<tr") for row in rows] == [FULL, PLAYERS - FULL]
    assert f'href="{url(name, crowd)}?page=2#' in first
    assert "?page=1" not in first + second
    whole = page(client, name, crowd, "?all=1")
    assert shown(whole, crowd) == set(names(crowd))
    assert whole.count("<tr") > PLAYERS
    assert "data-print" in whole
    for odd in ("?page=99", "?page=0", "?page=x", "?all=2", "?page=1"):
        seen = shown(page(client, name, crowd, odd), crowd)
        assert seen in (shown(first, crowd), shown(second, crowd))


@pytest.mark.parametrize("name", LISTS)
def test_search_finds_whom_another_part_has(crowd, name):
    client, last = Client(headers=ENGLISH), names(crowd)[-1]
    words = page(client, name, crowd, f"?find={last.upper()}")
    assert last in shown(words, crowd)
    assert len(shown(words, crowd)) < 10
    assert "Found: " in words
    assert f'value="{last.upper()}"' in words
    assert not shown(page(client, name, crowd, "?find=nobody"), crowd)
    fragment = client.get(url(name, crowd) + f"?find={last}", headers={"HX-Request": "true"})
    assert "<html" not in text(fragment)
    assert last in shown(text(fragment), crowd)


@pytest.mark.parametrize("name", LISTS)
def test_the_own_row_comes_first(crowd, by, name):
    entry = crowd.entries.get(name=names(crowd)[-1])
    words = page(by_link(entry, by), name, crowd)
    first = words.partition("<tbody")[2].partition("</tr>")[0]
    assert f">{entry.name}<" in first
    assert "mine" in first


def test_a_small_event_has_no_parts(by):
    event = make.playing(by, 6, **SWISS)
    for name in LISTS:
        words = page(Client(headers=ENGLISH), name, event)
        assert "Parts of the list" not in words
        assert "?all=1" not in words


def test_a_table_is_found_by_its_number(crowd):
    item = crowd.rounds.get()
    match = item.matches.get(table=70)
    words = page(Client(headers=ENGLISH), "pairings", crowd, "?find=70")
    assert match.players[0].name in words


class Listed:
    def __init__(self, number: int) -> None:
        self.number, self.name_key, self.mark = number, f"p{number}", str(number)
        self.players = (self,)


@pytest.mark.parametrize("total", [0, 1, FULL, FULL + 1, 2 * FULL, 1024])
def test_the_parts_of_a_list_hold_each_row_once(total):
    rows = [Listed(number) for number in range(1, total + 1)]
    first = part_of(rows, WantedPart())
    parts = [
        part_of(rows, WantedPart(page=each)) for each in range(1, max(1, len(first.links)) + 1)
    ]
    assert [row.number for part in parts for row in part.rows] == list(range(1, total + 1))
    assert max((len(part.rows) for part in parts), default=0) <= FULL
    assert [sum(link["current"] for link in part.links) for part in parts if part.links] == [
        1 for part in parts if part.links
    ]


def test_what_cannot_be_read_asks_for_the_first_part():
    for query in ("page=-1", "page=²", "page=1e3", "page=99999999999", "page=&all=yes"):
        assert wanted_of(QueryDict(query)) == WantedPart()
    found = wanted_of(QueryDict(f"find=%00{'x' * 500}&page=3"))
    assert (found.page, len(found.find)) == (3, 80)


def test_the_staff_checks_in_where_it_stands(by):
    event = make.open_event(by, **SWISS)
    make.players(event, PLAYERS, by)
    client = signed_in(by)
    address = url("manage-players", event)
    first = text(client.get(f"{address}?filter=not-here"))
    assert 'href="' + address + '?filter=not-here&amp;page=2#players"' in first
    assert "player-1" in first
    assert f'id="player-{PLAYERS}"' not in first
    second = text(client.get(f"{address}?filter=not-here&page=2"))
    assert f'id="player-{PLAYERS}"' in second
    sent = {"filter": "not-here", "page": "2", "find": ""}
    answer = client.post(url("manage-player-check-in", event, PLAYERS), sent)
    assert answer.url == f"{address}?filter=not-here&page=2#player-{PLAYERS}"
    found = text(client.get(f"{address}?find={PLAYERS}"))
    assert found.count('<tr id="player-') == 1
    seeds = text(client.get(f"{address}?seeds=1&page=2"))
    assert seeds.count('name="seed_') == PLAYERS  # a form is never sent in part
