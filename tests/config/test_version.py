"""The version has one place, and who asks gets it."""

import io
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from config import VERSION

ROOT = Path(__file__).resolve().parents[2]


def test_the_command_says_the_version_and_what_it_runs_on():
    said = io.StringIO()
    call_command("version", stdout=said)
    assert said.getvalue().startswith(f"Girone {VERSION} (Django 5.2.")


@pytest.mark.deep
@pytest.mark.parametrize("program", [["manage.py"], ["-m", "config.program"]])
@pytest.mark.parametrize("word", ["version", "--version"])
def test_both_programs_say_it_and_not_the_version_of_django(program, word):
    ran = subprocess.run(
        [sys.executable, *program, word], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ran.stdout.split()[:2] == ["Girone", VERSION]


def test_the_version_is_a_number_of_three_parts_that_stands_in_one_place():
    assert re.fullmatch(r"\d+\.\d+\.\d+", VERSION)
    code = [
        path
        for app in ("accounts", "config", "decks", "rules", "tournaments")
        for path in (ROOT / app).rglob("*.py")
    ]
    found = [path for path in code if f'"{VERSION}"' in path.read_text()]
    assert found == [ROOT / "config" / "__init__.py"]


def test_supervisors_read_the_version():
    assert Client().get("/health/version").content.decode() == f"{VERSION}\n"


def test_the_package_reads_the_version_from_its_place():
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["version"]
    found = re.search(told["pattern"], (ROOT / told["path"]).read_text())
    assert found
    assert found["version"] == VERSION


def test_the_changes_begin_with_this_version():
    headings = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == VERSION
