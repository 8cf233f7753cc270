"""Every golden case and the layers it runs through: the rules, the commands, the API.

Cases that a layer cannot express are listed here with the reason; ``test_every_case.py`` finds the
others.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
LAYERS = ("rules", "commands", "api")
LEFT_OUT: Mapping[tuple[str, str], str] = {
    ("commands", "pending * closing"): "No command closes a stage; verify and archive read it.",
}
"""What can't be asked in a layer, by layer and pattern of cases."""


def reason(layer: str, case: str) -> str:
    """Return why a case is not run in a layer, "" if it must be."""
    found = [
        why
        for (where, cases), why in LEFT_OUT.items()
        if where == layer and fnmatchcase(case, cases)
    ]
    return found[0] if found else ""


def files() -> dict[str, Path]:
    """Return the golden files of tournaments by name."""
    found = [*HERE.glob("*.json"), *(HERE / "standings").glob("*.json")]
    return {path.stem: path for path in sorted(found)}


def cases_of(name: str, content: Any) -> Iterator[str]:
    """Yield the cases of a golden file, each in its separately tested parts."""
    kind = name.partition("-")[0] if name.startswith(("football", "magic")) else name
    yield from KINDS[kind](name, content)


def _plain(name: str, content: Any) -> Iterator[str]:
    for case in [*content["cases"], *content.get("across", ())]:
        yield f"{name} {case['id']}"


def _parts(*parts: str) -> Callable[[str, Any], Iterator[str]]:
    def found(name: str, content: Any) -> Iterator[str]:
        for case in content["cases"]:
            yield f"{name} {case['id']}"
            yield from (f"{name} {case['id']} {part}" for part in parts)

    return found


def _edition(name: str, content: Any) -> Iterator[str]:
    yield from (f"{name} {letter}" for letter in content["groups"])
    if content["thirds_through"]:
        yield f"{name} thirds"


def _event(name: str, content: Any) -> Iterator[str]:
    yield name


KINDS: Mapping[str, Callable[[str, Any], Iterator[str]]] = {
    "hand-worked": _plain,
    "swiss": _plain,
    "groups": _parts("advance"),
    "formula": _parts("event"),
    "pending": _parts("thirds", "closing"),
    "football": _edition,
    "magic": _event,
}


def every_case() -> Iterator[str]:
    """Yield every case of every golden file."""
    for name, path in files().items():
        yield from cases_of(name, json.loads(path.read_text(encoding="utf-8")))
