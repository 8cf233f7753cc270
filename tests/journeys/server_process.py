"""The site as a process of its own, which can be killed."""

import os
import signal
import socket
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.servers.running import commands, until

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
