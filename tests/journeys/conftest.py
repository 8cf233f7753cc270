"""A real browser, and the site as a process of its own.

``phone`` and ``desk`` are pages (360 by 740 in Italian, touch; 1366 by 768 in English) on
``live_server``. They fail the test on a console error, on a script error and on any request to
another host than this machine. ``open_page(…)`` makes more of them, for a second person,
``open_as(…)`` one of somebody who is signed in. ``wire`` is a line to ``live_server`` that can be
cut. ``axe(page)`` asserts that axe finds nothing. ``server_process`` starts the site with an empty
database: ``.url``, ``.kill()`` (SIGKILL), ``.start()``, ``.stop()``, ``.manage("demo")``;
``demo_site`` is one with the demo's events, for tests that only read: the processes of a run share
its database.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from tests.database import folder_of_run, locked, migrated
from tests.journeys.accessibility import find_problems
from tests.journeys.browser import (
    CALM,
    CHROMIUM,
    DESK,
    FLAGS,
    PATIENCE,
    PHONE,
    UNPLUGGED,
    Watch,
    sign_in,
    with_own_fonts,
)
from tests.journeys.counting import COUNT
from tests.journeys.wire import ServerProcess, Wire, wire_to
from tournaments.core.permissions import Actor
from tournaments.models import Event

playwright_api = pytest.importorskip("playwright.sync_api")
axe_api = pytest.importorskip("axe_playwright_python.sync_playwright")

playwright_api.expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that asks for a page, so that machines without browser can leave it out."""
    for item in items:
        if {"phone", "desk", "open_page"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("browser")


@pytest.fixture(scope="session")
def browser_type_launch_args(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """Use Debian's Chromium, which asks nothing of the outside, with a packaged font."""
    fonts = with_own_fonts(tmp_path_factory.mktemp("fonts"))
    return {"executable_path": CHROMIUM, "args": FLAGS, "env": fonts}


@pytest.fixture(autouse=True, scope="session")
def _queries_beside_a_browser() -> Iterator[None]:
    """Playwright runs an event loop in this thread; Django would refuse queries beside it."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    yield
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Return the watch over all pages of this test; a refusal on purpose needs ``watch.allow``."""
    watch = Watch()
    yield watch
    assert watch.unexpected() == []


@pytest.fixture
def open_page(
    browser: "playwright_api.Browser", request: pytest.FixtureRequest, watch: Watch
) -> Iterator[Callable[..., "playwright_api.Page"]]:
    """Return a function that opens a page: ``open_page(PHONE, base_url=…, color_scheme="dark")``.

    Without ``base_url`` the page is on ``live_server``. No service worker stands between the two
    unless ``service_workers="allow"`` is asked for, and nothing moves unless
    ``reduced_motion="no-preference"`` is.
    """
    contexts = []

    def new(settings: dict[str, object] = DESK, **more: object) -> "playwright_api.Page":
        if "base_url" not in more:
            more["base_url"] = request.getfixturevalue("live_server").url
        context = browser.new_context(**{**CALM, **settings, **more})
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        watch.follow(page)
        return page

    yield new
    for context in contexts:
        context.close()


@pytest.fixture
def open_as(
    open_page: Callable[..., "playwright_api.Page"], client: Client, request: pytest.FixtureRequest
) -> Callable[..., "playwright_api.Page"]:
    """Return a function that opens a page of somebody signed in: ``open_as(user, "/my/", PHONE)``.

    More is given to ``open_page``; without an address nothing is opened yet.
    """

    def opened(
        user: User, path: str = "", settings: dict[str, object] = DESK, **more: Any
    ) -> "playwright_api.Page":
        page = open_page(settings, **more)
        url = more.get("base_url") or request.getfixturevalue("live_server").url
        sign_in(page, client, user, url)
        if path:
            page.goto(path)
        return page

    return opened


@pytest.fixture
def at_desk(
    open_as: Callable[..., "playwright_api.Page"], by: Actor
) -> Callable[..., "playwright_api.Page"]:
    """Return a function that opens an event's desk, where clicks and keys are counted."""

    def opened(
        event: Event, kind: dict[str, object] = DESK, path: str = "desk/"
    ) -> "playwright_api.Page":
        page = open_as(by.user, settings=kind)
        page.context.add_init_script(COUNT)
        page.goto(f"/events/{event.slug}/{path}")
        return page

    return opened


@pytest.fixture
def wire(live_server: Any, watch: Watch) -> Iterator[Wire]:
    """Return a line to ``live_server``; what pages say of one that is cut is allowed."""
    watch.allow += ["ERR_INTERNET_DISCONNECTED", *UNPLUGGED]
    with wire_to(live_server.url) as made:
        yield made


@pytest.fixture
def phone(live_server: object, open_page: Callable[..., "playwright_api.Page"]):
    """Return a page on a phone, in Italian."""
    return open_page(PHONE)


@pytest.fixture
def desk(live_server: object, open_page: Callable[..., "playwright_api.Page"]):
    """Return a page on a laptop, in English."""
    return open_page(DESK)


@pytest.fixture(scope="session")
def axe_finds() -> Callable[..., list[tuple[str, list[str]]]]:
    """Return a function that lists a page's accessibility problems: rule, and where.

    What axe leaves open is one too, unless it is measured or explained in ``accessibility``.
    ``only_colours=True`` asks again after a change of the colour scheme alone.
    """
    script = axe_api.Axe().axe_script

    def find(
        page: "playwright_api.Page", *, only_colours: bool = False
    ) -> list[tuple[str, list[str]]]:
        return find_problems(page, script, only_colours=only_colours)

    return find


@pytest.fixture(scope="session")
def axe(axe_finds: Callable[..., list[object]]) -> Callable[["playwright_api.Page"], None]:
    """Return a function that asserts a page without accessibility problems."""

    def assert_clean(page: "playwright_api.Page") -> None:
        assert axe_finds(page) == [], page.url

    return assert_clean


@pytest.fixture
def server_process(tmp_path: Path) -> Iterator[ServerProcess]:
    """Return the site with an empty, migrated database, running."""
    server = ServerProcess(tmp_path)
    migrated(server.database)
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="session")
def demo_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ServerProcess, str]]:
    """Return the site with the demo's events, running, and what the demo printed."""
    yield from run_demo(tmp_path_factory, "demo")


def run_demo(
    tmp_path_factory: pytest.TempPathFactory, name: str
) -> Iterator[tuple[ServerProcess, str]]:
    """Yield a running site with the demo's events, and what the demo printed; then end it.

    Processes of one test run share the database of a name.
    """
    server = ServerProcess(folder_of_run(tmp_path_factory, name))
    printed = server.database.with_suffix(".printed")
    with locked(server.database.with_suffix(".lock")):
        if not printed.exists():
            migrated(server.database)
            printed.write_text(server.manage("demo", "--site"))
    server.start()
    yield server, printed.read_text()
    server.kill()


@pytest.fixture
def signed_in(
    demo_site: tuple[ServerProcess, str], open_page: Callable[..., "playwright_api.Page"]
) -> Callable[..., "playwright_api.Page"]:
    """Return a function that opens a page of the demo's site, signed in as its organiser."""
    server, _printed = demo_site

    def enter(**settings: Any) -> "playwright_api.Page":
        page = open_page(base_url=server.url, **settings)
        page.goto("/accounts/login/")
        page.fill("[name=login]", "organiser@example.org")
        page.fill("[name=password]", "girone-demo")
        with page.expect_navigation():
            page.click("main form [type=submit]")
        return page

    return enter
