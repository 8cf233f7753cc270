"""Imports point one way, the rules know no framework, and modules stay small."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
APPS = ("rules", "config", "accounts", "decks", "tournaments")
# Who may import whom. The web kit is config.web, ui and wording; config.urls mounts everything.
ALLOWED = {
    "rules": {"rules"},
    "config": {"config", "rules"},
    "accounts": {"accounts", "config", "rules"},
    "decks": {"decks", "accounts", "config", "rules"},
    "tournaments": {"tournaments", "decks", "accounts", "config", "rules"},
}
# Inside an app a layer imports its own and those behind it.
LAYERS = (
    ("urls",),
    ("views", "api", "management", "exports", "admin"),
    ("forms", "services"),
    ("selectors",),
    ("permissions", "mapping"),
    ("models",),
)
LONGEST = 300


def modules() -> list[Path]:
    """Return every module of the project but migrations."""
    found = [path for app in APPS for path in (ROOT / app).rglob("*.py")]
    return [path for path in found if "migrations" not in path.parts]


def imported(path: Path) -> set[str]:
    """Return the dotted names that a module imports, wherever the import stands."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            names |= {node.module or ""} | {f"{node.module}.{name.name}" for name in node.names}
    return names


def layer(name: str) -> int | None:
    """Return how far in front the layer of a dotted name stands; None for other modules."""
    parts = name.split(".")
    if len(parts) < 2:
        return None
    return next((i for i, words in enumerate(LAYERS) if parts[1] in words), None)


def dotted(path: Path) -> str:
    """Return the dotted name of a module's file."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_imports_point_one_way(path):
    name = dotted(path)
    app = name.split(".")[0]
    allowed = set(APPS) if name == "config.urls" else ALLOWED[app]
    ours = {other for other in imported(path) if other.split(".")[0] in APPS}
    assert {other for other in ours if other.split(".")[0] not in allowed} == set()


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_layers_import_backwards_only(path):
    name = dotted(path)
    own = layer(name)
    if own is None or name.startswith(("rules.", "config.")):
        return
    app = name.split(".")[0]
    ahead = {
        other
        for other in imported(path)
        if other.startswith(f"{app}.") and (found := layer(other)) is not None and found < own
    }
    assert ahead == set()


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_the_rules_know_no_framework(path):
    if path.relative_to(ROOT).parts[0] == "rules":
        packages = {name.split(".")[0] for name in imported(path)}
        assert packages & {"django", "rest_framework", "allauth", "random", "time"} == set()


def test_one_module_of_the_rules_uses_a_library():
    known = set(sys.stdlib_module_names) | {"rules"}
    using = {
        dotted(path): others
        for path in modules()
        if path.relative_to(ROOT).parts[0] == "rules"
        and (others := {name.split(".")[0] for name in imported(path)} - known)
    }
    assert using == {"rules.swiss.matching": {"rustworkx"}}


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_imports_stand_at_the_top(path):
    inside = [
        node.lineno
        for outer in ast.walk(ast.parse(path.read_text()))
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.If)
        for node in ast.walk(outer)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert inside == []


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_modules_stay_small(path):
    assert len(path.read_text().splitlines()) <= LONGEST
