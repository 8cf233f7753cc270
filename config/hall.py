"""Phones in the hall: the address of this laptop in its network, served beside the laptop's own.

``girone hall`` opens the hall at its start, the page *Phones in this hall* while the site runs. The
running server gets another listening address, by https if asked for, and the settings that say who
reaches the site change with it; requests under way notice nothing. A hall that was opened by the
page and not closed opens again with the next start, if the laptop still has its address.
"""

import copy
import json
import logging
import socket
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management import call_command
from django.http import HttpRequest
from waitress import wasyncore
from waitress.server import TcpWSGIServer

from config import env, systems, tls, venue
from config.server import Channel
from rules.errors import RuleError

MARK = "girone.hall"
"""In ``environ`` of requests that came by the hall's address."""
GRACE = 10.0
"""Seconds that requests under way have when the hall is closed."""
PATIENCE = 30.0
T = TypeVar("T")

log = logging.getLogger("config.hall")


@dataclass(frozen=True, slots=True)
class VenueServer:
    """The site while it is served on the venue's network.

    ``url`` is for phones, ``listener`` serves it; ``before`` holds the settings that opening
    replaced, by name.
    """

    url: str
    listener: TcpWSGIServer
    before: dict[str, Any]

    @property
    def address(self) -> str:
        """Return the laptop's address in the network."""
        return str(urlsplit(self.url).hostname)

    @property
    def is_encrypted(self) -> bool:
        """Return whether phones reach the site by https."""
        return self.url.startswith("https")

    @property
    def connections(self) -> int:
        """Return how many connections phones hold."""
        return len(self.listener.active_channels)


class VenueNetworkSwitch:
    """Switch by which a laptop also serves the site on the venue's network (the hall).

    It needs a running server (``attach``). ``opening`` is the open hall, None if closed.
    """

    def __init__(self) -> None:
        self.opening: VenueServer | None = None
        self._server: Any = None
        self._application: Any = None
        self._thread = 0
        self._turn = threading.Lock()

    @property
    def is_attached(self) -> bool:
        """Return whether a server runs to which addresses can be added."""
        return self._server is not None

    def attach(self, server: Any, application: Any) -> None:
        """Use a waitress server that this thread is about to run, and its WSGI application."""
        self._server, self._application = server, application
        self._thread = threading.get_ident()

    @property
    def note(self) -> Path:
        """Return the path of the file that records how the next start opens the hall."""
        return Path(settings.DATA) / ".girone.hall"

    def open(self, address: str, *, certificate: bool, again: bool = False) -> VenueServer:
        """Serve an address of this machine; return the open hall.

        No effect if a hall is open already. certificate: serve by https. again: also open it at the
        next start. Locks the demo's accounts, whose passwords are known. Raises NoAddressError;
        RuleError ``port_in_use``.
        """
        with self._turn:
            if self.opening is not None:
                return self.opening
            address = venue.choose_serving_address(address)
            files = None
            if certificate:
                folder = settings.DATA / env.text("VENUE_FOLDER", "certificate")
                files = venue.ensure_certificate(folder, address)
            call_command("demo", close=True, stdout=StringIO())
            port = self._free_port(address)
            own = int(self._server.effective_port)
            found = venue.hall_settings(address, port, own, files)
            before = {name: getattr(settings, name) for name in found}
            _set(found)  # first, so that the first phone finds all of it
            try:
                listener = self._in_loop(lambda: self._listen(address, port, files))
            except OSError as fault:
                _set(before)
                raise ports_in_use_error(port) from fault
            self.opening = VenueServer(found["SITE_ADDRESS"], listener, before)
            if again:
                kept = {"address": address, "certificate": certificate}
                self.note.write_text(json.dumps(kept), encoding="utf-8")
            log.info("The hall is served at %s", self.opening.url)
            return self.opening

    def open_again(self) -> None:
        """Open the hall that was open when the program ended, unless its address is gone."""
        with suppress(OSError, ValueError, KeyError, TypeError):
            kept = json.loads(self.note.read_text(encoding="utf-8"))
            try:
                self.open(str(kept["address"]), certificate=bool(kept["certificate"]))
            except (venue.NoAddressError, RuleError) as why:
                self.note.unlink()
                log.warning("The hall stays closed: %s", why)

    def close(self) -> None:
        """Stop serving the network; requests in progress are answered first."""
        with self._turn:
            self.note.unlink(missing_ok=True)
            opening, self.opening = self.opening, None
            if opening is None:
                return
            self._in_loop(lambda: _end(opening.listener))
            _set(opening.before)
            last = threading.Timer(
                GRACE, self._server.trigger.pull_trigger, [lambda: _cut_off(opening.listener)]
            )
            last.daemon = True
            last.start()
            log.info("The hall is served no more")

    def _free_port(self, address: str) -> int:
        first = int(self._server.effective_port)
        for port in systems.candidate_ports(first):
            if systems.can_bind(address, port):
                return port
        raise ports_in_use_error(first)

    def _listen(
        self, address: str, port: int, files: venue.CertificateFiles | None
    ) -> TcpWSGIServer:
        options = copy.copy(self._server.adj)
        application = _marked(self._application)
        kind: Callable[..., TcpWSGIServer] = PlainServer
        more: dict[str, Any] = {}
        if files is not None:
            options.url_scheme = "https"
            application, kind = tls.secure_cookies(application), tls.TlsServer
            more = {"chain": files.chain, "key": files.key}
        return kind(
            application,
            self._server._map,
            _sock=systems.bind_socket(address, port),
            dispatcher=self._server.task_dispatcher,
            adj=options,
            sockinfo=(socket.AF_INET, socket.SOCK_STREAM, 0, (address, port)),
            bind_socket=False,
            **more,
        )

    def _in_loop(self, act: Callable[[], T]) -> T:
        """Let the server's own thread do something between two requests; return its result."""
        if threading.get_ident() == self._thread:  # it doesn't run yet
            return act()
        results: list[T] = []
        faults: list[BaseException] = []
        done = threading.Event()

        def run() -> None:
            try:
                results.append(act())
            except Exception as fault:  # noqa: BLE001 - raised again where it was asked for
                faults.append(fault)
            done.set()

        self._server.trigger.pull_trigger(run)
        if not done.wait(PATIENCE):
            raise TimeoutError
        for fault in faults:
            raise fault
        return results[0]


class PlainServer(TcpWSGIServer):  # type: ignore[misc]
    """A waitress server for one listening address, on plain HTTP."""

    channel_class = Channel


def ports_in_use_error(port: int) -> RuleError:
    """Return the RuleError ``port_in_use``; port: the first of the ports tried."""
    return RuleError(
        "port_in_use",
        "Another program uses port %(port)s. Stop it, or start Girone with another port.",
        port=port,
    )


def _marked(application: Any) -> Any:
    def wrapped(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        environ[MARK] = True
        answer: Iterable[bytes] = application(environ, start_response)
        return answer

    return wrapped


def _set(values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(settings, name, value)


def _end(listener: Any) -> None:
    """Accept no more connections, and close those without a request."""
    listener.ends = True
    wasyncore.dispatcher.close(listener)  # the socket alone: connections still need the trigger
    for one in list(listener.active_channels.values()):
        one.end()


def _cut_off(listener: Any) -> None:
    for one in list(listener.active_channels.values()):
        one.will_close = True
    listener.trigger.close()


hall = VenueNetworkSwitch()
"""The switch of this process."""


def can_control_hall(request: HttpRequest) -> bool:
    """Return whether the user may open and close the hall (the site on the venue's network).

    True for a superuser in a browser on the serving machine itself.
    """
    if not hall.is_attached or MARK in request.META:
        return False
    here = urlsplit(f"//{request.get_host()}").hostname in ("localhost", "127.0.0.1", "::1")
    return here and bool(getattr(request.user, "is_superuser", False))
