"""Imports point one way, the rules use one library, and modules stay small.

Who may import whom is written as contracts in ``pyproject.toml``; import-linter reads all modules.
"""

import ast
import sys
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
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
        ("tournaments.chain.lines", "tournaments.rounds.selectors.rows"),
        ("tournaments.api.serialization", "tournaments.lots.api"),
    ],
    "models": [("tournaments.models.event", "decks.decklists.selectors")],
    "selectors": [("tournaments.undo.selectors", "tournaments.archive.reader")],
    "services": [("tournaments.log.services", "tournaments.pages.access")],
    "facts_cache": [("tournaments.rounds.services", "tournaments.core.facts_cache")],
    "forms": [("tournaments.lots.forms", "tournaments.lots.views")],
    "features": [("tournaments.exports.loading", "tournaments.paper.selectors")],
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
