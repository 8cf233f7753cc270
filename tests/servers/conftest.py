"""A migrated database in a file, made once and copied for each test that runs servers."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import database
from tests.servers import stores


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a migrated, empty database."""
    folder = tmp_path_factory.mktemp("migrated")
    database.migrated(folder / "site.sqlite3")
    return folder


@pytest.fixture
def site(migrated: Path, tmp_path: Path) -> Path:
    """Return a folder with a migrated database of the test's own."""
    shutil.copy(migrated / "site.sqlite3", tmp_path / "site.sqlite3")
    return tmp_path


@pytest.fixture(scope="module")
def postgres() -> Iterator[stores.Postgres]:
    """Return a PostgreSQL server that ends with the module."""
    server = stores.Postgres()
    yield server
    server.end()
