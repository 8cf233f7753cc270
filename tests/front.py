"""The front of finished answers before the test client, and around a made-up application."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse
from django.test import RequestFactory
from django.test.client import ClientHandler

from tournaments.pages.access import OFFER
from tournaments.public.page_cache import PageCache
from tournaments.public.storage import DataVersion, DjangoVersionReader, SharedResponses

HANDLER, RESPONSE = "test.handler", "test.response"


class Time:
    """A clock that goes on when it is told to, or when somebody sleeps."""

    def __init__(self, at: float = 1_000_000.0) -> None:
        self.at = at

    def __call__(self) -> float:
        return self.at

    def sleep(self, seconds: float) -> None:
        self.at += seconds


def shared() -> SharedResponses:
    """Return what processes share, in memory and of its own."""
    cache = LocMemCache("", {"TIMEOUT": None})
    cache._cache, cache._expire_info = type(cache._cache)(), {}
    return SharedResponses(cache, None)


class Through(ClientHandler):
    """The test client's handler with the front before it; ``rendered`` counts Django's work."""

    front: PageCache
    rendered: list[str] = []

    def __call__(self, environ: dict[str, Any]) -> HttpResponse:
        environ[HANDLER] = self
        told: dict[str, Any] = {}

        def start(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> None:
            told.update(status=int(status[:3]), headers=headers)

        body = b"".join(self.front(environ, start))
        if RESPONSE in environ:
            return environ[RESPONSE]
        response = HttpResponse(body, status=told["status"])
        del response.headers["Content-Type"]
        for name, value in told["headers"]:
            response.headers[name] = value
        response.wsgi_request = WSGIRequest(environ)
        return response


def django(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    """Answer by the test client's own handler."""
    response = ClientHandler.__call__(environ[HANDLER], environ)
    if OFFER not in environ:
        environ[RESPONSE] = response
        return []
    Through.rendered.append(environ["PATH_INFO"])
    cookies = [("Set-Cookie", each.output(header="")) for each in response.cookies.values()]
    start(f"{response.status_code} {response.reason_phrase}", [*response.items(), *cookies])
    return [response.getvalue()]


def before_client(time: Time | None = None) -> PageCache:
    """Return a front that renders by the test client and reads versions through its connection."""
    time = time or Time()
    front = PageCache(django, DjangoVersionReader(), shared(), now=time, sleep=time.sleep)
    Through.front, Through.rendered = front, []
    return front


@dataclass
class Answers:
    """An application whose answer is its count; every answer is offered."""

    count: int = 0
    before: Callable[[], object] = lambda: None
    headers: list[tuple[str, str]] = field(default_factory=list)
    status: str = "200 OK"
    granted: bool = True
    asked: list[dict[str, Any]] = field(default_factory=list)

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        self.asked.append(environ)
        if OFFER not in environ:
            start("200 OK", [("X-By", "django")])
            return [b"by django"]
        self.count += 1
        count = self.count
        self.before()
        environ[OFFER].granted = self.granted
        start(self.status, [("Content-Type", "text/html"), *self.headers])
        return [b"answer %d" % count]


@dataclass
class MadeUp:
    """Versions of an event that are written by hand."""

    version: int = 1
    floor: int = 1
    event: int = 1
    fault: Exception | None = None

    def current(self, slug: str | None) -> DataVersion | None:
        if self.fault is not None:
            raise self.fault
        label = (self.event, self.version)
        return DataVersion(label, (self.event,), self.version, self.floor) if self.event else None


def ask(
    front: PageCache, path: str = "/events/a/", **more: Any
) -> tuple[str, dict[str, str], bytes]:
    """Ask an application; return status, headers and body."""
    environ = RequestFactory(SERVER_NAME="localhost").get(path).environ | more
    environ.pop("HTTP_COOKIE", None) if "HTTP_COOKIE" not in more else None
    told: list[Any] = []
    body = b"".join(front(environ, lambda *args: told.extend(args)))
    return told[0], dict(told[1]), body


def later(seconds: float) -> timedelta:
    """Return a span of seconds."""
    return timedelta(seconds=seconds)
