"""What docs/adding.md says holds: one file adds a criterion, a game, a kind of stage, ….

A package of invented ones is put beside the program, named in ``EXTENSIONS``, and played with in
a process of its own, so that nothing of it is left in this one.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rules.criteria import CRITERIA
from rules.deckbuilding.formats import FORMATS
from rules.formulas import FORMULAS
from rules.stages import STAGE_KINDS

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CONFORMANCE = (
    ("tests/rules/criteria/test_every_criterion.py", "decisive"),
    ("tests/rules/test_slow_numbers.py", "across_groups"),
    *(("tests/rules/stages/test_every_stage_kind.py", key) for key in ("ladder", "cup", "monrad")),
    ("tests/rules/formulas/test_every_formula.py", "ladder-final"),
    ("tests/rules/test_every_deck_format.py", "stones"),
    ("tests/decks/cards/test_published_catalogues.py", "stones"),
    ("tests/decks/cards/test_published_catalogues.py", "no_name_stands"),
)


@pytest.fixture(scope="module")
def beside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder outside of the program that holds the invented package."""
    folder = tmp_path_factory.mktemp("beside")
    shutil.copytree(HERE / "invented", folder / "invented")
    return folder


def run(beside: Path, *words: str) -> str:
    """Run pytest with the package and return what it printed; it must be green."""
    own = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words],
        cwd=ROOT,
        env=own | {"PYTHONPATH": str(beside), "EXTENSIONS": "invented", "ENV_FILE": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
    return ran.stdout


def passed(printed: str) -> int:
    """Return how many tests passed."""
    found = re.search(r"(\d+) passed", printed)
    return int(found[1]) if found else 0


@pytest.mark.deep
def test_a_stored_event_is_played_with_what_one_file_each_adds(beside: Path) -> None:
    assert passed(run(beside, "tests/adding/played.py", "tests/adding/played_formulas.py")) >= 20


@pytest.mark.deep
def test_what_is_added_keeps_the_promises_of_its_kind(beside: Path) -> None:
    words = " or ".join(key for _path, key in CONFORMANCE)
    # Shipped games have files, and on a ladder not everybody meets whom they would beat.
    words = f"({words}) and not legal_sample and not code_of_a_format and not always_beat"
    printed = run(beside, *dict.fromkeys(path for path, _key in CONFORMANCE), "-k", words)
    assert passed(printed) >= 60


def test_nothing_of_it_is_left_here() -> None:
    assert "decisive" not in CRITERIA
    assert "stones" not in FORMATS
    assert not {"ladder", "cup", "monrad"} & {*STAGE_KINDS.keys()}
    assert "ladder-final" not in FORMULAS
    assert "invented" not in sys.modules


@pytest.mark.deep
def test_a_package_that_is_not_there_is_named() -> None:
    ran = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=ROOT,
        env=os.environ | {"EXTENSIONS": "nowhere", "ENV_FILE": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode
    assert "EXTENSIONS names 'nowhere'" in ran.stderr
