"""The version has one place, and who asks gets it."""

import io
import re
import subprocess
import sys
from pathlib import Path

from django.core.management import call_command

from config.version import VERSION

ROOT = Path(__file__).resolve().parents[2]


def test_the_command_says_the_version_and_what_it_runs_on():
    said = io.StringIO()
    call_command("version", stdout=said)
    assert said.getvalue().startswith(f"Girone {VERSION} (Django 5.2.")
    ran = subprocess.run(
        [sys.executable, "manage.py", "version"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.split()[:2] == ["Girone", VERSION]


def test_the_version_is_a_number_of_three_parts_that_stands_in_one_place():
    assert re.fullmatch(r"\d+\.\d+\.\d+", VERSION)
    code = [
        path
        for app in ("accounts", "config", "decks", "rules", "tournaments")
        for path in (ROOT / app).rglob("*.py")
    ]
    assert [path.name for path in code if f'"{VERSION}"' in path.read_text()] == ["version.py"]


def test_the_changes_begin_with_this_version():
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == VERSION
