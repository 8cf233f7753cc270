"""What tests cost: the profile of the run says how many examples; planted faults are everyday."""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType

import pytest

from tests.architecture.test_boundaries import ROOT
from tests.golden import test_formula_by_api as partly_deep
from tests.roomy import SLOTS

TESTS = Path(__file__).resolve().parents[1]
NAME = "max_examples"
NUMBER = re.compile(rf"{NAME}\s*=\s*\d")


def named_in(folder: Path) -> list[str]:
    """Return the modules below a folder that name a number of examples."""
    found = (path for path in folder.rglob("*.py") if NUMBER.search(path.read_text()))
    return sorted(str(path.relative_to(folder)) for path in found)


def test_only_the_profiles_say_how_many_examples_there_are() -> None:
    assert named_in(TESTS) == ["effort.py"]


def test_a_number_of_examples_is_found(tmp_path: Path) -> None:
    (tmp_path / "test_many.py").write_text(f"@settings({NAME} = 60)\n")
    assert named_in(tmp_path) == ["test_many.py"]


def roomy_below(frame: FrameType | None) -> bool:
    """Say whether a frame, or one that it was called from, has room for deep calls."""
    return frame is not None and (frame.f_code.co_stacksize >= SLOTS or roomy_below(frame.f_back))


def test_tests_and_their_threads_have_room_for_deep_calls() -> None:
    assert roomy_below(sys._getframe())
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: roomy_below(sys._getframe())).result()
    assert not roomy_below(None)


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
