"""The shape of the code: its size by ``ast``, and the modules that a request runs through.

``make measure-shape`` prints each figure beside its goal, and exits with 1 where one is missed.
Counted are the five apps without migrations. Requests are followed by ``sys.setprofile``: how many
modules of the project they run through (not those that they only import), and how deep its own
calls nest.
"""

import ast
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import FrameType
from typing import Any

from tests.measures.site import Site

ROOT = Path(__file__).resolve().parents[2]
APPS = ("accounts", "config", "decks", "rules", "tournaments")
SMALL = 60
"""Lines up to which a module is a small one."""
GOALS: dict[str, float] = {
    "statements": 63_000,
    "statements without docstrings": 55_000,
    "lines": 110_000,
    "lines of tests": 97_000,
    "modules": 750,
    "modules of at most 60 lines": 120,
    "value classes built at one place": 150,
    "functions used once, %": 20,
    "lines that import, %": 7,
    "a result at the desk: modules": 60,
    "a result at the desk: depth": 22,
    "first read of the standings: modules": 50,
    "first read of the standings: depth": 30,
    "a second result by the API: modules": 45,
    "a second result by the API: depth": 20,
}
FOLLOWED = """
from tests.measures.shape import followed
print(json.dumps(followed()))
"""
SCRIPT = {"accept": "application/json"}
Definition = ast.FunctionDef | ast.AsyncFunctionDef


def main() -> int:
    """Print the figures beside their goals; return 1 where one is above its goal."""
    found = counted(ROOT)
    with tempfile.TemporaryDirectory() as folder:
        found |= Site(Path(folder)).prepare(FOLLOWED)
    for name, goal in GOALS.items():
        sys.stdout.write(f"| {name} | {found[name]:,.6g} | {goal:,.6g} |\n")
    return int(any(found[name] > goal for name, goal in GOALS.items()))


def counted(root: Path) -> dict[str, float]:
    """Return the size of the apps below a folder, by the names of ``GOALS``."""
    trees = {path: ast.parse(path.read_text()) for app in APPS for path in sources(root / app)}
    nodes = [node for tree in trees.values() for node in ast.walk(tree)]
    lengths = {path: lines(path) for path in trees}
    total = sum(lengths.values())
    statements = sum(isinstance(node, ast.stmt) for node in nodes)
    documented = ast.Module | ast.ClassDef | Definition
    docstrings = sum(isinstance(n, documented) and ast.get_docstring(n) is not None for n in nodes)
    imports = sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
    )
    small = [p for p, long in lengths.items() if long <= SMALL and p.name != "__init__.py"]
    return {
        "statements": statements,
        "statements without docstrings": statements - docstrings,
        "lines": total,
        "lines of tests": sum(map(lines, sources(root / "tests"))),
        "modules": len(trees),
        "modules of at most 60 lines": len(small),
        "value classes built at one place": built_once(nodes),
        "functions used once, %": 100 * share_used_once(nodes),
        "lines that import, %": 100 * imports / max(1, total),
    }


def sources(folder: Path) -> Iterator[Path]:
    """Yield the Python files below a folder, without migrations."""
    return (path for path in sorted(folder.rglob("*.py")) if "migrations" not in path.parts)


def lines(path: Path) -> int:
    """Return how many lines a file has."""
    return path.read_bytes().count(b"\n")


def built_once(nodes: list[ast.AST]) -> int:
    """Return how many dataclasses and named tuples are called at one place."""
    calls = Counter(map(called, (node for node in nodes if isinstance(node, ast.Call))))
    return sum(calls[n.name] == 1 for n in nodes if isinstance(n, ast.ClassDef) and is_value(n))


def called(call: ast.Call) -> str:
    """Return the last name of what is called."""
    return getattr(call.func, "id", "") or getattr(call.func, "attr", "")


def is_value(node: ast.ClassDef) -> bool:
    """Say whether a class is a dataclass or a named tuple."""
    return any("dataclass" in ast.unparse(each) for each in node.decorator_list) or any(
        ast.unparse(base) == "NamedTuple" for base in node.bases
    )


def share_used_once(nodes: list[ast.AST]) -> float:
    """Return the share of functions and methods whose name is read at one place."""
    used = Counter(node.id for node in nodes if isinstance(node, ast.Name))
    used.update(node.attr for node in nodes if isinstance(node, ast.Attribute))
    defined = [node.name for node in nodes if isinstance(node, Definition)]
    defined = [name for name in defined if not name.startswith("__")]
    return sum(used[name] == 1 for name in defined) / max(1, len(defined))


class Follower:
    """Which modules of the project calls run through, and how deep they nest.

    The bodies of modules and classes, which an import runs, are no calls.
    """

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.depth = self.deepest = 0
        self.folders = tuple(f"{ROOT / app}/" for app in APPS)

    def __call__(self, frame: FrameType, kind: str, _value: object) -> None:
        """Count a call or a return; ``sys.setprofile`` takes this."""
        if kind not in ("call", "return"):
            return
        path = frame.f_code.co_filename
        if not path.startswith(self.folders) or not frame.f_code.co_flags & CO_OPTIMIZED:
            return
        if kind == "return":
            self.depth -= 1
            return
        self.modules.add(path)
        self.depth += 1
        self.deepest = max(self.deepest, self.depth)

    def follow(self, act: Callable[[], Any]) -> Any:
        """Return what an act returns, which is followed."""
        sys.setprofile(self)
        try:
            return act()
        finally:
            sys.setprofile(None)


def followed() -> dict[str, int]:
    """Return modules and depths of three requests, by the names of ``GOALS``."""
    from django.conf import settings
    from django.core.cache import cache
    from django.test import Client
    from rest_framework.test import APIClient

    from tests import factories as make
    from tests.browsers import ENGLISH, signed_in, url
    from tournaments.models import Match

    settings.ALLOWED_HOSTS = ["testserver"]
    by = make.organiser()
    event = make.playing(by, 24)
    desk, api, reader = signed_in(by), APIClient(), Client(headers=ENGLISH)
    api.force_authenticate(by.user)
    matches = iter(Match.objects.filter(round__event=event).order_by("table"))

    def by_desk() -> Any:
        match = next(matches)
        sent = {"version": 0, "text": "40 22"}
        return desk.post(url("desk-save", event, match.pk), sent, headers=SCRIPT)

    def by_api() -> Any:
        address = f"/api/v1/events/{event.slug}/matches/{next(matches).pk}/result/"
        return api.put(address, {"version": 0, "score": [40, 22]}, format="json")

    def standings() -> Any:
        cache.clear()
        return reader.get(url("standings", event))

    requests = {
        "first read of the standings": standings,
        "a result at the desk": by_desk,
        "a second result by the API": by_api,
    }
    found = {}
    for name, request in requests.items():
        if "second" in name:
            request()
        follower = Follower()
        answer = follower.follow(request)
        if answer.status_code not in (200, 302):
            raise AssertionError(f"{name}: {answer.status_code} {answer.content[:300]!r}")
        found[f"{name}: modules"] = len(follower.modules)
        found[f"{name}: depth"] = follower.deepest
    return found


if __name__ == "__main__":
    sys.exit(main())
