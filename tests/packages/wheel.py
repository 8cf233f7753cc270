"""Girone as a wheel: its size, installed without network, played, upgraded and taken back.

``make measure-wheel`` builds the wheel and collects the wheels that it needs, from the package
index, for each Python of this machine. Without network it then installs by pip, pipx and uv, plays
an event with the first, starts the others, and prints a row for each with its goal. A site is also
upgraded to a later version, which is made for that, and taken back. Words are Pythons to take
(3.12) or programs (uv).
"""

import os
import re
import resource
import shutil
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from config import VERSION
from tests.packages.installed import ORGANISER, Installed, played, started
from tests.servers.running import ROOT

WHEEL_MEGABYTES = 3.5
SITE_MEGABYTES = 320
"""What a site may take, as files are long; bytecode, pip and setuptools count as Python's.

Two thirds are five packages: typst, numpy (which rustworkx requires: no other matcher is exact with
large integers and fast), the font for Chinese, Japanese and Korean, Django, and the libraries of
pictures. ``LARGEST`` are printed.
"""
LARGEST = 6
SECONDS = 60
"""Of the processor, in which an installation must be done; the clock's are printed."""
NEXT = "99.0.0"
NOT_OURS = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "wheel")
PROGRAMS = ("pip", "pipx", "uv")
PACKED = (
    *("accounts/", "config/", "decks/", "locale/", "rules/", "templates/", "tournaments/"),
    *("deploy/caddy/", "deploy/nginx/", "deploy/systemd/"),
)
"""Folders of the repository that an installed site has."""
MIGRATION = """from django.db import migrations

class Migration(migrations.Migration):
    dependencies = [("decks", "{leaf}")]
    operations = [migrations.RunSQL("CREATE TABLE later (id integer)", "DROP TABLE later")]
"""


class UnreachableError(Exception):
    """The package index can't be reached; the message is pip's."""


@dataclass(slots=True)
class Report:
    """Rows of a table; a row that misses its goal makes the measurement fail."""

    missed: list[str] = field(default_factory=list)

    def row(self, label: str, value: float, goal: float, unit: str) -> None:
        """Print a row and keep it where it misses its goal."""
        row = f"| {label} | {value:.1f} {unit} | ≤ {goal} {unit} |"
        sys.stdout.write(f"{row}\n")
        sys.stdout.flush()
        if value > goal:
            self.missed.append(row)


@dataclass(frozen=True, slots=True)
class Workshop:
    """A folder in which packages are built and installed."""

    folder: Path

    @property
    def wheels(self) -> Path:
        """Return the folder of wheels from which is installed."""
        return self.folder / "wheels"

    @property
    def tools(self) -> Path:
        """Return the folder of the programs of an environment with pip, pipx and uv."""
        return self.folder / "tools" / "bin"

    def build(self, source: Path, into: Path) -> Path:
        """Build the wheel of a tree; return its file."""
        before = set(into.glob("girone-*.whl"))
        run([*PIP, "wheel", "--quiet", "--no-deps", "--wheel-dir", str(into), str(source)])
        (wheel,) = set(into.glob("girone-*.whl")) - before
        return wheel

    def collect(self, wheel: Path, pythons: Sequence[Path]) -> None:
        """Download what a wheel needs, in the versions that are locked, for each Python."""
        locked = self.folder / "locked.txt"
        lines = (ROOT / "requirements.lock").read_text().splitlines()
        pins = [re.sub(r"\[.*?\]", "", line.strip(" \\")) for line in lines if "==" in line]
        locked.write_text("\n".join(pins))  # pip takes no extras in constraints
        for python in pythons:
            environment = self.folder / f"collecting-{python_version(python)}"
            run([str(python), "-m", "venv", str(environment)])
            pip = [str(environment / "bin" / "python"), *PIP[1:], "download", "--quiet"]
            places = ["--constraint", str(locked), "--dest", str(self.wheels)]
            run([*pip, "--only-binary", ":all:", *places, str(wheel)])
            shutil.rmtree(environment)

    def fetch_tools(self) -> None:
        """Install pipx and uv, which install the wheel later."""
        run([sys.executable, "-m", "venv", str(self.tools.parent)])
        python = str(self.tools / "python")
        run([python, *PIP[1:], "install", "--quiet", "pipx", "uv"])

    def install(self, program: str, python: Path, version: str = VERSION) -> tuple[Path, Path]:
        """Install the wheel without network; return the command and the environment's folder."""
        place = self.folder / f"{program}-{python_version(python)}"
        wanted = f"girone=={version}"  # the later one lies among the wheels, too
        source = ["--no-index", "--find-links", str(self.wheels)]
        if program == "pip":
            if not place.exists():
                run([str(python), "-m", "venv", str(place)])
            pip = [str(place / "bin" / "python"), *PIP[1:], "install", "--quiet"]
            offline([*pip, *source, wanted], place)
            return place / "bin" / "girone", place
        if program == "pipx":
            pipx = [str(self.tools / "pipx"), "install", "--quiet", "--python", str(python)]
            offline([*pipx, "--pip-args", " ".join(source), wanted], place)
            return place / "bin" / "girone", place / "venvs" / "girone"
        uv = [str(self.tools / "uv"), "tool", "install", "--quiet", "--offline"]
        offline([*uv, *source, "--python", str(python), wanted], place)
        return place / "bin" / "girone", place / "tools" / "girone"


PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check"]


def run(command: Sequence[str], **variables: str) -> str:
    """Run a command; return what it printed. It must succeed."""
    done = subprocess.run(
        command, env=os.environ | variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def children_seconds() -> float:
    """Return the processor's seconds of the programs that this process has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def require_index(folder: Path) -> None:
    """Raise UnreachableError if the package index gives nothing; what fails later is a fault."""
    wanted = ["download", "--quiet", "--no-deps", "--dest", str(folder), "hatchling"]
    done = subprocess.run([*PIP, *wanted], capture_output=True, text=True, check=False)
    if done.returncode:
        raise UnreachableError((done.stderr or done.stdout).strip()[-500:])


def offline(command: Sequence[str], place: Path) -> None:
    """Run a command without network and with nothing that other installations have kept."""
    kept = {
        "HOME": str(place),
        "PIPX_HOME": str(place),
        "PIPX_BIN_DIR": str(place / "bin"),
        "UV_TOOL_DIR": str(place / "tools"),
        "UV_TOOL_BIN_DIR": str(place / "bin"),
        "UV_CACHE_DIR": str(place / "cache"),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(place.parent / "wheels"),
        "UV_NO_CONFIG": "1",
        "UV_PYTHON_DOWNLOADS": "never",
    }
    run([*without_network(), *command], **kept)


def without_network() -> list[str]:
    """Return the words ahead of a command that take the network from it, where there are such."""
    words = ["unshare", "--map-root-user", "--net"]
    try:
        done = subprocess.run([*words, "true"], capture_output=True, check=False)
    except FileNotFoundError:
        return []
    return [] if done.returncode else words


def pythons() -> Iterator[Path]:
    """Return each Python of this machine from 3.11 on, one of each version, the oldest first."""
    named = [Path(found) for minor in range(11, 30) if (found := shutil.which(f"python3.{minor}"))]
    kept = Path("~/.pyenv/versions").expanduser().glob("3.*/bin/python3")
    taken: dict[str, Path] = {}
    for python in (Path(sys.executable), *named, *kept):
        version = python_version(python)
        if version and version not in taken and tuple(map(int, version.split("."))) >= (3, 11):
            taken[version] = python
    return iter(taken[version] for version in sorted(taken, key=lambda each: each.split(".")))


def python_version(python: Path) -> str:
    """Return the version of a Python, as 3.11; empty if it can't make environments."""
    code = "import sys, ensurepip, sqlite3; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def packages(environment: Path) -> Path:
    """Return the folder of packages of an environment."""
    (found,) = environment.glob("lib/python*/site-packages")
    return found


def megabytes(environment: Path) -> Counter[str]:
    """Return how much each package of an environment takes, without bytecode and pip."""
    folder, found = packages(environment), Counter[str]()
    for path in folder.rglob("*"):
        name = path.relative_to(folder).parts[0].partition("-")[0].partition(".")[0]
        if path.is_file() and path.suffix != ".pyc" and name not in NOT_OURS:
            found[name] += path.stat().st_size / 1e6
    return found


def require_one_name(wheel: Path) -> None:
    """Assert that a wheel is whole and puts nothing but ``girone`` among others' packages."""
    assert wheel.name == f"girone-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
    tops = {name.partition("/")[0] for name in names}
    assert tops == {"girone", f"girone-{VERSION}.dist-info"}, tops
    tracked = {name for name in tracked_files() if name.startswith(PACKED)}
    expected = {f"girone/site/{name}" for name in tracked if not name.endswith(".po")}
    packed = {name for name in names if name.startswith("girone/site/")}
    assert packed - {"girone/site/CHANGELOG.md"} == expected


def tracked_files() -> list[str]:
    """Return the files of the repository that are there."""
    listed = (
        "git",
        "-C",
        str(ROOT),
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    )
    return [name for name in run(listed).split("\0") if name and (ROOT / name).exists()]


def later_tree(folder: Path) -> Path:
    """Return a copy of the repository that is a later version with one more migration."""
    for name in tracked_files():
        if name.startswith(("tests/", "docs/")):
            continue
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    version = folder / "config" / "__init__.py"
    version.write_text(version.read_text().replace(f'"{VERSION}"', f'"{NEXT}"'))
    migrations = folder / "decks" / "migrations"
    leaf = max(path.stem for path in migrations.glob("0*.py"))
    (migrations / "9999_later.py").write_text(MIGRATION.format(leaf=leaf))
    return folder


def upgraded(
    workshop: Workshop, python: Path, site: Installed, slug: str, matches: Sequence[Any]
) -> None:
    """Upgrade the packages of a site that was played, read its data, and go back."""
    assert matches
    assert workshop.build(later_tree(workshop.folder / "later"), workshop.wheels)
    workshop.install("pip", python, NEXT)
    said = site.run("prepare")
    (copy,) = site.data.glob(f"db.sqlite3.*-version-{VERSION}")
    assert str(copy) in said
    with site.serving() as visitor:
        assert visitor.get("/health/version").decode().strip() == NEXT
        assert visitor.get("/health/ready") == b"ok\n"
        visitor.token = site.run("api_token", ORGANISER["email"]).split()[-1]
        assert visitor.call("GET", f"events/{slug}/matches/")["results"] == matches
        assert b"Giocatore 1" in visitor.get(f"/events/{slug}/standings/")
    site.run("verify", "--all")
    workshop.install("pip", python, VERSION)
    refused = site.run("prepare", code=1)
    assert NEXT in refused
    assert len(refused.strip().splitlines()) == 1, refused
    assert refused.removeprefix("CommandError: ") in site.run("--no-browser", code=1)
    site.run("restore_backup", str(copy))
    site.run("prepare")
    site.run("verify", slug)


def measured(
    folder: Path, wanted: Sequence[str] = (), programs: Sequence[str] = PROGRAMS
) -> list[str]:
    """Build, install, play and upgrade; return the rows that miss their goals.

    Raises UnreachableError.
    """
    workshop, report = Workshop(folder), Report()
    found = [each for each in pythons() if not wanted or python_version(each) in wanted]
    assert found, f"no Python {', '.join(wanted)}"
    require_index(folder / "probe")
    workshop.wheels.mkdir()
    wheel = workshop.build(ROOT, workshop.wheels)
    require_one_name(wheel)
    report.row("wheel", wheel.stat().st_size / 1e6, WHEEL_MEGABYTES, "MB")
    workshop.collect(wheel, found)
    if set(programs) != {"pip"}:
        workshop.fetch_tools()
    network = "no network" if without_network() else "no index"
    for python in found:
        for program in programs:
            label = f"{program}, Python {python_version(python)}, {network}"
            began, worked = time.monotonic(), children_seconds()
            command, environment = workshop.install(program, python)
            took, worked = time.monotonic() - began, children_seconds() - worked
            report.row(f"{label}: installed in {took:.0f} s, of work", worked, SECONDS, "s")
            sizes = megabytes(environment)
            report.row(f"{label}: packages", sizes.total(), SITE_MEGABYTES, "MB")
            largest = ", ".join(f"{name} {size:.0f}" for name, size in sizes.most_common(LARGEST))
            sys.stdout.write(f"| of them | {largest} MB | |\n")
            site = Installed((str(command),), folder / f"site-{program}-{python_version(python)}")
            if program != programs[0]:  # others install the same files
                started(site, VERSION)
                continue
            event = played(site, VERSION)
            if program == "pip" and python == found[0]:
                upgraded(workshop, python, site, *event)
    return report.missed


def main(arguments: list[str]) -> int:
    """Print the rows; return 1 where one misses its goal."""
    programs = [word for word in arguments if word in PROGRAMS] or PROGRAMS
    wanted = [word for word in arguments if word not in PROGRAMS]
    with TemporaryDirectory(prefix="girone-wheel-") as folder:
        missed = measured(Path(folder), wanted, programs)
    sys.stdout.writelines(f"Missed: {row}\n" for row in missed)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
