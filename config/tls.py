"""Https by waitress, which speaks plain HTTP alone: its connections inside TLS.

The handshake and all reading and writing stay in waitress's loop, so that a phone that sends
slowly, or nothing, holds no thread. ``tests/measures/tls.py`` compares it with other servers.
"""

import ssl
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from waitress.server import TcpWSGIServer

from config.server import Channel

AGAIN = (ssl.SSLWantReadError, ssl.SSLWantWriteError)
Application = Callable[..., Iterable[bytes]]


class TlsChannel(Channel):
    """A waitress connection over TLS; a lock lets one thread at a time use its socket."""

    socket: ssl.SSLSocket

    def __init__(self, server: Any, sock: Any, addr: Any, adj: Any, map: Any = None) -> None:
        """Accept it; the handshake follows as the client sends."""
        self.turn, self.is_secure = threading.RLock(), False
        super().__init__(server, sock, addr, adj, map=map)

    def handle_read(self) -> None:
        """Continue the handshake, or read all that has been decrypted."""
        try:
            with self.turn:
                if not self.is_secure:
                    self.socket.do_handshake()
                    self.is_secure = True
                data = self.socket.recv(self.adj.recv_bytes)
                while self.socket.pending():  # poll() sees no bytes that wait in the TLS layer
                    data += self.socket.recv(self.adj.recv_bytes)
        except AGAIN:
            return
        except (OSError, ValueError):  # no TLS, or closed meanwhile
            self.handle_close()
            return
        if not data:
            self.handle_close()
            return
        self.last_activity = time.time()
        self.received(data)

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send what the socket takes now; 0 if nothing, or if the connection broke."""
        try:
            with self.turn:
                return self.socket.send(data)
        except AGAIN:
            return 0
        except (OSError, ValueError, AttributeError):  # broken, or closed by another thread
            if do_close:
                self.handle_close()
            return 0

    def handle_close(self) -> None:
        """Tell the client that nothing follows, and close."""
        with self.turn:
            if self.socket is not None and self.is_secure:
                with suppress(OSError, ValueError):
                    self.socket.unwrap()
        super().handle_close()


class TlsServer(TcpWSGIServer):  # type: ignore[misc]
    """A waitress server for one listening address, over TLS.

    chain, key: paths of the certificate's PEM files.
    """

    channel_class = TlsChannel

    def __init__(self, *all: Any, chain: Path, key: Path, **more: Any) -> None:
        """Listen; raises OSError. chain, key: files of the certificate."""
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(chain, key)
        super().__init__(*all, **more)

    def accept(self) -> tuple[ssl.SSLSocket, Any] | None:
        """Accept a connection and wrap it; None for one that is gone already."""
        found = super().accept()
        if found is None:
            return None
        connection, address = found
        connection.setblocking(False)
        try:
            wrapped = self.tls.wrap_socket(
                connection, server_side=True, do_handshake_on_connect=False
            )
        except (OSError, ValueError):
            connection.close()
            return None
        return wrapped, address


def secure_cookies(application: Application) -> Application:
    """Wrap a WSGI application: add ``Secure`` to all cookies that it sets."""

    def wrapped(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            told = [
                (name, value if name.lower() != "set-cookie" else _secure(value))
                for name, value in headers
            ]
            return start_response(status, told, *more)

        return application(environ, start)

    return wrapped


def _secure(cookie: str) -> str:
    return cookie if "; secure" in cookie.lower() else f"{cookie}; Secure"
