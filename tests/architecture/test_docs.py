"""What the documentation names is there: paths, targets of make, commands of manage.py."""

import re
import subprocess
from functools import cache
from pathlib import Path

from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
WITHIN = (
    *("", "config/", "decks/", "deploy/", "deploy/systemd/", "rules/", "tests/", "tournaments/"),
    *("tests/servers/", "tests/tournaments/"),
)
"""Folders of which a page speaks when it leaves their name out."""
NOT_OF_THE_PROJECT = {
    *("test-results/pictures/", "certificate/", "deploy/.env"),  # made where it runs
    *("standings.csv", "ranking.csv", "matches.csv", "players.csv"),  # asked, as are these
    *("events/restore", "export.xlsx", "archive.json", "matches/7/", "matches/7/result/"),
}
PLACEHOLDER = re.compile(r"\b(NAME|KIND|FEATURE|FILE|KEY)\b")
METHOD = re.compile(r"(GET|POST|PUT|PATCH|DELETE) ")
PLACED = re.compile(r"((?:`\w+`(?:,|\sand)\s)*`\w+`)\sin\s`([\w./-]+\.\w+)`")
"""Names of a file's functions and values, before its path."""
ENDINGS = "py|md|sh|txt|typ|conf|service|timer|toml|lock|css|js|html|yaml|json|csv|po|xlsx"
PATH = re.compile(rf"\.?[a-z][\w.-]*(/[\w.-]+)*(/|\.({ENDINGS}))|bin/[\w-]+", re.IGNORECASE)


def quoted(page: Path) -> list[str]:
    """Return what stands in back quotes in the text of a page, outside of blocks of code."""
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.findall(r"`([^`\n]+)`", text)


def named(page: Path) -> set[str]:
    """Return the paths in back quotes, also as words of a command; placeholders are none."""
    words = (word for each in quoted(page) if not METHOD.match(each) for word in each.split())
    return {word for word in words if PATH.fullmatch(word) and not PLACEHOLDER.search(word)}


@cache
def kept() -> frozenset[str]:
    """Return the files of the project and the folders that hold them, these with a slash."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    files = [Path(line) for line in listed.stdout.splitlines() if (ROOT / line).exists()]
    folders = {f"{folder}/" for file in files for folder in file.parents}
    return frozenset({str(file) for file in files} | folders)


def is_there(path: str) -> bool:
    """Say whether a path is one of the project; a name alone may lie in any folder."""
    if "/" not in path:
        return path in kept() or any(file.endswith(f"/{path}") for file in kept())
    return any(f"{folder}{path}" in kept() for folder in WITHIN)


def test_every_path_that_a_page_names_is_there() -> None:
    found = {page.name: named(page) for page in PAGES}
    assert sum(map(len, found.values())) > 200
    missing = [
        f"{page}: {path}"
        for page, paths in found.items()
        for path in sorted(paths - NOT_OF_THE_PROJECT)
        if not is_there(path)
    ]
    assert missing == []


def placed(page: Path) -> set[tuple[str, str]]:
    """Return the names that a page finds in a file, each with its path."""
    found = PLACED.findall(page.read_text(encoding="utf-8"))
    return {(name, path) for names, path in found for name in re.findall(r"`(\w+)`", names)}


def stands_in(name: str, path: str) -> bool:
    """Say whether a file of this path, or one that ends with it, has a name."""
    files = (file for file in kept() if f"/{file}".endswith(f"/{path}"))
    return any(re.search(rf"\b{name}\b", (ROOT / file).read_text("utf-8")) for file in files)


def test_every_name_that_a_page_finds_in_a_file_stands_there() -> None:
    found = {(page.name, *each) for page in PAGES for each in placed(page)}
    assert len(found) > 30
    assert sorted(each for each in found if not stands_in(*each[1:])) == []


def test_every_command_that_a_page_names_is_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][\w-]*):", makefile, re.MULTILINE))
    known = {f"make {target}" for target in targets} | {f"manage.py {c}" for c in get_commands()}
    found = {
        (page.name, command)
        for page in PAGES
        for each in quoted(page)
        if not each.startswith("apt")
        for command in re.findall(r"\b(?:make|manage\.py) [a-z][\w-]*", each)
    }
    assert len(found) > 30
    assert sorted(each for each in found if each[1] not in known) == []


def test_what_is_gone_would_be_named(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "`tests/gone.py`, `bin/setup`, `bin/gone`, `POST rounds/`, `manage.py demo`, "
        "`models` and `gone` in `tournaments/urls.py`, `addresses`, `defaultdict` in `urls.py`"
    )
    missing = [path for path in sorted(named(page)) if not is_there(path)]
    assert missing == ["bin/gone", "tests/gone.py"]
    assert [name for name, path in sorted(placed(page)) if not stands_in(name, path)] == [
        "gone",
        "models",
    ]
