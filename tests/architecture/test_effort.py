"""What every test costs: the profile of the run alone says how many examples; frames have room."""

import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType

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
