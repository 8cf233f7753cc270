"""Girone as an installed program: its packages lie in one folder, ``site``, under this one."""

import sys
from pathlib import Path

SITE = Path(__file__).resolve().parent / "site"


def main() -> int:
    """Run the program with the arguments of the command line; return the exit code."""
    sys.path.insert(0, str(SITE))
    from config.program import main as run

    return run(sys.argv[1:])
