"""Databases in files of their own: commands run on them, and questions put to them."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.forked_commands import nursery

ROOT = Path(__file__).resolve().parents[1]


def manage(*command: str, database: Path) -> subprocess.CompletedProcess[str]:
    """Run a command on an SQLite file in a process of its own; whatever its exit code is."""
    return nursery().run(command, database)


def manage_from_nothing(*command: str, database: Path) -> subprocess.CompletedProcess[str]:
    """Run ``manage.py`` as from a shell, which takes seconds to begin."""
    return subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": f"sqlite:///{database}", "ENV_FILE": ""},
        capture_output=True,
        text=True,
        check=False,
    )


def ask(database: Path, question: str) -> list[Any]:
    """Execute a statement in a connection of its own; return the rows."""
    with closing(sqlite3.connect(database)) as opened, opened:
        return opened.execute(question).fetchall()
