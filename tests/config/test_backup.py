"""The backup command: whole, also while the site writes."""

import sqlite3
from contextlib import closing

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from tests import factories as make

pytestmark = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="PostgreSQL has pg_dump for this"
)


@pytest.mark.django_db(transaction=True)
def test_the_copy_holds_every_row(tmp_path):
    event = make.started(make.organiser(), 4)
    call_command("backup", tmp_path / "girone.sqlite3", verbosity=0)
    with closing(sqlite3.connect(tmp_path / "girone.sqlite3")) as copy:
        names = copy.execute("SELECT name FROM tournaments_event").fetchall()
        lines = copy.execute("SELECT count(*) FROM tournaments_logline").fetchone()
    assert names == [(event.name,)]
    assert lines == (event.version,)
    assert [path.name for path in tmp_path.iterdir()] == ["girone.sqlite3"]


@pytest.mark.django_db(transaction=True)
def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CommandError, match="nowhere"):
        call_command("backup", tmp_path / "nowhere" / "copy.sqlite3")
