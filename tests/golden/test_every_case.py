"""No golden case is left out of a layer without a reason; a selection omits no pair of traits.

Cases that a layer cannot express are listed here with the reason.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.golden import (
    test_by_command_and_api,
    test_football,
    test_formula,
    test_formula_by_api,
    test_groups,
    test_hand_worked,
    test_magic,
    test_pending,
    test_swiss,
)
from tests.pairwise import pairwise

HERE = Path(__file__).parent
LAYERS = ("rules", "commands", "api")
LEFT_OUT: Mapping[tuple[str, str], str] = {
    ("commands", "pending * closing"): "No command closes a stage; verify and archive read it.",
}
"""What can't be asked in a layer, by layer and pattern of cases."""


def reason(layer: str, case: str) -> str:
    """Return why a case is not run in a layer, "" if it must be."""
    found = [
        why
        for (where, cases), why in LEFT_OUT.items()
        if where == layer and fnmatchcase(case, cases)
    ]
    return found[0] if found else ""


def files() -> dict[str, Path]:
    """Return the golden files of tournaments by name."""
    found = [*HERE.glob("*.json"), *(HERE / "standings").glob("*.json")]
    return {path.stem: path for path in sorted(found)}


def cases_of(name: str, content: Any) -> Iterator[str]:
    """Yield the cases of a golden file, each in its separately tested parts."""
    kind = name.partition("-")[0] if name.startswith(("football", "magic")) else name
    yield from KINDS[kind](name, content)


def _plain(name: str, content: Any) -> Iterator[str]:
    for case in [*content["cases"], *content.get("across", ())]:
        yield f"{name} {case['id']}"


def _parts(*parts: str) -> Callable[[str, Any], Iterator[str]]:
    def found(name: str, content: Any) -> Iterator[str]:
        for case in content["cases"]:
            yield f"{name} {case['id']}"
            yield from (f"{name} {case['id']} {part}" for part in parts)

    return found


def _edition(name: str, content: Any) -> Iterator[str]:
    yield from (f"{name} {letter}" for letter in content["groups"])
    if content["thirds_through"]:
        yield f"{name} thirds"


def _event(name: str, content: Any) -> Iterator[str]:
    yield name


KINDS: Mapping[str, Callable[[str, Any], Iterator[str]]] = {
    "hand-worked": _plain,
    "swiss": _plain,
    "groups": _parts("advance"),
    "formula": _parts("event"),
    "pending": _parts("thirds", "closing"),
    "football": _edition,
    "magic": _event,
}


def every_case() -> Iterator[str]:
    """Yield every case of every golden file."""
    for name, path in files().items():
        yield from cases_of(name, json.loads(path.read_text(encoding="utf-8")))


MODULES = (
    *(test_by_command_and_api, test_formula_by_api, test_football, test_formula, test_groups),
    *(test_hand_worked, test_magic, test_pending, test_swiss),
)
COVERED: set[tuple[str, str]] = set().union(*(module.COVERS for module in MODULES))
SHARED = Path(__file__).parents[3] / "shared" / "golden"


@pytest.mark.parametrize("layer", LAYERS)
def test_every_case_goes_through_the_layer_or_says_why_not(layer: str) -> None:
    wanted = [case for case in every_case() if not reason(layer, case)]
    assert [case for case in wanted if (layer, case) not in COVERED] == []


def test_only_cases_that_exist_are_covered_and_no_reason_is_out_of_date() -> None:
    known = set(every_case())
    assert {case for _layer, case in COVERED} == known
    assert [pair for pair in COVERED if reason(*pair)] == []
    for layer, pattern in LEFT_OUT:
        assert any(reason(layer, case) for case in known), pattern


@pytest.mark.skipif(not SHARED.is_dir(), reason="The originals are not beside the project.")
def test_the_copies_are_the_originals() -> None:
    copies = {name: path.read_bytes() for name, path in files().items()}
    originals = {path.stem: path.read_bytes() for path in SHARED.glob("*.json")}
    assert sorted(copies) == sorted(originals)
    assert [name for name in originals if copies[name] != originals[name]] == []


CASES = st.lists(st.tuples(*(st.integers(0, 3) for _factor in range(4))), max_size=20)


def pairs(cases):
    """Return all traits and pairs of traits of cases of numbers."""
    named = [list(enumerate(case)) for case in cases]
    return {pair for case in named for size in (1, 2) for pair in combinations(case, size)}


@given(CASES)
def test_every_pair_that_occurs_is_chosen(cases):
    chosen = pairwise(cases, enumerate)
    assert pairs(chosen) == pairs(cases)
    assert set(chosen) <= set(cases)


def test_what_shows_nothing_new_is_left_out():
    assert pairwise([(0, 0), (0, 0), (1, 0), (1, 1)], enumerate) == ((0, 0), (1, 0), (1, 1))
