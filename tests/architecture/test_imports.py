"""Modules can be the first ones imported: nothing leans on what came before it.

Where no imports go in a circle, the order of imports does not matter: ``make test`` looks for
circles in the sources, ``make test-all`` imports every module first.
"""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.architecture.test_boundaries import ROOT, dotted, modules, tree

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
