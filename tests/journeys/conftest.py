"""A real browser, and the site as a process of its own.

``phone`` and ``desk`` are pages (360 by 740 in Italian, touch; 1366 by 768 in English) on
``live_server``. They fail the test on a console error, on a script error and on any request to
another host than this machine. ``open_page(…)`` makes more of them, for a second person.
``axe(page)`` asserts that axe finds nothing. ``server_process`` starts the site with an empty
database: ``.url``, ``.kill()`` (SIGKILL), ``.start()``, ``.stop()``, ``.manage("demo")``;
``demo_site`` is one with the demo's events, for tests that only read: the processes of a run share
its database.
"""

import os
import signal
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.database import folder_of_run, locked, migrated
from tests.journeys.accessibility import find_problems
from tests.servers.running import commands, until

playwright_api = pytest.importorskip("playwright.sync_api")
axe_api = pytest.importorskip("axe_playwright_python.sync_playwright")

# The same engine without windows takes a third of the processor; `bin/chromium` installs either.
CHROMIUM = which("chromium-headless-shell") or which("chromium")
PATIENCE = 90_000  # milliseconds: a machine that does much else is no fault of the site
STARTING = 120  # seconds, for the same reason
# What a page says of a request that the server does not answer any more. Which of these depends
# on how far the request had come: one that is on its way is reset, a later one is refused.
UNPLUGGED = (
    *("ERR_CONNECTION", "ERR_EMPTY_RESPONSE", "ERR_SOCKET_NOT_CONNECTED"),
    *("ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONTENT_LENGTH_MISMATCH", "ERR_NETWORK_CHANGED"),
)
# What Playwright leaves out (its own list counts no more where another follows), and the process
# that Chromium keeps ready for each window that might be opened.
WITHOUT = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"),
    *("ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect"),
    *("OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"),
    "SpareRendererForSitePerProcess",
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(WITHOUT)}",
]
playwright_api.expect.set_options(timeout=PATIENCE)
PHONE = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "locale": "it-IT",
    "timezone_id": "Europe/Rome",
}
DESK = {
    "viewport": {"width": 1366, "height": 768},
    "locale": "en-GB",
    "timezone_id": "Europe/Rome",
}
# A dot that pulses keeps a tenth of a processor busy in every window that is open.
CALM = {"service_workers": "block", "reduced_motion": "reduce"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that asks for a page, so that machines without browser can leave it out."""
    for item in items:
        if {"phone", "desk", "open_page"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("browser")


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, object]:
    """Use Debian's Chromium, which asks nothing of the outside."""
    return {"executable_path": CHROMIUM, "args": FLAGS}


@pytest.fixture(autouse=True, scope="session")
def _queries_beside_a_browser() -> Iterator[None]:
    """Playwright runs an event loop in this thread; Django would refuse queries beside it."""
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    yield
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@dataclass
class Watch:
    """What must not happen on a page; ``allow`` names texts that a test expects."""

    seen: list[str] = field(default_factory=list)
    allow: list[str] = field(default_factory=list)

    def follow(self, page: "playwright_api.Page") -> Callable[[], None]:
        """Listen to the page's console, scripts and requests; return what ends that."""
        listened: dict[str, Callable[[Any], object]] = {
            "console": lambda said: said.type == "error" and self.note(spoken(said)),
            "pageerror": lambda error: self.note(str(error)),
            "request": lambda request: self.host(request.url),
        }
        for event, listener in listened.items():
            page.on(event, listener)

        def leave() -> None:
            for event, listener in listened.items():
                page.remove_listener(event, listener)

        return leave

    def host(self, url: str) -> None:
        """Note a request that leaves this machine."""
        parts = urlsplit(url)
        here = parts.hostname in ("127.0.0.1", "localhost")
        if parts.scheme in ("http", "https", "ws", "wss") and not here:
            self.note(f"request to {url}")

    def note(self, text: str) -> None:
        """Keep what was seen."""
        self.seen.append(text)

    def unexpected(self) -> list[str]:
        """Return what no test allowed."""
        return [text for text in self.seen if not any(part in text for part in self.allow)]


def spoken(said: "playwright_api.ConsoleMessage") -> str:
    """Return what the console says, and of which address."""
    return f"{said.text} {said.location['url']}"


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


# The site begins in a fork of a process that has imported it, which ends; the server goes on.
SERVE = """
import os
from django.conf import settings
from config.server import main
if begun := os.fork():
    print(begun)
else:
    os.setsid()
    log = os.open({log!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.dup2(log, 1)
    os.dup2(log, 2)
    settings.CACHES["finished"]["LOCATION"] = {pages!r}
    main(["--listen=127.0.0.1:{port}"])
"""


class ServerProcess:
    """The real site, as a process of its own on a free port of this machine.

    ``tests/servers/`` tries the start from nothing.
    """

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.database = folder / "site.sqlite3"
        self.log = folder / "site.log"
        self.process: Path | None = None

    def manage(self, *arguments: str) -> str:
        """Run a management command on the site's database; return what it prints."""
        done = commands().run(arguments, self.database)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self, *, within: float = STARTING) -> float:
        """Start the process and wait for its first answer; return the seconds it took."""
        begun = time.monotonic()
        pages = f"{self.database}.pages"
        serve = SERVE.format(log=str(self.log), pages=pages, port=self.port)
        self.process = Path("/proc", self.manage("-c", serve).strip())
        while time.monotonic() - begun < within:
            assert self.runs(), self.log.read_text()
            try:
                with urllib.request.urlopen(f"{self.url}/health/ready", timeout=20):  # noqa: S310
                    return time.monotonic() - begun
            except (urllib.error.URLError, TimeoutError, ConnectionError):
                time.sleep(0.05)
        self.kill()
        raise AssertionError(self.log.read_text())

    def facts(self) -> list[str]:
        """Return what the machine tells of the process, its state first; nothing once it ended."""
        assert self.process is not None
        try:
            return (self.process / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            return []

    def runs(self) -> bool:
        """Say whether the process runs; one that has ended may wait for being looked after."""
        return bool(facts := self.facts()) and facts[0] not in "ZX"

    def seconds_of_work(self) -> float:
        """Return the seconds of a processor that the process has used, whatever else ran."""
        return sum(map(int, self.facts()[11:13])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """End the process at once, as a pulled plug would."""
        self.stop(signal.SIGKILL)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Ask the process to end, and wait until it has."""
        if self.process is not None and self.runs():
            os.kill(int(self.process.name), how)
            until(lambda: not self.runs(), seconds=STARTING)
        self.process = None


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
    server = ServerProcess(folder_of_run(tmp_path_factory, "demo"))
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
