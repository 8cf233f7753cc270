"""The folder to double-click: built, started without any Python, and an event of eight played."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, Request, build_opener

import pytest
from django.core import signing
from openpyxl import load_workbook
from pypdf import PdfReader

from tests.servers import running
from tests.tournaments.arrivals.test_photos import taken
from tournaments.arrivals.photos import SALT

pytestmark = [pytest.mark.deep, pytest.mark.processes]
LARGEST = 250
"""Megabytes of the folder."""
DEAREST = 20
"""Seconds of the processor until the first page."""
PATIENCE = 600
"""Seconds in which a machine that does other things too grants those."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder, built as ``make folder`` builds it."""
    place = tmp_path_factory.mktemp("Cartella à doppio clic")
    command = [sys.executable, "packaging/folder.py", "--to", place, "--work", place / "build"]
    done = subprocess.run(command, cwd=running.ROOT, capture_output=True, text=True)
    if done.returncode and "PyInstaller can't be installed" in done.stderr:
        pytest.skip("PyInstaller can't be installed here.")
    assert done.returncode == 0, done.stderr[-2000:]
    return place / "Girone"


class Home:
    """A user's home, who has no Python and whose browser notes what it is asked to open."""

    def __init__(self, folder: Path, built: Path) -> None:
        self.program = built / "girone"
        self.data = folder / "I miei dàti" / "girone"
        self.opened = folder / "opened"
        self.opened.touch()
        browser = folder / "browser"
        browser.write_text(f'#!/bin/sh\necho "$1 $LD_LIBRARY_PATH" >> "{self.opened}"\n')
        browser.chmod(0o755)
        self.variables = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(folder),
            "XDG_DATA_HOME": str(self.data.parent),
            "BROWSER": str(browser),
            "DISPLAY": ":9",
        }

    def run(self, *arguments: str | Path) -> str:
        """Run the program until it ends; return what it printed."""
        done = subprocess.run(
            [self.program, *arguments], env=self.variables, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def pages(self) -> list[str]:
        """Return what the browser opened: an address, and the libraries it was told to use."""
        return self.opened.read_text().splitlines()


class Started:
    """The program as a double click starts it, and what its first page took."""

    def __init__(self, home: Home, port: int) -> None:
        before, began = len(home.pages()), time.monotonic()
        self.process = subprocess.Popen(
            [home.program, "--port", str(port)],
            env=home.variables,
            cwd=home.data.parent.parent,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            process_group=0,
        )
        try:
            running.until(lambda: len(home.pages()) > before, seconds=PATIENCE, why="no page")
        except AssertionError:
            self.end()
            raise
        self.seconds, self.processor = time.monotonic() - began, processor_of(self.process.pid)
        self.page = home.pages()[-1]

    def end(self) -> None:
        """End it, as closing its window does."""
        running.end(self.process, signal.SIGINT)


def processor_of(pid: int) -> float:
    """Return the seconds of the processor that a process has taken."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


class Person:
    """A browser that is signed in, which follows no redirect."""

    def __init__(self, site: str) -> None:
        self.site, self.cookies = site, CookieJar()

        class Staying(HTTPRedirectHandler):
            def redirect_request(self, *_arguments: Any) -> None:
                return None

        self.opener = build_opener(HTTPCookieProcessor(self.cookies), Staying)

    def ask(
        self, path: str, body: bytes | None = None, kind: str = "", method: str = ""
    ) -> running.Answer:
        """Return the answer to a request, whatever its status."""
        url = path if path.startswith("http") else f"{self.site}{path}"
        kind_of = method or ("GET" if body is None else "POST")
        request = Request(url, body, method=kind_of)  # noqa: S310 - our own server
        token = next((each.value for each in self.cookies if each.name == "csrf"), "")
        headers = {"X-CSRFToken": token or "", "Content-Type": kind, "Referer": self.site}
        for name, value in headers.items():
            request.add_header(name, value)
        try:
            answer = self.opener.open(request, timeout=60)
        except HTTPError as refused:
            answer = refused
        with answer:
            return running.Answer(answer, 0)

    def form(self, path: str, **fields: str) -> running.Answer:
        """Send a form."""
        return self.ask(path, urlencode(fields).encode(), "application/x-www-form-urlencoded")

    def api(self, method: str, path: str, body: object = None) -> Any:
        """Return what an endpoint answers."""
        sent = None if method == "GET" else json.dumps(body or {}).encode()
        answer = self.ask(f"/api/v1/{path}", sent, "application/json", method)
        assert answer.status < 300, (method, path, answer.body)
        return json.loads(answer.body)

    def photo(self, path: str, data: bytes) -> running.Answer:
        """Send a photo from the form at the door."""
        head = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="code.jpg"\r\n\r\n'
        return self.ask(path, head + data + b"\r\n--x--\r\n", "multipart/form-data; boundary=x")


@pytest.fixture
def home(tmp_path: Path, built: Path) -> Home:
    return Home(tmp_path, built)


@pytest.fixture
def started(home: Home) -> Iterator[Started]:
    begun = Started(home, running.free_port())
    yield begun
    begun.end()


def test_an_event_of_eight_is_played(home: Home, started: Started, tmp_path: Path) -> None:
    page, libraries = started.page.split(" ", 1)
    assert libraries == "", "the browser would load the folder's libraries"
    site = page[: page.index("/", len("http://"))]
    person = Person(site)
    form = person.ask(page)
    assert form.status == 302
    assert person.ask(form.headers["Location"]).status == 200
    signed_up = person.form(form.headers["Location"], name="Ada", password="eight players")
    assert signed_up.headers["Location"] == "/events/new/"

    cup = {
        "name": "Coppa",
        "format": "doomtrooper-original",
        "formula": "swiss-cut",
        "decklists": "off",
    }
    event = f"events/{person.api('POST', 'events/', cup)['slug']}/"
    names = ["Bea", "Đuro", "Éva", "李雷", "Μαρία", "Ола", "Nino", "Zoë"]
    person.api("POST", f"{event}players/", [{"name": name} for name in names])
    signer = signing.Signer(key=(home.data / ".secret-key").read_text().strip(), salt=SALT)
    code = f"/{event}arrive/{signer.sign('1-4').replace(':', '~')}/"
    arrived = person.photo(f"/{event}manage/arrivals/photo/", taken(site + code))
    assert (arrived.status, arrived.headers["Location"]) == (302, code)

    person.api("POST", f"{event}start/", {"seed": "otto"})
    matches = person.api("POST", f"{event}rounds/")["matches"]
    assert len(matches) == 4
    for match in matches:
        result = {"version": match["version"], "score": [40, match["b"]]}
        person.api("PUT", f"{event}matches/{match['id']}/result/", result)
    standings = person.api("GET", f"{event}standings/?stage=1")
    assert [row["won"] for row in standings] == [1] * 4 + [0] * 4

    book = load_workbook(io.BytesIO(person.ask(f"/{event}export.xlsx").body))
    cells = {cell for sheet in book for row in sheet.values for cell in row}
    assert set(names) <= cells
    sheet = PdfReader(io.BytesIO(person.ask(f"/{event}print/standings.pdf").body))
    assert all(name in sheet.pages[0].extract_text() for name in ("Đuro", "李雷"))


def test_a_second_double_click_opens_the_first(home: Home, started: Started) -> None:
    told = home.run()
    assert "Girone is already running with this data" in told
    (first, second) = home.pages()
    assert first.startswith(second.split()[0])
    assert f"Data: {home.data}" in home.run("where")
    assert f"Serving on {second.split()[0].rstrip('/')}" in (home.data / "girone.log").read_text()


def test_a_backup_is_restored_by_the_folder_alone(home: Home, started: Started) -> None:
    home.run("demo")
    copy = home.data / "copy.sqlite3"
    home.run("backup", copy)
    started.end()
    told = home.run("restore_backup", copy)
    assert re.search(r"girone/db\.sqlite3", told)
    assert "No differences found" in told
    assert "No differences found" in home.run("verify", "--all")
    again = Started(home, running.free_port())
    again.end()
    assert again.page.split()[0].count("/") > 3


def test_it_is_small_and_soon_there(
    built: Path, home: Home, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [path for path in built.rglob("*") if path.is_file() and not path.is_symlink()]
    size = sum(path.stat().st_size for path in files) / 1e6
    assert size <= LARGEST
    told = [f"{size:.0f} MB"]
    for which in ("first", "later"):
        started = Started(home, running.free_port())
        started.end()
        assert started.processor <= DEAREST
        told.append(f"{which} start {started.seconds:.1f} s ({started.processor:.1f} s CPU)")
    with capsys.disabled():
        print(" · ".join(told))  # noqa: T201 - what was measured
