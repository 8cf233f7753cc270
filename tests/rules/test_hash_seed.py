"""The same facts give the same answer in every process, whatever Python's hashes are."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def digest(seed: str) -> str:
    """Return the digest of all rules, computed by a process with this hash seed."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.rules.digest"],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": seed},
        check=True,
        capture_output=True,
        text=True,
    )
    return ran.stdout


def test_hashes_decide_nothing() -> None:
    assert digest("1") == digest("4242")
