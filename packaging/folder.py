"""Build the folder to double-click, for the system that this runs on: ``make folder``.

The package is installed, with what it requires in the versions of requirements.lock, into an
environment of its own; PyInstaller makes ``dist/Girone`` of all that is there (``folder.spec``).
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYINSTALLER = "pyinstaller>=6.22.3,<7"
UNAVAILABLE = "PyInstaller can't be installed. Check this computer's internet connection."


def pip(*arguments: object) -> None:
    """Run pip. Raises CalledProcessError."""
    quiet = ("--quiet", "--disable-pip-version-check")
    subprocess.run([sys.executable, "-m", "pip", *map(str, arguments), *quiet], check=True)  # noqa: S603


def locked_versions() -> str:
    """Return the versions of requirements.lock, as constraints without digests."""
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    return "\n".join(line.rstrip(" \\") for line in lines if re.match(r"[\w.-]+==", line))


def install(work: Path) -> tuple[Path, Path]:
    """Install PyInstaller, and the site beside it; return the site's Python and the other's folder.

    Raises CalledProcessError.
    """
    tools, wheels, site = work / "tools", work / "wheels", work / "site"
    for old in (tools, wheels, site):
        shutil.rmtree(old, ignore_errors=True)
    work.mkdir(parents=True, exist_ok=True)
    try:
        pip("install", "--target", tools, PYINSTALLER)
    except subprocess.CalledProcessError:
        sys.exit(UNAVAILABLE)
    pip("wheel", "--no-deps", "--wheel-dir", wheels, ROOT)
    (wheel,) = wheels.glob("girone-*.whl")
    venv.create(site, with_pip=False)
    python = site / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    constraints = work / "constraints.txt"
    constraints.write_text(locked_versions(), encoding="utf-8")
    pip("--python", python, "install", "--constraint", constraints, wheel)
    return python, tools


def strip_libraries(folder: Path) -> None:
    """Take the names that only debuggers read out of Linux's libraries: 40 MB.

    Those in folders as ``numpy.libs`` were changed after they were linked, and are left alone.
    """
    for path in folder.rglob("*"):
        is_library = re.search(r"\.so(\.[\d.]+)?$", path.name) and not path.is_symlink()
        if is_library and path.parent.suffix != ".libs":
            subprocess.run(["strip", "--strip-unneeded", str(path)], check=True)  # noqa: S603, S607


def size_of(folder: Path) -> float:
    """Return how large the files of a folder are together, in MB."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.stat().st_size for path in files) / 1e6


def main(arguments: list[str]) -> None:
    """Build the folder, and print where it is and its size."""
    parser = argparse.ArgumentParser("folder", description=__doc__)
    parser.add_argument("--to", type=Path, default=ROOT / "dist", help="where Girone/ is made")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "folder")
    options = parser.parse_args(arguments)
    target, work = options.to.resolve(), options.work.resolve()
    python, tools = install(work)
    variables = os.environ | {"PYTHONPATH": str(tools)}
    command = [
        *(str(python), "-m", "PyInstaller", "--noconfirm", "--log-level", "ERROR"),
        *("--distpath", str(target), "--workpath", str(work), str(ROOT / "packaging/folder.spec")),
    ]
    subprocess.run(command, cwd=work, env=variables, check=True)  # noqa: S603
    made = target / "Girone"
    if sys.platform == "linux":
        strip_libraries(made)
    sys.stdout.write(f"{made}: {size_of(made):.0f} MB\n")


if __name__ == "__main__":
    main(sys.argv[1:])
