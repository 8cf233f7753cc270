"""Read what is left of a request's body before it is answered.

A refusal (413, 403, 401) is decided before the body is read. A server that then closes the
connection resets it, since bytes are waiting: a proxy that is still sending loses the answer, and
the user gets its 502. Django's own development server reads the rest for the same reason.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

CHUNK = 64 * 1024
Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def drain_bodies(application: Application, most: int) -> Application:
    """Wrap a WSGI application: read the rest of a request's body that it left unread.

    most: longest body in bytes for which this is done.
    """

    def read(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        response = application(environ, start_response)
        body, left = environ["wsgi.input"], content_length(environ)
        if left <= most:
            with suppress(OSError):  # who sent it went away
                while left > 0 and (part := body.read(min(CHUNK, left))):
                    left -= len(part)
        return response

    return read


def content_length(environ: Mapping[str, Any]) -> int:
    """Return a WSGI request's ``Content-Length`` in bytes, 0 if it is missing or invalid."""
    try:
        return int(environ.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0
