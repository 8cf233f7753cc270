"""The site as a process that can be killed, and a wire to it that can be cut.

``wire.cut()`` ends what is open and refuses what comes; ``wire.mend()`` lets all through again.
``wire.stall()`` takes what comes and answers nothing, as Wi-Fi does that carries nothing any more.
``wire.lose_answers(each)`` drops every n-th answer to a POST after the site has acted on it,
as a phone at the edge of the Wi-Fi does. Each connection carries one request, so that every loss
hits exactly one.
"""

import contextlib
import os
import re
import signal
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from tests.servers.running import commands, until

HEAD = b"\r\n\r\n"


class Wire:
    """The proxy; ``url`` is where the browser finds the site."""

    def __init__(self, to: str, host: str = "127.0.0.1") -> None:
        parts = urlsplit(to)
        self.to = (str(parts.hostname), int(parts.port or 80))
        self.is_cut = False
        self._runs = threading.Event()
        self._runs.set()
        self.lost = 0
        self._each = 0
        self._posts = 0
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener = socket.create_server((host, 0))
        self.url = f"http://{host}:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """End every open connection and refuse new ones."""
        self.is_cut = True
        with self._lock:
            for one in self._open:
                _end(one)

    def mend(self) -> None:
        """Let everything through again; what came meanwhile is lost."""
        self.is_cut = False
        self._runs.set()

    def stall(self) -> None:
        """Take everything and answer nothing from now on."""
        self._runs.clear()

    def lose_answers(self, each: int) -> None:
        """Drop the answer to every ``each``-th POST from now on; 0 drops none."""
        self._each, self._posts = each, 0

    def close(self) -> None:
        """End the proxy."""
        self.cut()
        self._runs.set()
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _address = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        with self._lock:
            self._open.add(client)
        with client, contextlib.suppress(OSError):
            request = b"" if self.is_cut else _request(client)
            if not self._runs.is_set():
                self._runs.wait()
            elif request and not self.is_cut:
                answer = self._answer(request)
                if self._loses(request):
                    self.lost += 1
                elif not self.is_cut:
                    client.sendall(answer)
        with self._lock:
            self._open.discard(client)

    def _answer(self, request: bytes) -> bytes:
        with socket.create_connection(self.to) as site:
            site.sendall(request)
            parts = []
            while part := site.recv(65_536):
                parts.append(part)
        return b"".join(parts)

    def _loses(self, request: bytes) -> bool:
        if not self._each or not request.startswith(b"POST"):
            return False
        with self._lock:
            self._posts += 1
            return self._posts % self._each == 0


def _end(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)


def _request(client: socket.socket) -> bytes:
    """Read one request, and ask the site to close the connection after its answer."""
    data = b""
    while HEAD not in data:
        part = client.recv(65_536)
        if not part:
            return b""
        data += part
    head, _empty, body = data.partition(HEAD)
    told = re.search(rb"(?im)^content-length: *(\d+)", head)
    left = int(told[1]) if told else 0
    while len(body) < left:
        part = client.recv(65_536)
        if not part:
            return b""
        body += part
    head = re.sub(rb"(?im)^connection:.*\r\n", b"", head)
    return head + b"\r\nConnection: close" + HEAD + body


@contextlib.contextmanager
def wire_to(url: str, host: str = "127.0.0.1") -> Iterator[Wire]:
    """Return a wire from an address of this machine to a site, closed afterwards."""
    wire = Wire(url, host)
    try:
        yield wire
    finally:
        wire.close()


STARTING = 120  # seconds: a machine that does much else is no fault of the site

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
    settings.ALIVE_FILE = {alive!r}
    settings.SITE_ADDRESS = {address!r} or settings.SITE_ADDRESS
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
        self.address = ""

    def manage(self, *arguments: str) -> str:
        """Run a management command on the site's database; return what it prints."""
        done = commands().run(arguments, self.database)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self, *, within: float = STARTING) -> float:
        """Start the process and wait for its first answer; return the seconds it took."""
        begun = time.monotonic()
        pages = f"{self.database}.pages"
        alive = f"{self.database}.alive"
        serve = SERVE.format(
            log=str(self.log), pages=pages, alive=alive, address=self.address, port=self.port
        )
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
