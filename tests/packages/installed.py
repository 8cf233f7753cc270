"""An installed ``girone`` as its user meets it: started from an empty folder, asked over HTTP."""

import io
import json
import os
import re
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import segno
from openpyxl import load_workbook
from pypdf import PdfReader

from config.venue import local_addresses
from tests.servers import running

ORGANISER = {"name": "Marta", "password": "una-lunga-parola", "email": "marta@example.org"}
PLAYERS = 8
FORMAT = "doomtrooper-original"
PATIENCE = 240
"""Seconds in which a site must be served on a busy machine, after its first start."""
BOUNDARY = "a-line-that-no-picture-has"


class Visitor:
    """Somebody with a browser and, once they have it, a token of the API."""

    def __init__(self, url: str) -> None:
        self.url, self.token = url, ""
        self.browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> bytes:
        """Return what an address of the site answers; raises HTTPError if it refuses."""
        with self.browser.open(self.url + path, timeout=120) as answer:
            return bytes(answer.read())

    def csrf(self, path: str) -> str:
        """Return the token of the forms of a page."""
        found = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', self.get(path))
        assert found, path
        return found[1].decode()

    def send(self, path: str, body: bytes, kind: str) -> tuple[int, bytes]:
        """Send a form; return the status and the body of the answer."""
        headers = {"Referer": self.url + path, "Content-Type": kind, "Accept": "application/json"}
        asked = urllib.request.Request(self.url + path, body, headers)  # noqa: S310
        try:
            with self.browser.open(asked, timeout=120) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read()

    def begin(self, link: str) -> None:
        """Make the organiser's account by the link of the first start."""
        self.get(link.removeprefix(self.url))
        sent = ORGANISER | {"csrfmiddlewaretoken": self.csrf("/accounts/first/")}
        form = "application/x-www-form-urlencoded"
        status, _page = self.send("/accounts/first/", urlencode(sent).encode(), form)
        assert status == 200
        assert b"Marta" in self.get("/accounts/me/")

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Return the answer of the API as data, also where it refuses."""
        headers = {"Authorization": f"Token {self.token}", "Content-Type": "application/json"}
        asked = urllib.request.Request(  # noqa: S310
            f"{self.url}/api/v1/{path}", json.dumps(body or {}).encode(), headers, method=method
        )
        try:
            with urllib.request.urlopen(asked, timeout=120) as answer:  # noqa: S310
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            return json.load(refused)

    def play(self) -> str:
        """Play all rounds of a new Swiss event; return its slug."""
        cup = {"name": "Coppa", "format": FORMAT, "formula": "swiss-cut", "decklists": "off"}
        slug = self.call("POST", "events/", cup)["slug"]
        event = f"events/{slug}/"
        names = [{"name": f"Giocatore {number}"} for number in range(1, PLAYERS + 1)]
        self.call("POST", f"{event}players/", names)
        started = self.call("POST", f"{event}start/")
        assert "code" not in started, started
        played = 0
        while stages := [
            stage for stage in self.call("GET", f"{event}stages/") if stage["state"] == "open"
        ]:
            stage = f"{event}stages/{stages[0]['number']}/"
            round_ = self.call("POST", f"{event}rounds/")
            if "matches" not in round_:  # all rounds of the stage are played
                if self.call("POST", f"{stage}close/").get("code") == "lots_needed":
                    self.call("POST", f"{stage}lots/")
                continue
            for match in round_["matches"]:
                result = {"version": match["version"], "winner": "a"}
                told = self.call("PUT", f"{event}matches/{match['id']}/result/", result)
                assert told.get("state") == "final", told
                played += 1
        assert played >= PLAYERS
        return str(slug)

    def read_everything(self, slug: str) -> None:
        """Ask for pages, a style sheet, sheets of paper, files, and what a photo shows."""
        front = self.get("/").decode()
        (sheet, *_more) = re.findall(r'href="(/static/[^"]+\.css)"', front)
        assert re.search(r"\.[0-9a-f]{12}\.css$", sheet), "not collected"
        assert self.get(sheet)
        assert "Girone" in front
        assert b"Giocatore 1" in self.get(f"/events/{slug}/standings/")
        page = self.get(f"/events/{slug}/print/").decode()
        sheets = sorted(set(re.findall(rf"/events/{slug}/print/[\w-]+\.pdf", page)))
        assert sheets, page
        texts = [self.text_of(each) for each in sheets]
        assert all("Coppa" in text for text in texts), sheets
        assert any("Giocatore" in text for text in texts)
        book = load_workbook(self.file(f"/events/{slug}/export.xlsx"), read_only=True)
        values = {cell for page in book for row in page.iter_rows(values_only=True) for cell in row}
        assert "Giocatore 1" in values
        assert "Giocatore 1" in json.dumps(self.call("GET", f"events/{slug}/archive.json"))
        self.get("/help/")
        assert self.photograph(slug) == "other_code"

    def text_of(self, path: str) -> str:
        """Return the words of a PDF of the site."""
        return "".join(page.extract_text() for page in PdfReader(self.file(path)).pages)

    def file(self, path: str) -> io.BytesIO:
        """Return a file of the site."""
        return io.BytesIO(self.get(path))

    def photograph(self, slug: str) -> str:
        """Send the photo of a code that is no player's; return the code of the refusal."""
        picture = io.BytesIO()
        segno.make("https://girone.example/").save(picture, kind="png", scale=6)
        path = f"/events/{slug}/manage/arrivals/"
        parts = (
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="csrfmiddlewaretoken"'
            f"\r\n\r\n{self.csrf('/accounts/me/')}\r\n--{BOUNDARY}\r\nContent-Disposition: "
            'form-data; name="photo"; filename="code.png"\r\nContent-Type: image/png\r\n\r\n'
        )
        body = parts.encode() + picture.getvalue() + f"\r\n--{BOUNDARY}--\r\n".encode()
        _status, answer = self.send(
            f"{path}photo/", body, f"multipart/form-data; boundary={BOUNDARY}"
        )
        return str(json.loads(answer)["code"])


@dataclass(frozen=True, slots=True)
class Installed:
    """A program, and a folder for its data; nothing of the repository is in reach of it.

    program: the command, as a file and words. folder: holds data, home and an empty folder.
    """

    program: tuple[str, ...]
    folder: Path

    @property
    def data(self) -> Path:
        """Return the folder of the data, with a blank and an accent in its path."""
        return self.folder / "I miei dàti"

    @property
    def environment(self) -> dict[str, str]:
        """Return the variables of a user who has set none but where the data is."""
        kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}
        own = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "LANG": "C.UTF-8"}
        return kept | own | {"GIRONE_DATA": str(self.data)}

    @property
    def start(self) -> Path:
        """Return the empty folder from which commands are started."""
        empty = self.folder / "empty"
        empty.mkdir(parents=True, exist_ok=True)
        return empty

    def run(self, *arguments: str, code: int = 0, given: str = "") -> str:
        """Run a command; return what it printed, on its two outputs. It must exit with ``code``."""
        done = subprocess.run(
            [*self.program, *arguments],
            cwd=self.start,
            env=self.environment,
            input=given,
            capture_output=True,
            text=True,
            check=False,
        )
        said = done.stdout + done.stderr
        assert done.returncode == code, f"{arguments}: {said}"
        assert "Traceback" not in said, said
        return said

    @contextmanager
    def serving(self, *words: str, scheme: str = "http") -> Iterator[Visitor]:
        """Serve until the block ends; yield somebody who has the organiser's account, or none."""
        port = running.free_port()
        log = self.folder / f"served-{port}.log"
        command = [*self.program, *words, "--port", str(port), "--no-browser"]
        with running.program(command, log, cwd=self.start, env=self.environment) as process:

            def up() -> bool:
                assert process.poll() is None, log.read_text()
                if scheme == "https":
                    return "Ctrl+C" in log.read_text() and is_open(port)
                return running.answers(port)

            running.until(up, seconds=PATIENCE, why=f"not served: {log.read_text()}")
            visitor = Visitor(f"http://127.0.0.1:{port}")
            if link := re.findall(r"\S+/accounts/first/\S+", log.read_text()):
                visitor.begin(link[0]) if scheme == "http" and not words else None
            yield visitor


def is_open(port: int) -> bool:
    """Return whether somebody listens on a port of this machine."""
    with suppress(OSError):
        running.open_sockets(port, 1)[0].close()
        return True
    return False


def started(site: Installed, version: str) -> None:
    """Start an installed program and ask what it is."""
    said = site.run("--version")
    assert said.split()[:2] == ["Girone", version], said
    with site.serving() as visitor:
        assert visitor.get("/health/ready") == b"ok\n"
        assert visitor.get("/health/version").decode().strip() == version
        assert "127.0.0.1" in site.run("serve", "--no-browser")  # a second start tells of the first
    assert list(site.start.iterdir()) == []


def played(site: Installed, version: str) -> tuple[str, Any]:
    """Use every part of an installed program once; return the event's slug and matches."""
    assert site.run("version").split()[:2] == ["Girone", version]
    assert f"Data: {site.data}" in site.run("where")
    site.run("prepare")
    with site.serving() as visitor:
        visitor.token = site.run("api-token", ORGANISER["email"]).split()[-1]
        slug = visitor.play()
        visitor.read_everything(slug)
        matches = visitor.call("GET", f"events/{slug}/matches/")["results"]
        site.run("backup", str(site.folder / "copy.sqlite3"))
    commands(site, slug)
    for words in (["hall"], ["hall", "--certificate"]) if local_addresses() else ():
        with site.serving(*words, scheme="https" if len(words) > 1 else "http"):
            pass
    assert list(site.start.iterdir()) == []
    return slug, matches


def commands(site: Installed, slug: str) -> None:
    """Run the commands that people use beside the pages."""
    site.run("verify", "--all")
    site.run("export", slug, str(site.folder / "coppa.xlsx"))
    load_workbook(site.folder / "coppa.xlsx")
    site.run("archive", slug, str(site.folder / "coppa.json"))
    site.run("restore", str(site.folder / "coppa.json"), "--slug", "di-nuovo")
    assert site.run("rank", "-", "--json", given=RESULTS)
    assert site.run("check-deck", FORMAT, "-", "--json", given="3 Nessuna carta\n", code=1)
    restored = site.run("restore_backup", str(site.folder / "copy.sqlite3"))
    assert str(site.data / "db.sqlite3") in restored
    assert "di-nuovo" not in site.run("verify", "--all")


RESULTS = json.dumps(
    {
        "points": {"win": 3, "draw": 1, "loss": 0},
        "criteria": ["points", "score_for"],
        "players": ["Ada", "Bea"],
        "matches": [{"round": 1, "a": "Ada", "b": "Bea", "score": [40, 20]}],
    }
)
