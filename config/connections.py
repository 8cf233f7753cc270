"""Room for new connections where fewer fit than a hall of phones keeps open.

At its limit waitress accepts nobody until a connection has been idle for its whole time: everybody
waits for phones that ask for nothing. Here the one that was idle longest is closed for each that
comes; its browser opens another when it asks again.
"""

import logging
import socket
from functools import cache
from typing import Any

from waitress.channel import HTTPChannel

SPARE = 8
"""What the limit counts besides connections (listening sockets, the trigger), and the closing."""

log = logging.getLogger("config.server")


class Channel(HTTPChannel):
    """A connection of waitress; accepting it closes an idle one when the limit is reached."""

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        """Accept it, and close the one that was idle longest if the limit is reached."""
        super().__init__(server, sock, addr, adj, map=map)
        held = [one for one in self._map.values() if isinstance(one, HTTPChannel)]
        held = [one for one in held if not (one.will_close or one.close_when_flushed)]
        if len(held) > adj.connection_limit - SPARE:
            _log_once()
            make_room([one for one in held if one is not self])


def make_room(others: list[Any]) -> None:
    """Mark the longest idle connection to be closed; one inside a request only if all are."""
    idle = [one for one in others if not (one.requests or one.total_outbufs_len)]
    for one in sorted(idle, key=lambda one: (one.request is not None, one.last_activity)):
        if not _has_sent(one.socket):
            one.will_close = True
            return


@cache
def _log_once() -> None:
    log.warning(
        "All connections that fit are open: the one idle longest is closed for each that comes. "
        "Raise the limit of open files (ulimit -n, LimitNOFILE)."
    )


def _has_sent(connection: socket.socket) -> bool:
    """Return whether something has come that the server has not read yet."""
    try:
        return bool(connection.recv(1, socket.MSG_PEEK))
    except OSError:  # nothing there, or it is broken
        return False
