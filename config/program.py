"""``girone``: prepares a site and serves it, and runs its commands, on any system.

``girone`` serves this machine, ``girone hall`` everybody on the local network, ``girone where``
tells where data and program are, ``girone move-data FOLDER`` moves the data; on a server
``girone install-service`` sets all up, and its unit starts ``girone serve-unit``. Any other word is
a command of the site: ``girone backup``, ``girone verify`` … From the repository ``make run`` and
``manage.py`` do the same.
"""

import argparse
import json
import os
import re
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

from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import DatabaseError
from django.utils.module_loading import import_string
from filelock import FileLock, Timeout

from config import VERSION, env, server, systems, terminal, venue
from config.data_folder import DATABASE, KEY, PAUSED, PROGRAM, data_folder, is_checkout, move_data
from config.hall import hall
from config.management import run_management_command
from config.systems import print_line
from config.terminal import gettext as _
from rules.errors import RuleError

HERE = "127.0.0.1"
START = 120.0
"""Seconds within which a server that begins must answer for the browser to be opened."""


class ProgramError(Exception):
    """The program can't continue; the message says what is wrong and what to do."""


@dataclass(frozen=True, slots=True)
class ServerLock:
    """Lock file that allows one server per data folder, and the file with its URL.

    ``folder`` is the data folder.
    """

    folder: Path

    @property
    def lock(self) -> Path:
        return self.folder / ".girone.lock"

    @property
    def note(self) -> Path:
        return self.folder / ".girone.json"

    def url(self) -> str:
        """Return the URL of the server that started last, "" if none is recorded."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            return str(json.loads(self.note.read_text(encoding="utf-8"))["url"])
        return ""

    def address(self) -> str:
        """Return the URL of the server holding the lock once it answers, "" if it never does."""
        url = ""

        def is_told() -> bool:
            nonlocal url
            url = self.url()
            return bool(url) and is_answering(url)

        return url if wait_until_true(is_told) else ""


def wait_until_true(holds: Callable[[], bool]) -> bool:
    """Call ``holds`` until it returns True or two minutes passed; return its last result."""
    until = time.monotonic() + START
    while not holds():
        if time.monotonic() > until:
            return False
        time.sleep(0.3)
    return True


def is_answering(url: str) -> bool:
    """Return whether a Girone server answers at a URL of this machine."""
    place = url.partition("://")[2].rstrip("/")
    with suppress(URLError, OSError, ValueError):
        asked = urllib.request.Request(f"http://{place}/health/live")
        with urllib.request.urlopen(asked, timeout=5) as answer:  # noqa: S310
            return bool(answer.read(50).strip() == b"ok")
    return False


def find_free_port(first: int) -> int:
    """Return the first free port of 127.0.0.1, trying 20 from ``first`` on.

    Prints a line for each port in use. Raises ProgramError if all are.
    """
    for port in systems.candidate_ports(first):
        if systems.can_bind(HERE, port):
            return port
        ours = is_answering(f"http://{HERE}:{port}")
        program = "Girone" if ours else systems.program_on_port(port) or "?"
        print_line(_("Port %(port)s is in use (%(program)s).") % {"port": port, "program": program})
    words = _("Ports %(first)s to %(last)s are in use. Name another: girone --port 9000")
    raise ProgramError(words % {"first": first, "last": port})


def open_browser(url: str, page: str) -> None:
    """Open ``page`` in the browser once the site at ``url`` answers; waits in a thread."""

    def wait() -> None:
        if wait_until_true(lambda: is_answering(url)):
            webbrowser.open(page)

    threading.Thread(target=wait, daemon=True).start()


def serve(options: argparse.Namespace) -> int:
    """Prepare the data and serve the site until the process ends; return the exit code.

    options: of the command line: port, browser, hall, address, certificate, demo. If a server
    already uses the data folder, it prints its URL and returns 0. Raises ProgramError.
    """
    folder = open_data_folder()
    running = ServerLock(folder)
    lock = FileLock(running.lock)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        url = running.address()
        print_line(
            _("Girone is already running with this data: %(place)s") % {"place": url or folder}
        )
        if url and options.browser:
            webbrowser.open(url)
        return 0
    running.note.unlink(missing_ok=True)
    address = venue.choose_serving_address(options.address) if options.hall else ""
    port = find_free_port(options.port or env.number("PORT", 8000, minimum=1))
    os.environ |= {"PORT": str(port), "LISTEN": f"{HERE}:{port}"}
    if options.hall:
        os.environ |= venue.hall_environment()
    told = prepare_site(demo=options.demo, hall=options.hall)
    own = f"http://{HERE}:{port}/"
    running.note.write_text(json.dumps({"url": own}), encoding="utf-8")
    if options.browser:
        (page,) = re.findall(r"https?://\S+", told) or [own]
        open_browser(own, page)

    def begin(serving: Any, application: Any) -> None:
        hall.attach(serving, application)
        if options.hall:
            hall.open(address, certificate=options.certificate)
        else:
            hall.open_again()
        print_addresses(own, told)

    server.main([], begin)
    return 0


def open_data_folder() -> Path:
    """Return the data folder; create it, and load its ``.env``.

    Raises ProgramError if it can't be written.
    """
    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as fault:
        raise ProgramError(unwritable_folder_message(folder, fault, "GIRONE_DATA=…")) from fault
    os.environ.setdefault("DEBUG", "0")  # whatever a developer's file says
    env.load_file(env.environment_file(folder))
    if not is_checkout():
        os.environ.setdefault("LOG_FILE", str(folder / "girone.log"))
    return folder


def unwritable_folder_message(folder: Path, fault: OSError, other: str) -> str:
    """Return the message that a folder can't be written.

    other: how to choose another one, as "GIRONE_DATA=…".
    """
    words = _("Can’t write to the folder %(folder)s: %(why)s. Choose another: %(other)s")
    return words % {"folder": folder, "why": fault.strerror, "other": other}


def prepare_site(*, demo: bool, hall: bool) -> str:
    """Migrate the database and collect static files; return a message with a sign-up link.

    The message is for the first organiser, "" if there is one. demo: also create demo events and
    accounts, whose passwords are known. hall: lock those accounts.
    """
    if is_key_missing():
        print_line(
            _(
                "The database was copied without its key. Put .secret-key next to it, "
                "or links and second factors will stop working."
            )
        )
    terminal.set_up_django()
    if demo and not hall:
        call_command("prepare", "--demo")
        return ""
    call_command("prepare", *(["--hall"] if hall else []))
    told = StringIO()
    call_command("first_organiser", stdout=told)
    return told.getvalue().rstrip()


def is_key_missing() -> bool:
    """Return whether there is an SQLite database but no secret key."""
    folder = data_folder()
    has_key = (folder / KEY).exists() or bool(env.text("SECRET_KEY"))
    return (folder / DATABASE).exists() and not has_key


def print_addresses(own: str, told: str) -> None:
    """Print the site's URLs, for a hall with a QR code.

    own: URL on this machine. told: message for the first organiser, or "".
    """
    print_line("")
    if opening := hall.opening:
        venue.print_qr_code(f"{opening.url}/")
        print_line(_("Girone: %(url)s (for everyone on this network)") % {"url": f"{opening.url}/"})
        if opening.is_encrypted:
            print_line(
                _("Certificate for the phones: %(url)s") % {"url": f"{opening.url}/girone-ca.crt"}
            )
    print_line(_("Girone: %(url)s (stop with Ctrl+C)") % {"url": own})
    if told:  # below the code, where it stays in sight
        print_line(told)


def serve_with_gunicorn() -> int:
    """Serve with gunicorn behind a proxy, as the systemd unit does; return the exit code.

    During an update it serves the page that says so.
    """
    folder = open_data_folder()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    module = "config.wsgi"
    if (folder / PAUSED).exists():
        module = "config.paused"
        print_line(
            "Readers see the page of an update until this has succeeded: girone install-service"
        )
    sys.argv = ["gunicorn", "--config", "python:config.gunicorn", module]
    application: Any = import_string("gunicorn.app.wsgiapp.WSGIApplication")  # not on Windows
    application("%(prog)s [OPTIONS] [APP_MODULE]", prog="girone").run()
    return 0


def print_locations() -> int:
    """Print version, program, data folder, database and log; return the exit code."""
    folder = data_folder()
    env.load_file(env.environment_file(folder))
    for label, value in (
        ("Version", VERSION),
        ("Program", PROGRAM),
        ("Data", folder),
        (
            "Database",
            os.environ.get("DATABASE_URL", "").rpartition("@")[2] or folder / DATABASE,
        ),
        ("Log", "on the console" if is_checkout() else folder / "girone.log"),
    ):
        print_line(f"{label}: {value}")
    return 0


def move_data_folder(options: argparse.Namespace) -> int:
    """Move this site's data to ``options.folder`` and print what was moved; return 0.

    Raises ProgramError if the site runs, there is no data, or the folder has data or can't be
    written.
    """
    source, target = data_folder(), Path(options.folder).expanduser().resolve()
    nothing = ProgramError(f"The folder {source} has no data to move.")
    if not source.is_dir():
        raise nothing
    env.load_file(env.environment_file(source))
    try:
        with FileLock(ServerLock(source).lock, timeout=0):
            names = move_data(source, target)
    except Timeout:
        raise ProgramError("Girone runs with this data. Stop it first.") from None
    except FileExistsError as there:
        raise ProgramError(f"{target} holds {there} already. Choose an empty folder.") from None
    except OSError as fault:
        raise ProgramError(unwritable_folder_message(target, fault, "girone move-data …")) from None
    if not names:
        raise nothing
    for name in names:
        print_line(f"{name} → {target / name}")
    if env.text("DATABASE_URL"):
        print_line("The database stays where DATABASE_URL says.")
    print_line(f"Use it by GIRONE_DATA={target}")
    return 0


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the program's own commands, such as ``hall`` and ``move-data``."""
    serving = argparse.ArgumentParser(add_help=False)
    serving.add_argument("--port", type=int, help="the port to serve at (8000, or the next free)")
    serving.add_argument("--no-browser", dest="browser", action="store_false", help="open no page")
    serving.set_defaults(hall=False, demo=False, certificate=False)
    whole = argparse.ArgumentParser("girone", parents=[serving], description=__doc__)
    whole.add_argument("--demo", action="store_true", help="with demo events and accounts")
    whole.set_defaults(run=serve)
    words = whole.add_subparsers(metavar="COMMAND")
    words.add_parser("serve", parents=[serving], help="serve this machine (as without a command)")
    in_hall = words.add_parser("hall", parents=[serving], help="serve everybody on this network")
    in_hall.add_argument("address", nargs="?", default="1", help="this machine's address there")
    in_hall.add_argument(
        "--certificate", action="store_true", help="https, by an authority of its own"
    )
    in_hall.set_defaults(run=serve, hall=True)
    words.add_parser("where", help="where data and program are").set_defaults(
        run=lambda _options: print_locations()
    )
    words.add_parser("serve-unit", help="serve as the unit of a server does").set_defaults(
        run=lambda _options: serve_with_gunicorn()
    )
    installing = words.add_parser("install-service", help="set up, or bring up to date, a server")
    installing.add_argument("names", nargs="*", help="the site's name, and others of it")
    installing.add_argument("--proxy", choices=("caddy", "nginx", "none"), help="what ends TLS")
    installing.set_defaults(run=lambda options: import_string("config.service.install")(options))
    removing = words.add_parser("remove-service", help="remove the service, and keep its data")
    removing.add_argument(
        "--delete-data", action="store_true", help="delete data, settings and copies too"
    )
    removing.set_defaults(run=lambda options: import_string("config.service.remove")(options))
    moving = words.add_parser("move-data", help="move the data to another folder")
    moving.add_argument("folder")
    moving.set_defaults(run=move_data_folder)
    return whole


OWN = (
    *("serve", "hall", "where", "move-data"),
    *("serve-unit", "install-service", "remove-service"),
)
REFUSED = (ProgramError, venue.NoAddressError, ImproperlyConfigured, CommandError, RuleError)
"""Errors whose message says what to do."""


def is_management_command(arguments: list[str]) -> bool:
    """Return whether arguments name a management command, not one of the program's own."""
    own = arguments[0] in OWN or arguments[0].startswith("-")
    return not own or arguments == ["--version"]


def main(arguments: list[str]) -> int:
    """Run the program with command-line arguments; return the exit code."""
    os.environ.setdefault("PYTHONUTF8", "1")  # for processes that it starts
    systems.replace_unencodable_characters(sys.stdout, sys.stderr)
    try:
        if arguments and is_management_command(arguments):
            if url := ServerLock(open_data_folder()).url():  # links that commands print lead there
                os.environ["PORT"] = url.rstrip("/").rpartition(":")[2]
            terminal.set_up_django()
            run_management_command("girone", arguments)
            return 0
        options = build_parser().parse_args(arguments)
        if hasattr(options, "browser"):
            options.browser = options.browser and systems.has_desktop()
        return int(options.run(options))
    except REFUSED as refused:
        sys.stderr.write(f"{refused}\n")
        return 1
    except DatabaseError as fault:
        words = str(fault).strip().partition("\n")[0]
        told = _("The database can’t be used: %(why)s. Check DATABASE_URL in .env.")
        sys.stderr.write(f"{told % {'why': words}}\n")
        return 1
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
