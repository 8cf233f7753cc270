"""One PostgreSQL for all clusters, its database ``girone`` migrated as their template."""

from collections.abc import Iterator

import pytest

from tests.servers import running, stores


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[stores.Postgres]:
    """Return the server."""
    server = stores.Postgres()
    folder = tmp_path_factory.mktemp("migrating")
    running.manage("migrate", "-v0", env=running.environment(folder, DATABASE_URL=server.url))
    yield server
    server.end()
