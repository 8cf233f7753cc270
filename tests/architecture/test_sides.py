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
    "what a side is": (
        *("rules/results.py", "rules/stages/base.py", "tournaments/models/match.py"),
        *("tournaments/core/rows.py", "tournaments/core/mapping.py"),
    ),
    "the columns a and b of a match that is stored, of before and now": (
        *("tournaments/chain/payload.py", "tournaments/rounds/pairings.py"),
        "tournaments/players/services/late_entries.py",
        "tournaments/undo/services/row_restore.py",
    ),
    "a score, games or a score sheet of two": (
        *("rules/matches/score_sheets.py", "rules/matches/shorthand.py"),
        *("rules/standings/rank_json.py", "rules/scenarios/score_spans.py"),
        "tournaments/erasing/selectors.py",
        *("tournaments/exports/results.py", "tournaments/snapshots/selectors.py"),
        *("tournaments/matches/selectors.py", "tournaments/matches/words.py"),
        "tournaments/public/selectors/last_results.py",
    ),
    "the form of a result of two": (
        *("templates/tournaments/results/_row.html", "templates/tournaments/results/_tiles.html"),
        "templates/tournaments/results/_row_entry.html",
        *("tournaments/desk/static/tournaments/desk.js",),
        *("tournaments/desk/static/tournaments/desk_rows.js",),
        *("tournaments/desk/static/tournaments/panel.js",),
        *("tournaments/results/forms/desk.py", "tournaments/results/forms/picks.py"),
        "tournaments/results/forms/player.py",
        "tournaments/personal/selectors/own_matches.py",
    ),
    "who beat whom: history in columns, head-to-head, criteria of two": (
        *("rules/history/columns.py", "rules/history/group_history.py", "rules/history/seats.py"),
        *("rules/criteria/games.py", "rules/criteria/opponents.py"),
        *("rules/scenarios/remaining.py", "rules/standings/recent.py"),
        *("rules/deckbuilding/archetypes.py", "rules/deckbuilding/statistics.py"),
        *("tournaments/exports/standings.py", "tournaments/verification/standings.py"),
    ),
    "pairs: Swiss rounds, drafts, players kept apart": (
        *("rules/stages/swiss.py", "rules/drafts/acts.py", "rules/drafts/check.py"),
        "tournaments/keeping_apart/api.py",
        *("tournaments/keeping_apart/selectors.py", "tournaments/keeping_apart/services.py"),
        "tournaments/models/entry.py",
    ),
    "brackets": (
        *("rules/stages/bracket_progress.py", "rules/stages/knockout.py"),
        "tournaments/diagrams/selectors/brackets.py",
    ),
}
"""Why a module may name a side, and the modules of each reason."""
MOST = 50
"""How many modules may; 124 did before matches had seats. It is never raised."""


def naming_a_side() -> set[str]:
    files = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))
    ours = (path for path in files if path.suffix in KINDS and "migrations" not in path.parts)
    return {str(path.relative_to(ROOT)) for path in ours if SIDE.search(path.read_text())}


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
