"""What all tests share: quick passwords, and no memory of the test before."""

import gc
import logging
import os
import random
import secrets
import threading
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from _pytest import runner
from django.conf import settings
from django.core.cache import cache
from django.db import connections
from django.middleware import csrf
from django.test import Client, override_settings
from django.utils import translation
from hypothesis import settings as hypothesis

from tests import database
from tests import factories as make
from tests.effort import DEEP, QUICK
from tests.forms_tried import TRIED
from tests.recipes import KITCHEN
from tests.roomy import roomy
from tests.storing import STORED, checked_post
from tournaments.core.facts_cache import cached_facts
from tournaments.core.permissions import Actor

# A long test that comes last keeps one process busy while the others have nothing left to do.
LONG = (
    *("tests/journeys/", "tests/servers/", "tests/measures/", "tests/upgrades/"),
    *("tests/lives/", "tests/processes/"),
    *("tests/golden/test_formula_by_api", "tests/tournaments/test_every_page"),
    *("tests/tournaments/test_canaries", "tests/tournaments/test_rubbish"),
    *("tests/tournaments/api/test_rubbish_bodies", "tests/tournaments/api/test_whole_event"),
    *("tests/tournaments/api/test_every_endpoint", "tests/tournaments/undo/test_undo_everything"),
)

ROOT = Path(__file__).resolve().parents[1]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--deep``, ``--cluster`` and ``--approve``; see docs/testing.md."""
    parser.addoption("--deep", action="store_true", help="also what is marked deep (test-all)")
    parser.addoption("--approve", action="store_true", help="take pictures as they are drawn now")
    parser.addoption("--cluster", action="store_true", help="what is marked cluster (test-cluster)")


def pytest_configure(config: pytest.Config) -> None:
    """Choose how many examples Hypothesis tries; serve no files that ``make run`` collected."""
    settings.STATIC_ROOT = ROOT / ".pytest_cache" / "uncollected"
    settings.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
    hypothesis.load_profile(DEEP if config.getoption("--deep") else QUICK)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked ``deep`` or ``cluster`` unless asked for; let long modules begin."""
    for mark in ("deep", "cluster"):
        if not config.getoption(f"--{mark}"):
            left_out = [item for item in items if item.get_closest_marker(mark)]
            config.hook.pytest_deselected(items=left_out)
            items[:] = [item for item in items if not item.get_closest_marker(mark)]
    items[:] = spread(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


def spread(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """Return tests so that each process begins with long modules of its own.

    xdist gives each of them one stretch of the list, as long as the others; who has done theirs
    takes from the ends of what others have left.
    """
    modules: dict[Path, list[pytest.Item]] = {}
    short = []
    for item in items:
        if item.nodeid.startswith(LONG):
            modules.setdefault(item.path, []).append(item)
        else:
            short.append(item)
    ordered = []
    for number in range(processes):
        ordered += chain.from_iterable([*modules.values()][number::processes])
        until = len(items) * (number + 1) // processes - len(ordered)
        ordered, short = ordered + short[: max(until, 0)], short[max(until, 0) :]
    return ordered


@pytest.hookimpl(tryfirst=True)
@roomy
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
    """Run a test as pytest does, with room for deep calls; servers' threads have it too."""
    return runner.pytest_runtest_protocol(item, nextitem)


roomy(threading.Thread.run)


def pytest_collection_finish() -> None:
    """Leave what was imported out of every later collection of garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


CHANCE = random.Random()
SEED = 16  # bytes of a draw's seed
# What a form's token is made of: by chance, "Ada" would stand in one page of some thousands.
CONSONANTS = "BCDFGHJKLMNPQRSTVWXZbcdfghjklmnpqrstvwxz"


def drawn(size: int | None = None) -> str:
    """Return a seed drawn from ``CHANCE``; other numbers leave that alone.

    A request has a number too, and a page that asks for news sends as many as time allows.
    """
    return (CHANCE.randbytes(SEED) if size == SEED else os.urandom(size or 32)).hex()


# What holds for all tests is set once: a fixture of each test takes as long as many a test.
@pytest.fixture(scope="session", autouse=True)
def _quick() -> Iterator[None]:
    """Hash passwords quickly, draw from ``CHANCE``, and look at every form that is sent.

    No name and no number stands in the token of a form.
    """
    quick = {
        "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
        "WHITENOISE_AUTOREFRESH": True,  # or each client looks for all static files first
    }
    with override_settings(**quick), pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_hex", drawn)
        patch.setattr(csrf, "CSRF_ALLOWED_CHARS", CONSONANTS)
        patch.setattr(Client, "post", checked_post(Client.post))
        yield


@pytest.fixture(autouse=True)
def _forgetful(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Forget the last test's limits, language and facts of events.

    The test draws from its own name: what passes once passes again, whatever runs beside it.
    ``DRAWS=2 pytest`` draws otherwise, to find tests that hold for some draws only. A test that
    stands in ``forms_tried`` must have stored something by each form named there.
    """
    name = secrets.token_urlsafe(12)
    settings.ERASURES_FILE = str(tmp_path_factory.getbasetemp() / f"erasures-{name}.jsonl")
    settings.ALIVE_FILE = str(tmp_path_factory.getbasetemp() / f"{name}.alive")
    settings.OUTBOX_FILE = str(tmp_path_factory.getbasetemp() / f"{name}.outbox")
    CHANCE.seed(f"{os.environ.get('DRAWS', '')} {request.node.nodeid}")
    make.start_again()
    cached_facts.forget()
    cache.clear()
    translation.deactivate()
    STORED.clear()
    yield
    assert TRIED.get(request.node.nodeid, set()) <= STORED


class Patching(pytest.MonkeyPatch):
    """Patches code; from then on the test's events are built, not copied."""

    def setattr(self, *target: Any, **more: Any) -> None:
        """Set an attribute until the test is over."""
        KITCHEN.open = False
        super().setattr(*target, **more)


@pytest.fixture
def monkeypatch() -> Iterator[pytest.MonkeyPatch]:
    """Return what patches code for this test."""
    patching = Patching()
    yield patching
    patching.undo()
    KITCHEN.open = True


@pytest.fixture
def by() -> Actor:
    """Return an organiser, who runs the test's events."""
    return make.organiser()


@pytest.fixture
def in_english() -> Iterator[None]:
    """Read English outside of pages too."""
    with translation.override("en"):
        yield


@pytest.fixture
def quiet() -> Iterator[None]:
    """Write no log: thousands of refusals with their tracebacks cost half the time."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Keep the test database in a file, as the site does; one process of a run migrates it.

    One in memory is shared by the threads of a live server without any waiting: a request that
    still runs while the next test clears the tables would break that test.
    """
    kept = connections["default"].settings_dict
    if kept["ENGINE"].endswith("sqlite3"):
        place = tmp_path_factory.mktemp("database") / "test.sqlite3"
        database.migrated(place)
        kept["TEST"]["NAME"] = str(place)


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_modify_db_settings: None) -> bool:
    """Go on from the copy of the migrated database."""
    return Path(str(connections["default"].settings_dict["TEST"]["NAME"])).is_file()
