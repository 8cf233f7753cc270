"""Tests that plant a fault are part of ``make test``, whatever is left to ``make test-all``."""

import subprocess
import sys

import pytest

from tests.architecture.test_boundaries import ROOT
from tests.golden import test_formula_by_api as partly_deep

FROZEN = ROOT / "tests" / "planted_faults.txt"
PLAYED = "tests/golden/test_formula_by_api.py"


def listed() -> list[str]:
    """Return the tests named in the list, one a line."""
    lines = FROZEN.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.fixture(scope="module")
def collected() -> set[str]:
    """Return what ``make test`` runs of the modules of the list, by node id."""
    modules = sorted({name.partition("::")[0] for name in listed()} | {PLAYED})
    quiet = ("--collect-only", "-q", "-p", "no:randomly", "-p", "no:cacheprovider")
    command = [sys.executable, "-m", "pytest", *quiet, *modules]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return {line for line in done.stdout.splitlines() if "::" in line}


def test_every_planted_fault_is_part_of_make_test(collected: set[str]) -> None:
    names = listed()
    assert len(names) == len(set(names)) >= 93
    functions = {name.partition("[")[0] for name in collected}
    assert [name for name in names if name not in collected | functions] == []


def test_what_is_deep_is_not_part_of_make_test(collected: set[str]) -> None:
    """The check above is able to fail."""
    test = f"{PLAYED}::test_a_whole_event_goes_as_published"
    quick = {str(one.id) for one in partly_deep.EVENTS if not one.marks}
    every = {str(one.id) for one in partly_deep.EVENTS}
    assert quick < every
    assert {name for name in collected if name.startswith(test)} == {
        f"{test}[{case}]" for case in quick
    }
