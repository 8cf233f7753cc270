"""No golden case is left out of a layer without a reason, and the copies are true copies."""

from pathlib import Path

import pytest

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
from tests.golden.layers import LAYERS, LEFT_OUT, every_case, files, reason

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
