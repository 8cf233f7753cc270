"""Imports point one way, the rules know no framework, and modules stay small.

Each test reads every module and names all offenders at once.
"""

import ast
import sys
from functools import cache
from pathlib import Path

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


@cache
def modules() -> tuple[Path, ...]:
    """Return every module of the project but migrations."""
    found = [path for app in APPS for path in (ROOT / app).rglob("*.py")]
    return tuple(path for path in found if "migrations" not in path.parts)


@cache
def tree(path: Path) -> ast.Module:
    """Return a module's syntax tree."""
    return ast.parse(path.read_text())


@cache
def imported(path: Path) -> frozenset[str]:
    """Return the dotted names that a module imports, wherever the import stands."""
    names: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            names |= {node.module or ""} | {f"{node.module}.{name.name}" for name in node.names}
    return frozenset(names)


def layer(name: str) -> int | None:
    """Return how far in front the layer of a dotted name stands; None for other modules."""
    parts = name.split(".")
    if len(parts) < 2:
        return None
    return next((i for i, words in enumerate(LAYERS) if parts[1] in words), None)


def dotted(path: Path) -> str:
    """Return the dotted name of a module's file."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def foreign(path: Path) -> set[str]:
    """Return what a module imports of apps that it must not know."""
    name = dotted(path)
    allowed = set(APPS) if name == "config.urls" else ALLOWED[name.split(".")[0]]
    ours = {other for other in imported(path) if other.split(".")[0] in APPS}
    return {other for other in ours if other.split(".")[0] not in allowed}


def ahead(path: Path) -> set[str]:
    """Return what a module imports of layers in front of its own."""
    name = dotted(path)
    own = layer(name)
    if own is None or name.startswith(("rules.", "config.")):
        return set()
    app = name.split(".")[0]
    return {
        other
        for other in imported(path)
        if other.startswith(f"{app}.") and (found := layer(other)) is not None and found < own
    }


def inner_imports(path: Path) -> set[int]:
    """Return the lines of imports inside of functions and conditions."""
    return {
        node.lineno
        for outer in ast.walk(tree(path))
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.If)
        for node in ast.walk(outer)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }


def of_rules() -> list[Path]:
    """Return the modules of the rules."""
    return [path for path in modules() if path.relative_to(ROOT).parts[0] == "rules"]


def test_all_modules_are_read() -> None:
    assert {dotted(path).split(".")[0] for path in modules()} == set(APPS)
    assert all((ROOT / app / "__init__.py") in modules() for app in APPS)


def test_imports_point_one_way() -> None:
    assert {dotted(path): found for path in modules() if (found := foreign(path))} == {}


def test_layers_import_backwards_only() -> None:
    assert {dotted(path): found for path in modules() if (found := ahead(path))} == {}


def test_the_rules_know_no_framework() -> None:
    unknown = {"django", "rest_framework", "allauth", "random", "time"}
    using = {
        dotted(path): found
        for path in of_rules()
        if (found := {name.split(".")[0] for name in imported(path)} & unknown)
    }
    assert using == {}


def test_one_module_of_the_rules_uses_a_library() -> None:
    known = set(sys.stdlib_module_names) | {"rules"}
    using = {
        dotted(path): others
        for path in of_rules()
        if (others := {name.split(".")[0] for name in imported(path)} - known)
    }
    assert using == {"rules.swiss.matching": {"rustworkx"}}


def test_imports_stand_at_the_top() -> None:
    assert {dotted(path): found for path in modules() if (found := inner_imports(path))} == {}


def test_modules_stay_small() -> None:
    long = {
        dotted(path): lines
        for path in modules()
        if (lines := len(path.read_text().splitlines())) > LONGEST
    }
    assert long == {}
