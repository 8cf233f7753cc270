"""Imports point one way, the rules use one library, and modules stay small.

Who may import whom is written as contracts in ``pyproject.toml``; import-linter reads all modules.
Where no imports go in a circle, their order does not matter: ``make test`` looks for circles in the
sources, ``make test-all`` imports every module first.
"""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest
from importlinter import api
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.independence import IndependenceContract
from importlinter.contracts.layers import LayersContract
from importlinter.domain.contract import Contract

ROOT = Path(__file__).resolve().parents[2]
APPS = ("rules", "config", "accounts", "decks", "tournaments")
KINDS: dict[str, type[Contract]] = {
    "acyclic_siblings": AcyclicSiblingsContract,
    "forbidden": ForbiddenContract,
    "independence": IndependenceContract,
    "layers": LayersContract,
}
LONGEST = 600


@cache
def modules() -> tuple[Path, ...]:
    """Return every module of the project but migrations."""
    found = [path for app in APPS for path in (ROOT / app).rglob("*.py")]
    return tuple(path for path in found if "migrations" not in path.parts)


@cache
def tree(path: Path) -> ast.Module:
    """Return a module's syntax tree."""
    return ast.parse(path.read_text())


def dotted(path: Path) -> str:
    """Return the dotted name of a module's file."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


@cache
def import_graph() -> grimp.ImportGraph:
    """Return who imports whom, libraries included."""
    return grimp.build_graph(*APPS, include_external_packages=True, cache_dir=None)


@cache
def contracts() -> dict[str, Contract]:
    """Return the contracts of ``pyproject.toml`` by their ids."""
    found = api.read_configuration(str(ROOT / "pyproject.toml"))
    return {
        options["id"]: KINDS[options["type"]](
            name=options["name"],
            session_options=found["session_options"],
            contract_options=options,
        )
        for options in found["contracts_options"]
    }


def kept(name: str, *planted: tuple[str, str]) -> bool:
    """Say whether a contract holds, with further imports (who, whom) where any are planted."""
    graph = deepcopy(import_graph())
    for importer, imported in planted:
        graph.add_import(importer=importer, imported=imported)
    return contracts()[name].check(graph, verbose=False).kept


def of_rules() -> Iterator[Path]:
    """Yield the modules of the rules."""
    return (path for path in modules() if path.relative_to(ROOT).parts[0] == "rules")


def libraries_of(path: Path) -> set[str]:
    """Return the libraries that a module imports: neither Python's own nor the rules."""
    known = set(sys.stdlib_module_names) | {"rules"}
    names: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            names.add(str(node.module))
    return {name.split(".")[0] for name in names} - known


def inner_imports(path: Path) -> set[int]:
    """Return the lines of imports inside of functions and conditions."""
    return {
        node.lineno
        for outer in ast.walk(tree(path))
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.If)
        for node in ast.walk(outer)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }


def test_all_modules_are_read() -> None:
    named = {dotted(path).removesuffix(".__init__") for path in modules()}
    assert named <= import_graph().modules
    assert {name.split(".")[0] for name in named} == set(APPS)


@pytest.mark.parametrize("name", sorted(contracts()))
def test_a_contract_of_imports_holds(name: str) -> None:
    assert kept(name)


PLANTED = {
    "apps": [("decks.models.card", "tournaments.models.event")],
    "pure": [("rules.results", "random")],
    "rules": [("rules.plans", "rules.stages.base")],
    "decks": [
        ("decks.files.limits", "decks.readers.base"),
        ("decks.models.card", "decks.cards.selectors"),
    ],
    "tournaments": [
        ("tournaments.models.event", "tournaments.core.labels"),
        ("tournaments.core.mapping", "tournaments.rounds.services"),
        ("tournaments.chain.lines", "tournaments.rounds.selectors.pairings"),
        ("tournaments.api.serialization", "tournaments.lots.api"),
    ],
    "models": [("tournaments.models.event", "decks.decklists.selectors")],
    "selectors": [("tournaments.undo.selectors", "tournaments.archive.reader")],
    "services": [("tournaments.log.services", "tournaments.pages.access")],
    "facts_cache": [("tournaments.rounds.services", "tournaments.core.facts_cache")],
    "forms": [("tournaments.lots.forms", "tournaments.lots.views")],
    "features": [("tournaments.exports.loading", "tournaments.paper.services")],
    "endpoints": [("tournaments.api.serialization", "tournaments.lots.forms")],
}


@pytest.mark.parametrize(
    ("name", "planted"), [(name, each) for name in sorted(contracts()) for each in PLANTED[name]]
)
def test_an_import_against_a_contract_is_found(name: str, planted: tuple[str, str]) -> None:
    """Most of those planted are found through another module, whose layer has no name."""
    assert not kept(name, planted)


def test_one_module_of_the_rules_uses_a_library() -> None:
    using = {dotted(path): found for path in of_rules() if (found := libraries_of(path))}
    assert using == {"rules.swiss.rounds": {"rustworkx"}}


def test_imports_stand_at_the_top() -> None:
    assert {dotted(path): found for path in modules() if (found := inner_imports(path))} == {}


def test_modules_stay_small() -> None:
    long = {
        dotted(path): lines
        for path in (*modules(), *(ROOT / "tests").rglob("*.py"))
        if (lines := len(path.read_text().splitlines())) > LONGEST
    }
    assert long == {}


FORGETTING = """
import importlib, sys
for name in sys.argv[1:]:
    for loaded in [each for each in sys.modules if each.partition(".")[0] == "rules"]:
        del sys.modules[loaded]
    importlib.import_module(name)
"""

# Models can't be loaded twice in one process, so each module gets a child.
IN_CHILDREN = """
import importlib, os, sys
import django
django.setup()
for name in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        importlib.import_module(name)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        sys.exit(name)
"""


def imports_of(name: str, node: ast.Module, names: Mapping[str, object]) -> Iterator[str]:
    """Yield the modules that a module imports, and the packages around those."""
    for part in ast.walk(node):
        found: list[str] = []
        if isinstance(part, ast.Import):
            found = [each.name for each in part.names]
        elif isinstance(part, ast.ImportFrom):
            of_module = [f"{part.module}.{each.name}" for each in part.names]
            found = [each if each in names else str(part.module) for each in of_module]
        for each in found:
            words = each.split(".")
            around = (".".join(words[:count]) for count in range(1, len(words)))
            yield from (package for package in around if not f"{name}.".startswith(f"{package}."))
            yield each


def circle(trees: Mapping[str, ast.Module]) -> list[str]:
    """Return modules that import each other in a circle; none where there is no circle."""
    graph = {
        name: {other for other in imports_of(name, node, trees) if other in trees} - {name}
        for name, node in trees.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as found:
        return list(found.args[1])
    return []


def test_no_imports_go_in_a_circle() -> None:
    assert circle({dotted(path).removesuffix(".__init__"): tree(path) for path in modules()}) == []


@pytest.mark.parametrize(
    "sources",
    [
        {"a": "import b", "b": "from a import x"},
        {"p": "from p import a", "p.a": "from p import x"},
        {"p": "from p.a import x", "p.a": "import q", "q": "import p.b", "p.b": ""},
        {"p": "from p import a", "p.a": "from q import c", "q": "", "q.c": "from p import x"},
    ],
)
def test_a_circle_is_found(sources: dict[str, str]) -> None:
    assert circle({name: ast.parse(source) for name, source in sources.items()})


@pytest.mark.deep
@pytest.mark.parametrize(
    ("package", "program"),
    [("rules", FORGETTING), ("decks", IN_CHILDREN), ("tournaments", IN_CHILDREN)],
)
def test_every_module_imports_alone(package, program):
    names = sorted(
        dotted(path).removesuffix(".__init__")
        for path in modules()
        if path.is_relative_to(ROOT / package)
    )
    command = [sys.executable, "-c", program, *names]
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


PAGE = ROOT / "docs" / "where.md"
LEFT_OUT = {"tournaments.apps", "tournaments.urls", "tournaments.migrations"}
"""The first two load all others by their names, so that they seem to import none."""


def levels(whole: grimp.ImportGraph) -> Iterator[str]:
    """Yield the children of ``tournaments`` by level, from bottom to top.

    Each imports one of the line before, and only from the lines before.
    """
    graph = deepcopy(whole)
    children = graph.find_children("tournaments") - LEFT_OUT
    for each in children:
        graph.squash_module(each)
    sorter = TopologicalSorter(
        {
            each: graph.find_modules_directly_imported_by(each) & (children - {each})
            for each in children
        }
    )
    sorter.prepare()
    while sorter.is_active():
        level = sorter.get_ready()
        yield ", ".join(sorted(each.removeprefix("tournaments.") for each in level))
        sorter.done(*level)


def test_the_page_lists_the_features_in_the_order_of_their_imports() -> None:
    text = PAGE.read_text(encoding="utf-8")
    (listed,) = re.findall(r"^## The order of features$.*?^```\n(.*?)^```$", text, re.M | re.S)
    assert listed.splitlines() == list(levels(import_graph()))


def test_a_further_import_moves_a_feature_up() -> None:
    graph = grimp.ImportGraph()
    for feature in ("", ".core", ".rounds", ".clock", ".desk", ".urls"):
        graph.add_module(f"tournaments{feature}")

    def add(importer: str, imported: str) -> list[str]:
        graph.add_import(importer=f"tournaments.{importer}", imported=f"tournaments.{imported}")
        return list(levels(graph))

    add("rounds.views", "core.labels")
    add("desk.views", "rounds.views")
    assert add("clock.views", "core.labels") == ["core", "clock, rounds", "desk"]
    assert add("clock.views", "rounds.views") == ["core", "rounds", "clock, desk"]
    with pytest.raises(CycleError):
        add("core.labels", "desk.selectors")
