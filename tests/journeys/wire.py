"""A wire between a browser and the site that can be cut: a proxy on this machine for one test.

``wire.cut()`` ends what is open and refuses what comes; ``wire.mend()`` lets all through again.
``wire.lose_answers(each)`` drops every n-th answer to a POST after the site has acted on it,
as a phone at the edge of the Wi-Fi does. Each connection carries one request, so that every loss
hits exactly one.
"""

import contextlib
import re
import socket
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

HEAD = b"\r\n\r\n"


class Wire:
    """The proxy; ``url`` is where the browser finds the site."""

    def __init__(self, to: str, host: str = "127.0.0.1") -> None:
        parts = urlsplit(to)
        self.to = (str(parts.hostname), int(parts.port or 80))
        self.is_cut = False
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
        """Let everything through again."""
        self.is_cut = False

    def lose_answers(self, each: int) -> None:
        """Drop the answer to every ``each``-th POST from now on; 0 drops none."""
        self._each, self._posts = each, 0

    def close(self) -> None:
        """End the proxy."""
        self.cut()
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
            if request and not self.is_cut:
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
