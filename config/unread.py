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


def reads_to_the_end(application: Application, most: int) -> Application:
    """Wrap a WSGI application: what it leaves unread of a body up to ``most`` bytes is read."""

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
    """Return the body's ``Content-Length``, 0 if that is no number."""
    try:
        return int(environ.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0
