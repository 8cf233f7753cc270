"""``girone``: prepares a site and serves it, and runs its commands, on any system.

``girone`` serves this machine, ``girone hall`` everybody on the local network, ``girone where``
tells where data and program are, ``girone move-data FOLDER`` moves the data; any other word is a
command of the site: ``girone backup``, ``girone verify`` … From the repository ``make run`` and
``manage.py`` do the same.
"""

import argparse
import json
import os
import re
import socket
import sys
import tempfile
import threading
import time
import urllib.request
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.error import URLError

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command, execute_from_command_line
from django.utils.module_loading import import_string
from filelock import FileLock, Timeout

from config import env, server, venue
from config.data_folder import PROGRAM, data_folder, is_checkout, move_data
from config.version import VERSION

HERE = "127.0.0.1"
PORTS = 20
"""Ports that are tried, one after another."""
START = 120.0
"""Seconds within which a server that begins must answer for the browser to be opened."""


class ProgramError(Exception):
    """The program can't go on; the message says what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class Running:
    """The one server of a data folder: a lock, and beside it the address it is served at."""

    folder: Path

    @property
    def lock(self) -> Path:
        return self.folder / ".girone.lock"

    @property
    def note(self) -> Path:
        return self.folder / ".girone.json"

    def address(self) -> str:
        """Return the address of the server that holds the lock; wait for one that has just begun.

        Empty if it tells none in time.
        """
        url = ""

        def is_told() -> bool:
            nonlocal url
            with suppress(OSError, ValueError, KeyError, TypeError):
                url = str(json.loads(self.note.read_text())["url"])
            return bool(url) and answers(url)

        return url if waited_for(is_told) else ""


def waited_for(holds: Callable[[], bool]) -> bool:
    """Wait until something holds, for as long as a start may take; return whether it does."""
    until = time.monotonic() + START
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.3)
    return True


def answers(url: str) -> bool:
    """Return whether a Girone answers at an address of this machine, with or without https."""
    place = url.partition("://")[2].rstrip("/")
    host, _colon, port = place.rpartition(":")
    if url.startswith("https"):  # its certificate is for phones; that somebody listens is enough
        with suppress(OSError), socket.create_connection((host, int(port)), 2):
            return True
        return False
    with suppress(URLError, OSError, ValueError):
        asked = urllib.request.Request(f"http://{place}/health/live")
        with urllib.request.urlopen(asked, timeout=5) as answer:  # noqa: S310
            return bool(answer.read(50).strip() == b"ok")
    return False


def free_port(first: int, addresses: tuple[str, ...]) -> int:
    """Return the first port from ``first`` on that is free at all addresses.

    It prints a line for each port in use. Raises ProgramError if twenty in a row are in use.
    """
    for port in range(first, min(first + PORTS, 65_536)):
        if all(_is_free(address, port) for address in addresses):
            return port
        who = "another Girone" if answers(f"http://{addresses[0]}:{port}") else "another program"
        say(f"Port {port} is in use by {who}.")
    raise ProgramError(f"Ports {first} to {port} are in use. Name another: girone --port 9000")


def _is_free(address: str, port: int) -> bool:
    with socket.socket() as probe:
        if os.name != "nt":  # there the option would let two servers share a port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError:
            return False
    return True


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def can_open_browser() -> bool:
    """Return whether somebody sits at this machine who can be shown a page."""
    if not sys.platform.startswith(("win", "darwin", "cygwin")):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


def open_browser(url: str, page: str) -> None:
    """Open a page of a site in the browser as soon as the site answers, from a thread."""

    def wait() -> None:
        if waited_for(lambda: answers(url)):
            webbrowser.open(page)

    threading.Thread(target=wait, daemon=True).start()


def serve(options: argparse.Namespace) -> int:
    """Prepare and serve until the process is ended; return 0 if a site of this data runs already.

    Raises ProgramError.
    """
    folder = writable_folder()
    running = Running(folder)
    lock = FileLock(running.lock)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        url = running.address()
        say(f"Girone runs already with this data: {url or folder}")
        if url and options.browser:
            webbrowser.open(url)
        return 0
    running.note.unlink(missing_ok=True)
    hall = venue.address_to_serve(options.address) if options.hall else ""
    first = options.port or env.number("PORT", 8000, minimum=1)
    port = free_port(first, tuple(dict.fromkeys((HERE, hall or HERE))))
    listen, scheme = f"{HERE}:{port}", "http"
    os.environ["PORT"] = str(port)
    if hall:
        kept_in = folder / env.text("VENUE_FOLDER", "certificate") if options.certificate else None
        os.environ |= venue.variables(hall, port, kept_in)
        listen, scheme = os.environ["LISTEN"], "https" if kept_in else "http"
    told = prepare(demo=options.demo, hall=options.hall)
    own = f"{scheme}://{HERE}:{port}/"
    running.note.write_text(json.dumps({"url": own}))
    announce(own, told, hall=options.hall)
    if options.browser:
        (page,) = re.findall(r"https?://\S+", told) or [own]
        open_browser(own, page)
    if hall and options.certificate and os.name == "posix":
        serve_by_gunicorn()
    else:
        server.main(["--listen", listen])
    return 0


def writable_folder() -> Path:
    """Return the data folder; make it and read its ``.env``.

    Raises ProgramError if nobody may write there.
    """
    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as fault:
        raise ProgramError(
            f"The folder {folder} can't be written ({fault.strerror}). "
            "Name another by the variable GIRONE_DATA."
        ) from fault
    os.environ.setdefault("DEBUG", "0")  # whatever a developer's file says
    env.load(env.file_beside(folder))
    if not is_checkout():
        os.environ.setdefault("LOG_FILE", str(folder / "girone.log"))
    return folder


def prepare(*, demo: bool, hall: bool) -> str:
    """Bring the data up to date; return what its first organiser is told, with their link.

    demo: make the demo events and accounts, whose passwords are known; hall: lock those accounts.
    """
    set_up_django()
    if demo and not hall:
        call_command("prepare", "--demo")
        return ""
    call_command("prepare", *(["--hall"] if hall else []))
    told = StringIO()
    call_command("first_organiser", stdout=told)
    return told.getvalue().rstrip()


def set_up_django() -> None:
    """Set Django up, with the settings of the data folder."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()


def announce(own: str, told: str, *, hall: bool) -> None:
    """Print where the site is found, as an address and for a hall as a QR code too."""
    say("")
    if hall:
        address = env.text("SITE_ADDRESS")
        venue.show_code(f"{address}/")
        say(f"Girone: {address}/  (for everybody on this network; stop with Ctrl+C)")
        say(f"On this machine: {own}")
        if env.text("CERTIFICATE"):
            say(f"Phones that are to trust it: {address}/girone-ca.crt")
    else:
        say(f"Girone: {own}  (stop with Ctrl+C)")
    if told:  # below the code, where it stays in sight
        say(told)


def serve_by_gunicorn() -> None:
    """Serve https, until the process is ended: waitress speaks plain HTTP alone."""
    application: Any = import_string("gunicorn.app.wsgiapp.WSGIApplication")  # not on Windows
    # Each phone may hold a thread for as long as its connection is slow.
    os.environ.setdefault("THREADS", "64")
    sys.argv = ["gunicorn", "--config", "python:config.gunicorn", "config.wsgi"]
    application("%(prog)s [OPTIONS] [APP_MODULE]", prog="girone").run()


def tell_where() -> int:
    """Print where data and program are, and the version."""
    folder = data_folder()
    env.load(env.file_beside(folder))
    for label, value in (
        ("Version", VERSION),
        ("Program", PROGRAM),
        ("Data", folder),
        (
            "Database",
            os.environ.get("DATABASE_URL", "").rpartition("@")[2] or folder / "db.sqlite3",
        ),
        ("Log", "on the console" if is_checkout() else folder / "girone.log"),
    ):
        say(f"{label}: {value}")
    return 0


def move(options: argparse.Namespace) -> int:
    """Move the data of this site to another folder, and say what was moved.

    Raises ProgramError while the site runs, or if the other folder has data already.
    """
    source, target = data_folder(), Path(options.folder).expanduser().resolve()
    try:
        with FileLock(Running(source).lock, timeout=0):
            names = move_data(source, target)
    except Timeout:
        raise ProgramError("Girone runs with this data. Stop it first.") from None
    except FileExistsError as there:
        raise ProgramError(f"{target} holds {there} already. Choose an empty folder.") from None
    for name in names:
        say(f"{name} → {target / name}")
    say(f"Use it by GIRONE_DATA={target}")
    return 0


def parser() -> argparse.ArgumentParser:
    """Return the parser of the program's own words."""
    serving = argparse.ArgumentParser(add_help=False)
    serving.add_argument("--port", type=int, help="the port to serve at (8000, or the next free)")
    serving.add_argument("--no-browser", dest="browser", action="store_false", help="open no page")
    serving.set_defaults(hall=False, demo=False, certificate=False)
    whole = argparse.ArgumentParser("girone", parents=[serving], description=__doc__)
    whole.add_argument("--demo", action="store_true", help="with demo events and accounts")
    whole.set_defaults(run=serve)
    words = whole.add_subparsers(metavar="COMMAND")
    hall = words.add_parser("hall", parents=[serving], help="serve everybody on this network")
    hall.add_argument("address", nargs="?", default="1", help="this machine's address there")
    hall.add_argument(
        "--certificate", action="store_true", help="https, by an authority of its own"
    )
    hall.set_defaults(run=serve, hall=True)
    words.add_parser("where", help="where data and program are").set_defaults(
        run=lambda _options: tell_where()
    )
    moving = words.add_parser("move-data", help="move the data to another folder")
    moving.add_argument("folder")
    moving.set_defaults(run=move)
    return whole


OWN = ("hall", "where", "move-data")


def main(arguments: list[str]) -> int:
    """Run the program; return the exit code."""
    os.environ.setdefault("PYTHONUTF8", "1")  # for processes that it starts
    try:
        if arguments and arguments[0] not in OWN and not arguments[0].startswith("-"):
            writable_folder()
            set_up_django()
            if arguments == ["version"]:  # Django's command line would say Django's own
                call_command("version")
            else:
                execute_from_command_line(["girone", *arguments])
            return 0
        options = parser().parse_args(arguments)
        if hasattr(options, "browser"):
            options.browser = options.browser and can_open_browser()
        return int(options.run(options))
    except (ProgramError, venue.NoAddressError, ImproperlyConfigured, CommandError) as refused:
        sys.stderr.write(f"{refused}\n")
        return 1
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
