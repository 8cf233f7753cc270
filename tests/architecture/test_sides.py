"""Modules that name a side of a match, ``a`` or ``b``: what they do is of two players.

Everybody else says who is at a match by its seats, of which there may be more than two. The list
only shrinks: no module is added to it, and one that names no side any more is taken out.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("rules", "decks", "accounts", "config", "tournaments", "templates")
KINDS = (".py", ".html", ".js")
SIDE = re.compile(
    r"\b[ab]_id\b|\b(?:score|games)_[ab]\b|\bWinner\.[AB]\b"
    r"|(?<=[\w\])])\.[ab]\b(?![\w(])|\b[ab]__[a-z]|\bmatches_as_[ab]\b"
)
OF_TWO = {
    "says what sides are: who is a and who is b of a result, of a pairing": ("rules/results.py",),
    "declares or reads the columns score_a … that are stored": (
        *("tournaments/models/play.py", "tournaments/core/rows.py"),
        "tournaments/core/mapping.py",
    ),
    "declares a and b of a pair kept apart, which is no match: two columns, the smaller first": (
        *("tournaments/models/entry.py",),
    ),
    "reads rows that archives, snapshots and undo keep under the names of their columns": (
        *("tournaments/snapshots/selectors.py", "tournaments/undo/services.py"),
    ),
    "a file for people or programs has columns of these names": (
        *("tournaments/exports/tables.py", "tournaments/erasing/selectors.py"),
    ),
    "the contract of rank names the winner a or b": ("rules/standings/rank_document.py",),
    "the desk's short forms of two: a1 (1 is absent, b wins), 30 30 a w": (
        *("rules/matches/shorthand.py",),
    ),
    "results of a group as columns, one of all a and one of all b: loops over matches cost more": (
        *("rules/history/group_history.py",),
    ),
    "a criterion of who beat whom, over those columns": (
        *("rules/criteria/games.py", "rules/criteria/points.py"),
    ),
    "an open match of two ends in three ways, as its first player sees it": (
        *("rules/scenarios/remaining.py",),
    ),
    "a score has two numbers: told from one side, turned for the other": (
        *("tournaments/matches/words.py",),
    ),
    "the desk asks for a score in two fields, score_a and score_b, or by a tile of one of two": (
        *("tournaments/results/forms/desk.py",),
        "tournaments/desk/static/tournaments/panel.js",
        *("templates/tournaments/results/_row_entry.html",),
        "templates/tournaments/results/_tiles.html",
    ),
    "a row of the desk has one of two players on its left and one on its right": (
        *("templates/tournaments/results/_row.html",),
        "tournaments/desk/static/tournaments/desk_rows.js",
    ),
    "a player tells a result of two as a, and it is turned where they sit on seat 2": (
        *("tournaments/results/forms/player.py",),
        "tournaments/personal/selectors/own_matches.py",
    ),
}
"""Why a module may name a side, and the modules of each reason.

Each reason is one of the game (a score has two numbers, who beat whom), of a stored column, or of a
contract with programs and people outside.
"""
MOST = 24
"""How many modules may; 124 did before matches had seats. It is never raised."""


def naming_a_side() -> set[str]:
    files = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))
    ours = (path for path in files if path.suffix in KINDS and "migrations" not in path.parts)
    return {str(path.relative_to(ROOT)) for path in ours if SIDE.search(path.read_text())}


@pytest.mark.deep
def test_only_what_is_of_two_names_a_side() -> None:
    listed = [path for paths in OF_TWO.values() for path in paths]
    assert len(listed) == len(set(listed)) <= MOST
    assert naming_a_side() == set(listed)


@pytest.mark.parametrize(
    "line",
    [
        *("match.a_id", "found.b.name", "{{ row.a }}", "shown[0].b", "Q(a__number=3)"),
        *("Winner.B", "report.score_a", "entry.matches_as_b"),
    ],
)
def test_each_way_to_name_a_side_is_seen(line: str) -> None:
    assert SIDE.search(line)


@pytest.mark.parametrize("line", ["match.seats", "a, b = names", "style.ab", "r.add(a)", "x.a()"])
def test_what_names_no_side_is_none(line: str) -> None:
    assert not SIDE.search(line)
