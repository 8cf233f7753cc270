"""What a server notes of each request: counts for ``/metrics``, and a line of the access log.

It stands outside of everything, so that pages which never reach Django are noted too. A line names
no query, no address and no token of a link.
"""

import logging
from collections.abc import Callable, Iterable
from importlib import import_module
from time import perf_counter
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.clients import is_client_in_networks
from config.logs import ACCESS

ROUTE = "girone.route"
"""Key of the WSGI environment: the name of the address that was asked for."""
SOURCE = "girone.source"
"""Key of the WSGI environment: what answered."""
FINISHED, RENDERED, SITE = "finished", "rendered", "site"
"""Sources: bytes that were kept, those kept for the next readers, Django alone."""
STATIC, UNKNOWN = "static", "unknown"
METRICS = "/metrics"
"""The path of the counts, asked for under any name of the machine."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
Count = Callable[[str, str, str, str, float], object]
"""Called with route, method, class of the status, source and seconds."""

log = logging.getLogger(ACCESS)


class MonitoredApplication:
    """WSGI application that counts and logs the requests of another one.

    count: called with route, method, class of the status, source and seconds; None for no counts.
    lines: whether to write an access log.
    """

    def __init__(self, application: Application, count: Count | None, *, lines: bool) -> None:
        """Note by ``count``, if given, and in the access log if ``lines``."""
        self.application, self.count, self.lines = application, count, lines
        self.static = "/" + settings.STATIC_URL.lstrip("/")

    def __call__(self, environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request; the seconds are those until the answer begins to leave."""
        began, status, sent = perf_counter(), "500", []

        def start(first: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
            nonlocal status, sent
            status, sent = first, headers
            return start_response(first, headers, exc_info)

        try:
            return self.application(environ, start)
        finally:
            seconds = perf_counter() - began
            route = environ.get(ROUTE) or self._route(environ)
            method = environ["REQUEST_METHOD"]
            if self.count is not None:
                known = method if method in METHODS else "other"
                source = environ.get(SOURCE, SITE)
                self.count(route, known, f"{status[0]}xx", source, seconds)
            if self.lines:
                headers = {name.lower(): value for name, value in sent}
                log.info(
                    "%s %s %s %s bytes %.1f ms %s",
                    method,
                    environ.get("SCRIPT_NAME", "") + environ.get("PATH_INFO", ""),
                    status[:3],
                    headers.get("content-length", "-"),
                    1000 * seconds,
                    route,
                    extra={"request_id": headers.get("x-request-id", "-")},
                )

    def _route(self, environ: Environ) -> str:
        return STATIC if environ.get("PATH_INFO", "").startswith(self.static) else UNKNOWN


def monitor_application(application: Application) -> Application:
    """Wrap a WSGI application to count or log requests, if the settings ask for it.

    These are ``METRICS_FROM`` and ``ACCESS_LOG``; else it is returned as it is.
    """
    count: Count | None = None
    if settings.METRICS_FROM:
        series = _series()
        series.watch_database()
        count = series.count_request
    if count is None and not settings.ACCESS_LOG:
        return application
    return MonitoredApplication(application, count, lines=settings.ACCESS_LOG)


def monitor_connections(count: Callable[[], int]) -> None:
    """Report the number of open connections in the metrics, if the site has them.

    count: returns that number.
    """
    if settings.METRICS_FROM:
        _series().track_connections(count)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Serve metrics in Prometheus' format to clients in ``METRICS_FROM``; 404 for others."""
    if not is_client_in_networks(request, settings.METRICS_FROM):
        return HttpResponse("404\n", status=404, content_type="text/plain")
    return HttpResponse(_series().render_metrics(), content_type="text/plain; version=0.0.4")


def _series() -> Any:
    """Import the series, for which sites without them don't spend a twentieth of a second."""
    return import_module("config.metrics")
