"""A round of tables as JSON: what is read, refused with its path, and written."""

from fractions import Fraction
from typing import Any

import pytest

from rules.errors import BadInput
from rules.standings.rank_document import parse_table_request, render_table_round
from rules.tables.field import Small
from rules.tables.rounds import USUAL_SIZES


def asked(**more: Any) -> dict[str, Any]:
    players = [{"player": number} for number in range(1, 9)]
    return {"players": players, **more}


def test_what_a_request_says_is_read() -> None:
    first = {
        "player": 1,
        "points": "4/3",
        "met": {"2": 1},
        "byes": 1,
        "small": 2,
        "seats": [[1, 4], [2, 3]],
    }
    wanted = parse_table_request(
        {
            "players": [first, {"player": 2}, {"player": "Ada"}],
            "sizes": [4, 3],
            "small": "high",
            "apart": [[1, 2], ["Ada", 1]],
            "seed": "s",
        }
    )
    one, two, ada = wanted.entrants
    assert (one.points, one.met, one.byes, one.small) == (Fraction(4, 3), {2: 1}, 1, 2)
    assert tuple(one.seats) == ((1, 4), (2, 3))
    assert (one.apart, two.apart, ada.apart) == ({2}, set(), {1})
    assert (wanted.sizes, wanted.small, wanted.seed) == ((4, 3), Small.HIGH, "s")


def test_what_is_left_out_is_usual_and_the_round_is_written() -> None:
    wanted = parse_table_request(asked())
    assert (wanted.sizes, wanted.small, wanted.seed) == (USUAL_SIZES, Small.LOW, "")
    made = render_table_round(wanted.make())
    assert made == render_table_round(parse_table_request(asked()).make())
    tables: Any = made["tables"]
    assert sorted(player for table in tables for player in table) == list(range(1, 9))
    assert (made["byes"], made["proven"]) == ([], True)
    assert isinstance(made["cost"], dict)


@pytest.mark.parametrize(
    ("document", "path"),
    [
        ([], ""),
        ({}, "players"),
        (asked(players=[{"player": 1}, {"player": 1}]), "players[1].player"),
        (asked(players=[{"player": -1}]), "players[0].player"),
        (asked(players=[{"player": "a" * 81}]), "players[0].player"),
        (asked(players=[{"player": 1, "met": {"1": 1}}]), "players[0].met"),
        (asked(players=[{"player": 1, "met": {"9": 1}}]), "players[0].met"),
        (asked(players=[{"player": 1, "seats": [[3, 2]]}]), "players[0].seats[0]"),
        (asked(players=[{"player": 1, "seats": [[1, 1]]}]), "players[0].seats[0]"),
        (asked(apart=[[1, 1]]), "apart[0]"),
        (asked(apart=[[1, 99]]), "apart[0][1]"),
        (asked(apart=[[1]]), "apart[0]"),
        (asked(small="none"), "small"),
        (asked(seed="s" * 201), "seed"),
        (asked(sizes="x"), "sizes"),
    ],
)
def test_what_is_wrong_is_named_by_its_path(document: object, path: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_table_request(document)
    assert str(refused.value.sentence.values.get("path", "")).startswith(path)


def test_sizes_of_no_table_are_refused() -> None:
    with pytest.raises(BadInput) as refused:
        parse_table_request(asked(sizes=[9]))
    assert refused.value.code == "invalid_sizes"
