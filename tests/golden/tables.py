"""Reading the golden tables."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("standings")


def table(name: str) -> Any:
    """Return one golden file."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def tables(pattern: str) -> dict[str, Any]:
    """Return all golden files of a kind, by name."""
    return {path.stem: table(path.stem) for path in sorted(FOLDER.glob(f"{pattern}.json"))}


def in_text(values: dict[str, object]) -> dict[str, str]:
    """Return the values as text: integers may be given as a number or as text."""
    return {key: str(value) for key, value in values.items()}


def cases(name: str) -> list[Any]:
    """Return the cases of a file."""
    found: list[Any] = table(name)["cases"]
    return found


def _beside(name: str) -> Any:
    return json.loads(Path(__file__).with_name(f"{name}.json").read_text(encoding="utf-8"))


FORMULA = _beside("formula")
"""Whole Mutant Chronicles events."""
PENDING = _beside("pending")
"""First stages without lots."""
