"""Code in texts, which measures and tests run in another process, imports what there is."""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.deep

ROOT = Path(__file__).parents[2]
FROM = re.compile(
    r"^\s*from ((?:accounts|config|decks|rules|tests|tournaments)[.\w]*) import (.+)$", re.M
)


def imports_in_texts() -> Iterator[tuple[str, str, str]]:
    """Yield the file, the module and each name of the imports in texts of tests and bench."""
    for path in sorted([*ROOT.glob("tests/**/*.py"), *ROOT.glob("bench/**/*.py")]):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            for module, names in FROM.findall(node.value):
                for name in names.strip("()").split(","):
                    yield str(path.relative_to(ROOT)), module, name.split(" as ")[0].strip()


def exists(module: str, name: str) -> bool:
    """Return whether a module has a name, or is a package with a module of the name."""
    try:
        if hasattr(importlib.import_module(module), name) or name == "*":
            return True
        importlib.import_module(f"{module}.{name}")
    except ImportError:
        return False
    return True


def test_what_code_in_texts_imports_exists() -> None:
    found = set(imports_in_texts())
    assert len(found) > 20
    assert [one for one in sorted(found) if not exists(*one[1:])] == []
