"""The lock files: younger than the requirements, whole, with hashes, without a registry."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
SETS = {
    "requirements.lock": ["requirements-site.txt", "requirements.txt"],
    "requirements-dev.lock": ["requirements-site.txt", "requirements.txt", "requirements-dev.txt"],
}
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}$")
WAYS_OF_INSTALLING = ["Makefile", "README.md", "docs/hosting.md"]


def required(text: str) -> dict[str, Requirement]:
    """Return the requirements of a file by their names."""
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    found = (Requirement(line) for line in lines if line and not line.startswith("-"))
    return {canonicalize_name(each.name): each for each in found}


def locked(text: str) -> dict[str, list[str]]:
    """Return the locked versions by name: more than one where versions of Python differ."""
    found: dict[str, list[str]] = {}
    for line in re.findall(r"^[a-z].*$", text, re.MULTILINE):
        name, version = re.match(r"([\w.-]+)(?:\[[\w,-]+\])?==([\w.!+]+)", line).groups()
        found.setdefault(canonicalize_name(name), []).append(version)
    return found


def out_of_date(wanted: dict[str, Requirement], lock: dict[str, list[str]]) -> list[str]:
    """Return what the lock lacks, or holds in a version that the range refuses."""
    return [
        str(requirement)
        for name, requirement in wanted.items()
        if not lock.get(name)
        or not all(requirement.specifier.contains(version) for version in lock[name])
    ]


def demanded_by(text: str, source: str) -> set[str]:
    """Return the packages that the lock says to hold because of the file ``source``."""
    found, name = set(), ""
    for line in text.splitlines():
        if line[:1].isalpha():
            name = canonicalize_name(re.split(r"[\[=]", line)[0])
        elif re.fullmatch(rf"\s+# .*-r {re.escape(source)}", line):
            found.add(name)
    return found


@pytest.mark.parametrize("name", SETS)
def test_the_lock_fits_the_requirements(name):
    text = (ROOT / name).read_text()
    for source in SETS[name]:
        wanted = required((ROOT / source).read_text())
        assert wanted
        assert out_of_date(wanted, locked(text)) == [], "run `make lock`"
        assert demanded_by(text, source) == set(wanted), "run `make lock`"


def test_a_lock_that_is_too_old_is_noticed():
    lock = locked("django==5.2.18 \\\n    --hash=sha256:00\nnetworkx==3.6 ; x\nnetworkx==3.7 ; y\n")
    wanted = required("Django>=5.2.19,<5.3  # the framework\nnetworkx<3.7\nsegno\n-r other.txt\n")
    assert out_of_date(wanted, lock) == ["Django<5.3,>=5.2.19", "networkx<3.7", "segno"]


def test_what_nobody_demands_any_more_is_noticed():
    source = "-r requirements.txt"
    text = f"segno==1 \\\n    # via {source}\npolib==2\n    # via\n    #   {source}\n"
    assert demanded_by(text, "requirements.txt") == {"segno", "polib"}


def test_both_locks_hold_the_same_versions():
    plain, dev = (locked((ROOT / name).read_text()) for name in SETS)
    assert {name: dev.get(name) for name in plain} == plain


@pytest.mark.parametrize("name", SETS)
def test_every_version_has_hashes_and_no_registry_is_named(name):
    text = (ROOT / name).read_text()
    blocks = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]
    assert [block.split()[0] for block in blocks if not any(map(HASH.search, lines(block)))] == []
    assert re.findall(r"https?:|file:|index-url|find-links|trusted-host| @ ", text) == []


def lines(block: str) -> list[str]:
    """Return the lines of a block without the sign that continues them."""
    return [line.rstrip(" \\") for line in block.splitlines()]


@pytest.mark.parametrize("name", WAYS_OF_INSTALLING)
def test_the_lock_is_what_is_installed(name):
    text = (ROOT / name).read_text()
    assert "requirements.lock" in text
    assert re.findall(r"(?:install|download|setup)\b[^\n`]*requirements[\w-]*\.txt", text) == []


@pytest.mark.parametrize("source", SETS["requirements-dev.lock"])
def test_every_requirement_says_why_it_is_there(source):
    kept = [line for line in (ROOT / source).read_text().splitlines() if line[:1].isalpha()]
    assert [line for line in kept if not re.search(r"\s# \S", line)] == []


def extras() -> dict[str, Requirement]:
    """Return the requirements of the package's extras by their names."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {"postgresql", "redis"} <= set(told)
    return required("\n".join(chain.from_iterable(told.values())))


def test_extras_of_the_package_are_those_that_are_tested():
    sources = ("requirements.txt", "requirements-dev.txt")
    locked_with = required("\n".join((ROOT / name).read_text() for name in sources))
    assert {name: locked_with.get(name) for name in extras()} == extras()


@pytest.mark.deep
def test_a_running_site_imports_nothing_that_its_requirements_lack():
    needed = set(required((ROOT / "requirements-site.txt").read_text())) | set(extras())
    own = {"accounts", "config", "decks", "rules", "tournaments"}
    brought = {"fido2": "django-allauth", "asgiref": "django", "qrcode": "django-allauth"}
    distributions = packages_distributions()
    missing = set()
    for app in own:
        for file in (ROOT / app).rglob("*.py"):
            for module in imported_modules(ast.parse(file.read_text())):
                if module in own | sys.stdlib_module_names:
                    continue
                names = {canonicalize_name(each) for each in distributions.get(module, [module])}
                names |= {brought[module]} if module in brought else set()
                if not names & needed:
                    missing.add((str(file.relative_to(ROOT)), module))
    assert missing == set()


def imported_modules(tree: ast.Module) -> set[str]:
    """Return the top names of what a module imports."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found
