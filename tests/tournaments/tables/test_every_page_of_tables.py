"""Every address of an event of tables of four and three answers, to everybody who may read it.

A module that names a side where nobody has one fails here.
"""

import traceback
from collections.abc import Iterator

import pytest
from django.core.cache import cache

from tests import factories as make
from tests.around import ROLES, Around
from tests.event_addresses import BODIES, EVENT_PAGES

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]
READERS = ("player", "organiser")


def crashes(around: Around, roles: tuple[str, ...]) -> Iterator[str]:
    """Yield the addresses whose pages or forms crash, and where."""
    for name, (reads, sends) in EVENT_PAGES.items():
        for method, may in (("get", reads), ("post", sends)):
            for role in [role for role in roles if role in may][: None if method == "get" else 1]:
                cache.clear()
                body = BODIES.get(name, {}) if method == "post" else {}
                try:
                    status = around.undone(role, method, around.address(name), body).status_code
                except Exception as fault:  # noqa: BLE001 - each is named below
                    where = traceback.extract_tb(fault.__traceback__)[-1]
                    place = f"{where.filename.partition('/tables/')[2]}:{where.lineno}"
                    yield f"{method} {name} as {role}: {type(fault).__name__}: {fault} ({place})"
                else:
                    if status >= 500:
                        yield f"{method} {name} as {role}: {status}"


def test_no_page_of_tables_crashes():
    around = Around("running", players=7, **make.TABLES)
    assert not "\n".join(crashes(around, READERS))


@pytest.mark.deep
@pytest.mark.parametrize("state", ["running", "finished", "draft"])
def test_no_page_of_tables_crashes_whoever_asks(state):
    around = Around(state, players=7, **make.TABLES)
    assert not "\n".join(crashes(around, ROLES))
