"""No pattern makes more steps than a few for each sign: what a stranger sends costs no more.

Every pattern of the program is found, and fed with what would make it go back and forth.
"""

import ast
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from rules.people.mentions import NameRedactor
from tests.pattern_feed import dearest
from tests.pattern_steps import Steps, UnknownPartError

ROOT = Path(__file__).parents[2]
PACKAGES = ("rules", "decks", "tournaments", "accounts", "config")
OWN_FILES = {"config.env": "its settings"}
"""Modules whose patterns read nothing that comes in from outside."""
MADE_OF_NAMES = ("rules.people.mentions",)
"""Modules that make patterns of the names of people: :func:`test_patterns_of_names`."""
ONCE = {"match", "fullmatch"}
ALL_OVER = {"search", "sub", "subn", "split", "findall", "finditer"}


@dataclass(frozen=True)
class Found:
    """A pattern: where it stands, and whether it is looked for all over a text."""

    place: str
    pattern: re.Pattern[str]
    everywhere: bool


@cache
def _trees() -> dict[str, ast.Module]:
    """Return the tree of each module, by its name."""
    trees = {}
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in file.parts:
                name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
                trees[name.removesuffix(".__init__")] = ast.parse(file.read_text(encoding="utf-8"))
    return trees


@cache
def _uses(name: str) -> dict[str, set[str]]:
    """Return what is done in a module with each name of it, "?" where it is handed on."""
    uses: dict[str, set[str]] = {}
    tree = _trees()[name]
    methods = {
        id(node.value): node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)
    }
    for node in ast.walk(tree):
        key = node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
        if key and isinstance(getattr(node, "ctx", None), ast.Load):
            uses.setdefault(key, set()).add(methods.get(id(node), "?"))
    return uses


@cache
def _importers() -> dict[tuple[str, str], set[str]]:
    """Return the modules that import each name of each module."""
    found: dict[tuple[str, str], set[str]] = {}
    for other, tree in _trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    found.setdefault((node.module or "", alias.name), set()).add(other)
    return found


def _done(module: str, name: str) -> set[str]:
    """Return what is done with a name of a module, there and where it is imported from there."""
    where = {module} | _importers().get((module, name), set())
    return {done for each in where for done in _uses(each).get(name, ())} - {"pattern"}


def _compiled(name: str) -> Iterator[Found]:
    """Yield the patterns that are names of a module, or of a class there."""
    module = importlib.import_module(name)
    owners = [module, *(each for each in vars(module).values() if isinstance(each, type))]
    for owner in owners:
        if getattr(owner, "__module__", name) == name:
            for key, value in vars(owner).items():
                if isinstance(value, re.Pattern):
                    yield Found(f"{name}.{key}", value, not _done(name, key) <= ONCE)


def _calls(name: str) -> Iterator[tuple[ast.Call, str]]:
    for node in ast.walk(_trees()[name]):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            of = node.func.value
            if isinstance(of, ast.Name) and of.id == "re":
                yield node, node.func.attr


def _found() -> Iterator[Found]:
    for name in _trees():
        if name in OWN_FILES:
            continue
        calls = list(_calls(name))
        if any(method == "compile" for _call, method in calls):
            yield from _compiled(name)
        for call, method in calls:
            first = call.args[0] if call.args else None
            if method in ONCE | ALL_OVER and isinstance(first, ast.Constant):
                place = f"{name}:{call.lineno}"
                yield Found(place, re.compile(first.value), method in ALL_OVER)


def _unseen() -> Iterator[str]:
    """Yield the calls that make a pattern which is neither a name of a module nor written there."""
    for name, tree in _trees().items():
        if name in (*OWN_FILES, *MADE_OF_NAMES):
            continue
        named = {
            id(node.value) for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)
        }
        for call, method in _calls(name):
            written = bool(call.args) and isinstance(call.args[0], ast.Constant)
            seen = id(call) in named if method == "compile" else written
            if method in {"compile"} | ONCE | ALL_OVER and not seen:
                yield f"{name}:{call.lineno}"


FOUND = {each.place: each for each in _found()}


@pytest.mark.deep
@pytest.mark.parametrize("place", FOUND)
def test_pattern_is_linear(place: str) -> None:
    """No run of a sign, no word of the pattern again and again makes it go back and forth."""
    found = FOUND[place]
    assert dearest(found.pattern, everywhere=found.everywhere) is None


@pytest.mark.deep
def test_all_patterns_are_found() -> None:
    """A pattern is a name of its module, or written where it is used: so it is fed above."""
    assert list(_unseen()) == []
    assert {
        "rules.names._APOSTROPHE_AS_ACCENT",
        "decks.readers.documents._COCKATRICE_XML",
    } <= FOUND.keys()


@pytest.mark.deep
@pytest.mark.parametrize(
    ("written", "everywhere"),
    [
        (r".*^\s*[0-9]+ x", False),
        (r"\s*([^:;]*[^:;\s])\s*:", False),
        (r"([^:]+?)\s*(?::\s*([1-9]))?", False),
        (r"(?:[0-9]+-?)+x", False),
        (r"(?:ab|[a-c]b?)+x", False),
        (r"[a-z]+@b", True),
        (r" +$", True),
        (r"<!--.*-->", True),
    ],
)
def test_a_pattern_that_goes_back_and_forth_is_noticed(written: str, everywhere: bool) -> None:
    """Two repeats over the same signs, or one that begins anew at each sign, are too dear."""
    assert dearest(re.compile(written, re.DOTALL | re.MULTILINE), everywhere=everywhere)


@pytest.mark.parametrize("written", [r"(?:a*)*b", r"(a)\1"])
def test_a_pattern_that_cannot_be_counted_is_refused(written: str) -> None:
    """What the counter does not know passes for nothing."""
    with pytest.raises(UnknownPartError):
        Steps(re.compile(written))


def test_the_counter_finds_what_the_library_finds() -> None:
    """The steps are those of the same matches: wherever the library matches, so does it."""
    text = "12 Name (SET) 3 // x2\n2. Other; 4x"
    looking = (r"\d+(?= )", r"(?<=2)[.] \w++", r"x(?!2)", r"^\d|\bx\B|.$")
    for pattern in (*looking, r"(?i:n)a?m??e|(?>O\w+);", "(?s:.)[^\\d]"):
        steps = Steps(re.compile(pattern, re.MULTILINE))
        steps.left = 10**6
        for at in range(len(text)):
            found = re.compile(pattern, re.MULTILINE).match(text, at)
            assert steps.end_of_match(text, at) == (found.end() if found else None), (pattern, at)


@pytest.mark.deep
def test_patterns_of_names() -> None:
    """What is made of the names of people is linear too, also of names like each other."""
    names = frozenset({"Ann Ann", "Ann", "Ann Ann Ann", "Lolo Popo Lolo"})
    made = NameRedactor(names=names, label="–", others=frozenset({"Ann Ann Ann Ann", "Popo"}))
    patterns = [pattern for _word, pattern in made._patterns]
    words = made._words
    assert words is not None
    for pattern in (*patterns, words, made._ignored_pattern):
        assert dearest(pattern, everywhere=True) is None
