"""Numbers that no database has: each call refuses them, wherever they stand."""

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from rules.json_reader import LARGE
from tests.callers import Callers
from tests.schema_numbers import Numbers, replaced
from tests.tournaments.api.endpoints import BODIES
from tests.tournaments.api.test_rubbish_bodies import NEW, fault

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]
OUTSIDE = (
    *(-1, 0, 32_767, 32_768, LARGE, LARGE + 1, -LARGE - 2, 2**53 + 1),
    *(2**63 - 1, 2**63, -(2**63) - 1, 10**30, 1e308, -1.5),
)
PARTS = 7  # of all values; ``make test`` sends one
ONE = {"name": "Brace", "count": 1}
RULES = {
    "zones": [{"key": "main", "name": "Main", "min": 40, "max": 60}],
    "copies": {"max": 4, "own": {"Brace": 9}},
    "kinds": [{"key": "a", "name": "A", "zones": ["main"], "min": 0, "max": 9}],
    "sums": [{"zones": ["main"], "min": 40, "max": 60}],
    "match": {"best_of": 3, "score": "points", "target": 9, "minutes": 50},
    "standings": {"points": {"win": 3, "draw": 1, "loss": 0}, "criteria": ["points"]},
}
FREE: dict[str, Any] = {
    "rank/": {
        "players": [1, 2, 3, 4],
        "points": {"win": 3, "draw": 1, "loss": 0},
        "matches": [
            {"round": 1, "a": 1, "b": 2, "score": [3, 1], "games": [2, 1, 0]},
            {"round": 2, "a": 1, "b": None},
        ],
        "penalties": {"1": 2},
        "lots": [2, 1],
    },
    "tables/": {
        "players": [
            {"player": 7, "points": 5, "met": {"4": 1}, "small": 1, "byes": 1, "seats": [[1, 4]]},
            *({"player": number} for number in (4, 5, 6)),
        ],
        "sizes": [4, 3],
        "apart": [[7, 4]],
    },
    "formats/try/": {"rules": RULES, "zones": {"main": [ONE]}},
    "formats/creatures-of-exo/validate/": {"zones": {"main": [ONE]}},
    "formats/creatures-of-exo/exchange/": {
        "registered": {"main": [ONE], "side": [ONE]},
        "out": {"main": [ONE]},
        "in": {"side": [ONE]},
        "games_played": 1,
    },
    "formats/": {"game": "A", "name": "A", "lists": "counted", "rules": RULES},
}
FREE["rank/?tables"] = {
    "players": [1, 2, 3],
    "points": {"win": 5, "draw": 1, "loss": 1, "bye": 5},
    "usual": 3,
    "matches": [{"round": 1, "seats": [1, 2, 3], "scores": [9, 3, 1]}],
}


@pytest.fixture
def numbers(client) -> list[Any]:
    return [*Numbers(client.get("/api/schema/", headers={"accept": "application/json"}).json())]


def test_every_number_that_is_sent_has_bounds_that_the_database_has(numbers) -> None:
    assert len(numbers) > 100
    without = [
        (each.method, each.path, each.where, each.name)
        for each in numbers
        if not each.shape.get("minimum", -LARGE - 1) >= -LARGE
        or not each.shape.get("maximum", LARGE + 1) <= LARGE
    ]
    assert without == []


def questions(numbers: list[Any], chosen: set[int]) -> Iterator[tuple[Any, Any]]:
    """Yield numbers with a value outside of what they may be, in turns."""
    for (turn, number), (at, value) in product(enumerate(numbers), enumerate(OUTSIDE)):
        if (turn + at) % PARTS in chosen:
            yield number, value


def ask(around: Callers, number: Any, value: Any) -> str:
    """Send a number in its place; return what is wrong with the answer."""
    known = {
        "slug": "creatures-of-exo" if "/formats/" in number.path else around.event.slug,
        "match_id": around.match.pk,
    }

    def part(found: re.Match[str]) -> str:
        name = found[1]
        return str(value if number.where == "path" and number.name == name else known.get(name, 1))

    address = re.sub(r"{(\w+)}", part, number.path)
    body: Any = None
    if number.where == "query":
        address += f"?players=16&{number.name}={value}"
    if number.where == "body":
        usual = NEW if number.path == "/api/v1/events/" else body_of(number)
        made = number.made(value)
        body = {**usual, **made} if isinstance(made, dict) else made
    answer = around.undone("organiser", number.method, address, body)
    return fault(answer, (number.method, address, number.name, value, body))


def body_of(number: Any) -> dict[str, Any]:
    """Return what a call is sent in other tests."""
    of = number.path.removesuffix("/").rpartition("/")[2]
    found = {name: body for (name, method), body in BODIES.items() if method == number.method}
    names = (of, f"match-{of}", f"round-{of}", f"player-{of}", f"stage-{of}")
    return next((dict(found[name]) for name in names if isinstance(found.get(name), dict)), {})


def none_breaks(numbers: list[Any], chosen: set[int]) -> None:
    around = Callers()
    wrong = [ask(around, number, value) for number, value in questions(numbers, chosen)]
    assert not "\n".join(filter(None, wrong))


def test_no_number_breaks_a_call(numbers) -> None:
    """Every number with every seventh value, so that all values are sent somewhere."""
    none_breaks(numbers, {0})


@pytest.mark.deep
def test_no_other_number_breaks_a_call(numbers) -> None:
    none_breaks(numbers, {*range(1, PARTS)})


@pytest.mark.parametrize("call", FREE)
def test_no_number_breaks_a_document(call: str) -> None:
    around = Callers()
    wrong = []
    for (_name, made), value in product(replaced(FREE[call]), OUTSIDE):
        body = made(value)
        answer = around.undone("organiser", "post", f"/api/v1/{call}", body)
        wrong.append(fault(answer, body))
    assert not "\n".join(filter(None, wrong))


@pytest.mark.parametrize("players", [3, 702 * 4 + 1, 2_900, 5_000])
def test_every_number_of_players_is_advised(client, players: int) -> None:
    answer = client.get(f"/api/v1/formulas/advice/?players={players}")
    assert (answer.status_code, bool(answer.json())) == (200, True)
