"""Serve the site with waitress: ``python -m config.server``, used by ``make run``.

Style sheets and scripts are collected first where one has changed: sent as they lie in the packages
they would be four times as large.
By default waitress accepts 100 connections, fewer than a hall of phones opens. This module sets
their number and how long an idle one is kept; `config.server` makes room where it is reached.
"""

import argparse
import logging
import os
import socket
import sys
import threading
from collections.abc import Callable
from functools import cache
from typing import Any

import django
import waitress
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError
from django.utils.module_loading import import_string
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer

from config import systems
from config.alive import start_heartbeat

SPARE = 8
"""What the limit counts besides connections (listening sockets, the trigger), and the closing."""


class Channel(HTTPChannel):
    """A waitress connection; accepting one closes an idle one if the limit is reached."""

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        """Accept it, and close the one that was idle longest if the limit is reached."""
        super().__init__(server, sock, addr, adj, map=map)
        held = list_open_channels(self._map)
        if len(held) > adj.connection_limit - SPARE:
            _log_once()
            close_longest_idle_channel([one for one in held if one is not self])

    def service(self) -> None:
        """Answer a request; close the connection afterwards if its address is served no more."""
        super().service()
        if getattr(self.server, "ends", False):
            self.end()

    def end(self) -> None:
        """Close the connection as soon as no request is being read, answered or sent."""
        if not (self.requests or self.request is not None or has_unread_data(self.socket)):
            self.close_when_flushed = True
            self.server.pull_trigger()


def list_open_channels(sockets: dict[int, Any]) -> list[Any]:
    """Return the open connections among a server's sockets.

    sockets: waitress's map by file descriptor.
    """
    held = [one for one in list(sockets.values()) if isinstance(one, HTTPChannel)]
    return [one for one in held if not (one.will_close or one.close_when_flushed)]


def close_longest_idle_channel(others: list[Any]) -> None:
    """Mark for closing the connection that has been idle longest.

    One with a partly read request is chosen only if there is no other; one with unread data never.
    """
    idle = [one for one in others if not (one.requests or one.total_outbufs_len)]
    for one in sorted(idle, key=lambda one: (one.request is not None, one.last_activity)):
        if not has_unread_data(one.socket):
            one.will_close = True
            return


@cache
def _log_once() -> None:
    log.warning(
        "All connections that fit are open: the one idle longest is closed for each that comes. "
        "Raise the limit of open files (ulimit -n, LimitNOFILE)."
    )


def has_unread_data(connection: socket.socket) -> bool:
    """Return whether a socket has received data that the server has not read yet."""
    try:
        return bool(socket.socket.recv(connection, 1, socket.MSG_PEEK))  # also of one inside TLS
    except (OSError, TypeError):  # nothing there, broken, or closed meanwhile
        return False


CONNECTIONS = 10_000
"""Maximum open connections, if the process may open as many files."""
SPARE_FILES = 256
"""File descriptors for everything else: databases, caches, templates, spooled bodies, log."""
FEW = 1_500
"""Connections needed by a full hall (1,000 phones and 200 slow ones)."""
BACKLOG = 2_048
IDLE_SECONDS = 75
CLEANING_SECONDS = 15
BODY_SPARE = 64 * 1024

log = logging.getLogger("config.server")


def raise_connection_limit(wanted: int) -> int:
    """Raise the process's limit of open files; return how many connections it allows.

    wanted: the number of connections requested, and the most to return.
    """
    files = systems.raise_open_file_limit(wanted + SPARE_FILES)
    if files is None:
        return min(wanted, systems.SELECTED)
    if files >= wanted + SPARE_FILES:
        return wanted
    return max(files - SPARE_FILES, files // 2)


def waitress_options(*, threads: int, largest_body: int, proxies: int) -> dict[str, Any]:
    """Return keyword arguments for ``waitress.create_server``.

    largest_body: bytes of a request's body. proxies: number of trusted proxies.
    """
    connections = raise_connection_limit(CONNECTIONS)
    if connections < FEW:
        log.warning(
            "Only %s connections fit the limit of open files; raise it (ulimit -n, LimitNOFILE).",
            connections,
        )
    return {
        "threads": threads,
        "connection_limit": connections,
        "backlog": BACKLOG,
        "channel_timeout": IDLE_SECONDS,
        "cleanup_interval": CLEANING_SECONDS,
        # select() accepts no descriptor above 1,023
        "asyncore_use_poll": True,
        # the site refuses bodies too large for a view; this is the limit for any
        "max_request_body_size": largest_body + BODY_SPARE,
        # The site evaluates the headers of trusted proxies itself, as behind gunicorn;
        # without any such headers are removed.
        "clear_untrusted_proxy_headers": not proxies,
        "ident": None,
    }


def collect_static_files() -> None:
    """Run ``collectstatic`` if a static file has changed; exit with a message if that fails."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    try:
        call_command("collectstatic", interactive=False, verbosity=0, if_changed=True)
    except OSError as fault:
        sys.exit(
            f"The style sheets and scripts in {settings.STATIC_ROOT} (STATIC_ROOT) are older than "
            f"the program, and can't be written ({fault.strerror}). Nothing is served: run "
            "manage.py collectstatic as somebody who may write there."
        )


def delete_expired_rows() -> None:
    """Run ``manage.py tidy``, which deletes expired rows; a database error is only logged."""
    try:
        call_command("tidy")
    except DatabaseError as fault:
        log.warning("Nothing was tidied: %s", fault)


def start_outbox() -> None:
    """Deliver mails from a daemon thread of this process, if the site sends any."""
    if settings.SENDS_MAIL:
        threading.Thread(target=call_command, args=("outbox",), name="outbox", daemon=True).start()


def main(arguments: list[str], begin: Callable[[Any, Any], None] | None = None) -> None:
    """Serve the site with waitress until the process ends; arguments: of the command line.

    begin: called with the waitress server and the WSGI application just before it runs.
    """
    parser = argparse.ArgumentParser(prog="python -m config.server", description=__doc__)
    parser.add_argument("--listen", help="address and port; unset is the setting LISTEN")
    parsed = parser.parse_args(arguments)
    collect_static_files()
    delete_expired_rows()
    application = import_string("config.wsgi.application")  # the import runs the checks
    start_heartbeat()
    start_outbox()
    BaseWSGIServer.channel_class = Channel
    sockets: dict[int, Any] = {}
    monitor_connections = import_string("config.watching.monitor_connections")
    monitor_connections(lambda: len(list_open_channels(sockets)))
    server = waitress.create_server(
        application,
        map=sockets,
        listen=parsed.listen or settings.LISTEN,
        **waitress_options(
            threads=settings.THREADS,
            largest_body=settings.LARGEST_BODY,
            proxies=settings.TRUSTED_PROXIES,
        ),
    )
    server.print_listen("Serving on http://{}:{}")
    if begin is not None:
        begin(server, application)
    server.run()


if __name__ == "__main__":
    main(sys.argv[1:])
