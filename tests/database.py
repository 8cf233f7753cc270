"""The test database as a file: migrated once, and copied by every later run of the tests."""

import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import django
import pytest
from django.apps import apps
from django.db.migrations.loader import MigrationLoader

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".pytest_cache" / "databases"


@cache
def state() -> str:
    """Return a digest of what decides the contents of a migrated database.

    The text of the project's migrations and models, the names of all migrations, Django's version.
    """
    if not apps.ready:  # a program of its own, as `make stress`
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        django.setup()
    names = sorted(MigrationLoader(None).disk_migrations)
    digest = hashlib.sha256(f"{django.__version__} {names}".encode())
    for pattern in ("*/migrations/*.py", "*/models.py", "*/models/*.py"):
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:24]


def kept() -> Path:
    """Return where the migrated database of the present state is kept, or would be."""
    return FOLDER / f"{state()}.sqlite3"


def copy_to(place: Path) -> bool:
    """Copy the migrated database to a place; return whether there is one."""
    source = kept()
    if source.exists():
        shutil.copyfile(source, place)
    return source.exists()


def migrated(place: Path) -> None:
    """Put a migrated database at a place; whoever asks first migrates, all others wait for it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with locked(FOLDER / "lock"):
        if not copy_to(place):
            command = [sys.executable, "manage.py", "migrate", "-v0"]
            env = os.environ | {"DATABASE_URL": f"sqlite:///{place}"}
            subprocess.run(command, cwd=ROOT, env=env, check=True)
            keep(place)


def keep(database: Path) -> None:
    """Keep a database that was migrated just now, in place of those of earlier states."""
    fresh = FOLDER / f"{os.getpid()}.new"
    with sqlite3.connect(database) as connection:
        connection.execute("VACUUM INTO ?", (str(fresh),))
    connection.close()
    forget_others()
    fresh.replace(kept())


def forget_others() -> None:
    """Remove what is kept of other states."""
    for old in FOLDER.glob("*.sq*"):
        if old.stem != state():
            old.unlink(missing_ok=True)


def folder_of_run(factory: pytest.TempPathFactory, name: str) -> Path:
    """Return a folder that all processes of this run of the tests share."""
    own = factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / name
    folder.mkdir(exist_ok=True)
    return folder


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold a file's lock: what is within happens in one process at a time."""
    with file.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
