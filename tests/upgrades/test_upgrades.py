"""Databases that earlier commits of this history wrote are brought up to date and still true.

``bin/old-database COMMIT`` makes one anew; its first line says when it was made.
"""

import lzma
import re
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from tests.database_files import ask, manage, manage_from_nothing

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
OLD = sorted(HERE.glob("*.sql.xz"))
CHAINED = HERE / "cc8006a.sql.xz"
"""Its lines have a chain already, with signatures, files beside the database and laws."""
EACH = [file if file == CHAINED else pytest.param(file, marks=pytest.mark.deep) for file in OLD]
LARGEST = 300_000
COUNTED = ("accounts_user", "tournaments_event", "tournaments_entry", "tournaments_match")
COUNTED += ("tournaments_report", "tournaments_logline", "tournaments_draw", "tournaments_seat")


def dump(file):
    return lzma.decompress(file.read_bytes()).decode()


def counts(database):
    asked = ((table, f"SELECT count(*) FROM {table}") for table in COUNTED)  # noqa: S608
    return {table: ask(database, question)[0][0] for table, question in asked}


def write(file, database):
    """Write an old database into a file as it was."""
    with closing(sqlite3.connect(database)) as opened:
        opened.executescript(dump(file))


def migrated(database):
    """Bring a database up to date."""
    ran = manage("migrate", "--verbosity", "0", database=database)
    assert ran.returncode == 0, ran.stderr
    return database


@pytest.fixture(scope="module", params=EACH, ids=lambda file: file.name.removesuffix(".sql.xz"))
def upgraded(request, tmp_path_factory):
    """Return an old database after ``migrate``, and how many rows it had before.

    ``chained`` is how many events had a chain.
    """
    database = tmp_path_factory.mktemp("old") / "site.sqlite3"
    write(request.param, database)
    before = counts(database)
    chained = request.param == CHAINED
    before["chained"] = before["tournaments_event"] if chained else 0
    return migrated(database), before


@pytest.mark.deep
@pytest.mark.processes
def test_every_event_is_there_and_true_after_the_upgrade(upgraded):
    database, before = upgraded
    assert before["tournaments_event"] >= 3
    assert before["tournaments_report"] > 20
    assert counts(database) | {"chained": before["chained"]} == before
    ran = manage("verify", "--all", database=database)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert str(before["tournaments_event"]) in ran.stdout
    held = [line for line in ran.stdout.splitlines() if ": chain: " in line]
    # each that had none says from which line on its chain holds
    assert len(held) == before["tournaments_event"] - before["chained"]


@pytest.mark.deep
@pytest.mark.processes
@pytest.mark.parametrize("upgraded", [CHAINED], indirect=True)
def test_the_columns_of_signatures_come_back_empty_and_go_again(upgraded, tmp_path):
    database = tmp_path / "back.sqlite3"
    shutil.copy(upgraded[0], database)
    digests = ask(database, "SELECT digest FROM tournaments_logline ORDER BY id")
    ran = manage("migrate", "tournaments", "0050", "--verbosity", "0", database=database)
    assert ran.returncode == 0, ran.stderr
    assert ask(database, "SELECT DISTINCT signature FROM tournaments_logline") == [("",)]
    ran = manage("migrate", "--verbosity", "0", database=database)
    assert ran.returncode == 0, ran.stderr
    assert ask(database, "SELECT digest FROM tournaments_logline ORDER BY id") == digests
    assert manage("verify", "--all", database=database).returncode == 0


@pytest.mark.deep
@pytest.mark.processes
def test_acts_and_snapshots_of_before_the_upgrade_go_back_and_forth(tmp_path):
    database = tmp_path / "site.sqlite3"
    write(CHAINED, database)
    migrated(database)
    script = (HERE / "back_and_forth.py").read_text()
    ran = manage_from_nothing("shell", "-c", script, database=database)
    assert ran.returncode == 0, ran.stderr
    told = [line for line in ran.stdout.splitlines() if ": " in line]
    assert [line for line in told if "FOUND" in line] == []
    assert sum(line.endswith(": redone") for line in told) == 8
    assert sum(": undone " in line for line in told) == 8
    assert sum(line.endswith(": restored") for line in told) >= 4


@pytest.mark.processes
def test_a_fault_in_an_upgraded_database_is_found(upgraded, tmp_path):
    changed = tmp_path / "changed.sqlite3"
    shutil.copy(upgraded[0], changed)
    ask(changed, "UPDATE tournaments_draw SET seed = 'another' WHERE state = 'drawn'")
    drawn = "SELECT event_id FROM tournaments_draw WHERE state = 'drawn'"
    event, *_others = ask(changed, f"SELECT slug FROM tournaments_event WHERE id IN ({drawn})")  # noqa: S608
    ran = manage("verify", *event, database=changed)
    assert ran.returncode == 1, ran.stderr
    assert "Traceback" not in ran.stderr


def test_there_are_several_small_ones_and_each_says_where_it_is_from():
    assert len(OLD) >= 4
    for file in OLD:
        commit = file.name.removesuffix(".sql.xz")
        assert file.stat().st_size < LARGEST
        head = dump(file).split("\n", 1)[0]
        assert re.fullmatch(rf"-- Written by the commit {commit} \(.+\), made .+ on [\d-]+\.", head)


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="the history is not there")
@pytest.mark.parametrize("file", OLD, ids=lambda file: file.name)
def test_each_is_of_this_history(file):
    commit = file.name.removesuffix(".sql.xz")
    shallow = ROOT / ".git" / "shallow"
    if shallow.exists():
        pytest.skip("only the last commits are there")
    asked = ["git", "merge-base", "--is-ancestor", commit, "HEAD"]
    ran = subprocess.run(asked, cwd=ROOT, check=False)
    assert ran.returncode == 0
