"""No test names a number of examples: how many there are is said by the profile of the run."""

import re
from pathlib import Path

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
