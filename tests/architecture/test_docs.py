"""What the documentation names is there: paths, targets of make, commands of manage.py, and what
docstrings name by its module.
"""

import ast
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
"""Folders of which a page speaks when it leaves their name out: not where it begins with one."""
NOT_OF_THE_PROJECT = {
    *("test-results/pictures/", "certificate/", "deploy/.env"),  # made where it runs
    *("standings.csv", "ranking.csv", "matches.csv", "players.csv"),  # asked, as are these
    *("events/restore", "export.xlsx", "archive.json", "table.csv", "series/"),
    *("matches/7/", "matches/7/result/"),
}
PLACEHOLDER = re.compile(r"\b(NAME|KIND|FEATURE|FILE|KEY)\b")
METHOD = re.compile(r"(GET|POST|PUT|PATCH|DELETE) ")
PLACED = re.compile(r"((?:`\w+`(?:,|\sand)\s)*`\w+`)\sin\s`([\w./-]+(?:\.\w+|/))`")
"""Names of functions and values, before the path of their file or its folder."""
CODE = ("accounts/", "config/", "decks/", "rules/", "tournaments/")
DOTTED = re.compile(r"`([a-z_]\w*(?:\.(?!(?:py|js)\b)\w+)+)`")
TEXTS = (".py", ".js", ".html")
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
    if path.partition("/")[0] + "/" in kept():
        return path in kept()
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
    """Say whether a file of this path, or one that ends with it or lies there, has a name."""
    files = [file for file in kept() if f"/{file}".endswith(f"/{path}")]
    if path.endswith("/"):
        files = [file for file in kept() if f"/{path}" in f"/{file}" and file.endswith(TEXTS)]
    return any(re.search(rf"\b{name}\b", (ROOT / file).read_text("utf-8")) for file in files)


def test_every_name_that_a_page_finds_in_a_file_stands_there() -> None:
    found = {(page.name, *each) for page in PAGES for each in placed(page)}
    assert len(found) > 30
    assert sorted(each for each in found if not stands_in(*each[1:])) == []


@cache
def modules() -> dict[str, str]:
    """Return the text of each module of the program by its name with dots."""
    files = (file for file in kept() if file.startswith(CODE) and file.endswith(".py"))
    names = {file: file.removesuffix(".py").replace("/", ".") for file in files}
    return {
        name.removesuffix(".__init__"): (ROOT / file).read_text("utf-8")
        for file, name in names.items()
        if "/migrations/" not in file
    }


@cache
def packages() -> frozenset[str]:
    return frozenset(part for name in modules() for part in name.split(".")[:-1])


def of_modules(text: str) -> set[str]:
    """Return the names with dots in the docstrings of a module that begin with a package."""
    said = (
        node.value.value
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    )
    found = {name for each in said if isinstance(each, str) for name in DOTTED.findall(each)}
    return {name for name in found if name.partition(".")[0] in packages()}


def is_module_or_in_one(name: str) -> bool:
    """Say whether a name with dots is a module, whatever it lies in, or stands in one."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        ending = "." + ".".join(parts[:count])
        texts = [text for module, text in modules().items() if f".{module}".endswith(ending)]
        if texts:
            rest = parts[count : count + 1]
            return not rest or any(re.search(rf"\b{rest[0]}\b", text) for text in texts)
    return False


def test_what_docstrings_name_by_its_module_is_there() -> None:
    found = {(module, name) for module, text in modules().items() for name in of_modules(text)}
    assert len(found) > 200
    assert sorted(each for each in found if not is_module_or_in_one(each[1])) == []


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
        "`models` and `gone` in `tournaments/urls.py`, `addresses`, `defaultdict` in `urls.py`, "
        "`tournaments/architecture/`, `outcome` in `rules/advancement/`, "
        "`outcome` in `rules/people/`"
    )
    missing = [path for path in sorted(named(page)) if not is_there(path)]
    assert missing == ["bin/gone", "tests/gone.py", "tournaments/architecture/"]
    assert [each for each in sorted(placed(page)) if not stands_in(*each)] == [
        ("gone", "tournaments/urls.py"),
        ("models", "tournaments/urls.py"),
        ("outcome", "rules/people/"),
    ]


def test_a_module_that_is_gone_would_be_named() -> None:
    text = '"""As ``core.twins``, ``core.names.gone``, ``core.names.match_name``, ``line.x``."""'
    assert sorted(name for name in of_modules(text) if not is_module_or_in_one(name)) == [
        "core.names.gone",
        "core.twins",
    ]
