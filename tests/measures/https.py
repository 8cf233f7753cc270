"""Https without a proxy: pages beside idle phones, half-sent heads and half-sent bodies.

``python -m tests.measures.https [KIND …]`` serves a small application by each server that is
installed and asks for pages on new connections, alone and beside a crowd. The site is served by
``waitress`` inside TLS (``config.tls``); ``select`` is the same as on Windows, which has no poll()
and 512 sockets at most. Exit code 1 if one of these two keeps a page waiting.
"""

import importlib.util
import socket
import ssl
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from threading import Event, Thread
from typing import Any

from config import venue
from tests.servers import running

IDLE, HEADS, BODIES, MUTE = 1_000, 200, 40, 40
"""Connections after a request, with half a head, with half a body, and without a handshake."""
PAGES = 100
THREADS = 8
GOAL = 300
"""Milliseconds that 95 of 100 pages may take at most."""
PATIENCE, GIVE_UP = 5.0, 3
"""Seconds for which a client waits, and how many in a row that waited in vain end a kind."""
OURS = ("waitress", "select")
BODY = b"x" * 10_000
Context = ssl.SSLContext


def application(_environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    """Answer with a page of ten kilobytes."""
    start_response("200 OK", [("Content-Length", str(len(BODY)))])
    return [BODY]


# --- The servers -----------------------------------------------------------------------------
def serve_waitress(port: int, files: venue.CertificateFiles, *, as_windows: bool = False) -> None:
    """Serve as the site does in a hall; ``as_windows``: by select() and without limits to read."""
    import waitress

    from config import server, systems, tls

    if as_windows:
        systems.resource = None
    options = server.waitress_options(threads=THREADS, largest_body=1_000_000, proxies=0)
    options["asyncore_use_poll"] = not as_windows
    plain = waitress.create_server(application, listen="127.0.0.1:0", **options)
    tls.TlsServer(
        application,
        plain._map,
        _sock=systems.bind_socket("127.0.0.1", port),
        dispatcher=plain.task_dispatcher,
        adj=plain.adj,
        sockinfo=(socket.AF_INET, socket.SOCK_STREAM, 0, ("127.0.0.1", port)),
        bind_socket=False,
        chain=files.chain,
        key=files.key,
    )
    plain.run()


def serve_select(port: int, files: venue.CertificateFiles) -> None:
    """Serve as on Windows."""
    serve_waitress(port, files, as_windows=True)


def serve_cheroot(port: int, files: venue.CertificateFiles) -> None:
    """Serve by CherryPy's server."""
    from cheroot import wsgi
    from cheroot.ssl.builtin import BuiltinSSLAdapter

    served = wsgi.Server(("127.0.0.1", port), application, numthreads=THREADS, max=THREADS)
    served.ssl_adapter = BuiltinSSLAdapter(str(files.chain), str(files.key))
    served.start()


def serve_granian(port: int, files: venue.CertificateFiles) -> None:
    """Serve by the server written in Rust."""
    from granian import Granian
    from granian.constants import Interfaces

    Granian(
        "tests.measures.https:application",
        address="127.0.0.1",
        port=port,
        interface=Interfaces.WSGI,
        blocking_threads=THREADS,
        ssl_cert=files.chain,
        ssl_key=files.key,
    ).serve()


def serve_gunicorn(port: int, files: venue.CertificateFiles) -> None:
    """Serve as halls were served before, with eight times as many threads."""
    from gunicorn.app.wsgiapp import WSGIApplication

    sys.argv = ["gunicorn", "-b", f"127.0.0.1:{port}", "--threads", str(8 * THREADS)]
    sys.argv += ["--certfile", str(files.chain), "--keyfile", str(files.key)]
    sys.argv += ["--worker-connections", "2000", "tests.measures.https:application"]
    WSGIApplication("%(prog)s").run()


SERVERS = {
    "waitress": serve_waitress,
    "select": serve_select,
    "gunicorn": serve_gunicorn,
    "cheroot": serve_cheroot,
    "granian": serve_granian,
}


@contextmanager
def serving(kind: str, folder: Path) -> Iterator[tuple[int, Context]]:
    """Run a server; yield its port, and the context of clients that trust it."""
    files = venue.ensure_certificate(folder / "tls", "127.0.0.1")
    context = ssl.create_default_context(cafile=str(files.authority))
    port = running.free_port()
    command = [sys.executable, "-m", "tests.measures.https", "--serve", kind, str(port)]
    with running.program([*command, str(folder)], folder / "log", cwd=running.ROOT):
        running.until(lambda: page(port, context) > 0, why=(folder / "log").read_text())
        yield port, context


# --- The clients -----------------------------------------------------------------------------
def connect(port: int, context: Context) -> ssl.SSLSocket:
    """Open an encrypted connection."""
    plain = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    return context.wrap_socket(plain, server_hostname="127.0.0.1")


def page(port: int, context: Context) -> float:
    """Ask for a page on a new connection; return the seconds. Raises OSError."""
    began = time.monotonic()
    with connect(port, context) as one:
        one.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        found = bytearray()
        with suppress(ssl.SSLEOFError):  # some servers close without a word
            while part := one.recv(65_536):
                found += part
    if not found.startswith(b"HTTP/1.1 200") or not found.endswith(BODY):
        raise ConnectionError(bytes(found[:100]))
    return time.monotonic() - began


@contextmanager
def crowd(port: int, context: Context, share: float) -> Iterator[int]:
    """Hold connections that end nothing, each slow one sending a byte a second.

    Yields how many could not be opened. share: of the numbers above.
    """
    whole = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    body = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\nx"
    kinds = ((IDLE, whole), (HEADS, whole[:20]), (BODIES, body))
    over, refused = Event(), 0
    with ExitStack() as stack:
        slow: list[ssl.SSLSocket] = []
        for how_many, sent in kinds:
            most = refused + GIVE_UP
            for left in range(int(how_many * share), 0, -1):
                if refused >= most:  # each waits for PATIENCE
                    refused += left
                    break
                try:
                    one = stack.enter_context(connect(port, context))
                    one.sendall(sent)
                except OSError:
                    refused += 1
                    continue
                if sent is not whole:
                    slow.append(one)
        for _one in range(int(MUTE * share)):
            try:
                mute = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            except OSError:  # nothing is accepted any more
                refused += 1
                break
            stack.enter_context(mute)
        sender = Thread(target=_drip, args=(slow, over), daemon=True)
        sender.start()
        try:
            yield refused
        finally:
            over.set()
            sender.join()


def _drip(connections: list[ssl.SSLSocket], over: Event) -> None:
    while not over.wait(1):
        for one in connections:
            with suppress(OSError):  # the server has closed it
                one.sendall(b"x")


@dataclass(frozen=True, slots=True)
class Measured:
    """Milliseconds of pages that were answered, and how many were not."""

    p50: float
    p95: float
    lost: int

    def __str__(self) -> str:
        return f"{self.p50:.0f}, {self.p95:.0f}, {self.lost}"


def ask(port: int, context: Context, how_many: int) -> Measured:
    """Ask for pages one after another; after three that are lost it gives up."""
    seconds, lost = [], 0
    for _turn in range(how_many):
        try:
            seconds.append(page(port, context))
        except OSError:
            lost += 1
            if lost == GIVE_UP:
                break
    ordered = sorted(seconds) or [PATIENCE]
    p95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    return Measured(1000 * median(ordered), 1000 * p95, lost)


def measured(kind: str, share: float = 1.0, pages: int = PAGES) -> tuple[Measured, Measured, int]:
    """Return what pages take alone and beside the crowd, and how many of it were refused."""
    with tempfile.TemporaryDirectory() as name, serving(kind, Path(name)) as (port, context):
        alone = ask(port, context, pages)
        with crowd(port, context, share) as refused:
            return alone, ask(port, context, pages), refused


def main(kinds: list[str], share: float = 1.0, pages: int = PAGES) -> int:
    """Print a line for each server; return 1 if one of ours keeps a page waiting."""
    running.raise_own_limit(2 * (IDLE + HEADS + BODIES + MUTE))
    bad = 0
    sys.stdout.write("| server | alone: p50 ms, p95, lost | beside the crowd | refused |\n")
    for kind in kinds or [*SERVERS]:
        if kind not in OURS and importlib.util.find_spec(kind) is None:
            sys.stdout.write(f"| {kind} | not installed |\n")
            continue
        alone, beside, refused = measured(kind, share, pages)
        sys.stdout.write(f"| {kind} | {alone} | {beside} | {refused} |\n")
        sys.stdout.flush()
        bad += kind in OURS and bool(beside.lost or beside.p95 > GOAL)
    return int(bad > 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        _flag, wanted, at, kept_in = sys.argv[1:]
        SERVERS[wanted](int(at), venue.ensure_certificate(Path(kept_in) / "tls", "127.0.0.1"))
    else:
        sys.exit(main(sys.argv[1:]))
