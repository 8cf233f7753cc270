"""Nothing outside of ``rules/stages`` compares kinds of stages: they say themselves what they can.

A new kind would be missing in every such comparison (docs/adding.md, a kind of stage).
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rules.stages import STAGE_KINDS

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("rules", "tournaments", "decks", "accounts", "config")
KEYS = frozenset(STAGE_KINDS.keys())
CONSTANTS = frozenset(key.upper() for key in KEYS)
CLASSES = frozenset(type(kind).__name__ for kind in STAGE_KINDS)
QUERIES = frozenset({"filter", "exclude", "get", "Q"})
# No other source can compare them, so no other one is parsed.
MENTIONED = re.compile("|".join(sorted(KEYS | CONSTANTS | CLASSES)))
IN_TEXT = re.compile(rf"""kind\s*[!=]=+\s*["'](?:{"|".join(KEYS)})["']""")


def _is_name_of_a_kind(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in CONSTANTS
        case ast.Constant(value=str() as text):
            return text in KEYS
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return any(map(_is_name_of_a_kind, parts))
    return False


def _called(node: ast.Call) -> str:
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _compares(node: ast.AST) -> bool:
    match node:
        case ast.Compare(left=left, comparators=others):
            return any(map(_is_name_of_a_kind, (left, *others)))
        case ast.MatchValue(value=value):
            return _is_name_of_a_kind(value)
        case ast.Dict(keys=keys):
            return any(
                key is not None and not isinstance(key, ast.Constant) and _is_name_of_a_kind(key)
                for key in keys
            )
        case ast.Call(keywords=keywords) if _called(node) in QUERIES:
            return any(
                word.arg in ("kind", "kind__in", "stage__kind") and _is_name_of_a_kind(word.value)
                for word in keywords
            )
        case ast.Call(args=[_, *classes]) if _called(node) == "isinstance":
            names = {
                name.id
                for given in classes
                for name in ast.walk(given)
                if isinstance(name, ast.Name)
            }
            return bool(names & CLASSES)
    return False


def comparisons(source: str) -> Iterator[int]:
    """Yield the lines in which a kind of stage is compared, looked up or told by its class."""
    if not MENTIONED.search(source):
        return
    for node in ast.walk(ast.parse(source)):
        if _compares(node):
            yield getattr(node, "lineno", 0)


@pytest.mark.deep
def test_no_module_outside_of_the_kinds_compares_them() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for folder in SOURCES
        for path in sorted((ROOT / folder).rglob("*.py"))
        if (ROOT / "rules" / "stages") not in path.parents
        for line in comparisons(path.read_text())
    ]
    assert found == []


def test_no_template_and_no_script_compares_kinds() -> None:
    pages = [*(ROOT / "templates").rglob("*.html")]
    scripts = [path for folder in SOURCES for path in (ROOT / folder).rglob("static/**/*.js")]
    assert pages
    assert scripts
    found = [path.name for path in (*pages, *scripts) if IN_TEXT.search(path.read_text())]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        'stage.plan.kind == "swiss"',
        "if plan.kind != SWISS: pass",
        "kind in (ROUND_ROBIN, SWISS)",
        'kind not in {"knockout"}',
        "event.stages.filter(kind=SWISS)",
        'Q(kind__in=["swiss", "knockout"])',
        "asked = {KNOCKOUT: 3}",
        "isinstance(kind, RoundRobin)",
        "match kind:\n    case 'double_elimination': pass",
    ],
)
def test_each_way_to_compare_is_seen(source: str) -> None:
    assert [*comparisons(source)]


@pytest.mark.parametrize(
    "source",
    [
        "StagePlan(kind=SWISS)",
        'Formula(key="swiss")',
        'place.kind == "rank"',
        "kind in STAGE_KINDS",
    ],
)
def test_naming_a_kind_is_no_comparison(source: str) -> None:
    assert not [*comparisons(source)]


def test_a_kind_in_a_page_is_seen() -> None:
    assert IN_TEXT.search('{% if stage.kind == "swiss" %}')
    assert IN_TEXT.search("if (stage.kind === 'knockout') {")
