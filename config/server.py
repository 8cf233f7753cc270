"""Serves the site with waitress: ``python -m config.server``; what ``make run`` starts.

Waitress as it comes serves a hundred connections and lets the next one wait; a hall of phones
opens more. Here is the one place that says how many, and how long an idle one is kept.
"""

import argparse
import logging
import sys
from typing import Any

import waitress
from django.conf import settings
from django.utils.module_loading import import_string

try:
    import resource
except ImportError:  # Windows, where no such limit is set
    resource = None  # type: ignore[assignment]

CONNECTIONS = 10_000
"""Connections that may be open at once, where the process may open so many files."""
SPARE_FILES = 256
"""Descriptors for everything else: databases, caches, templates, spooled bodies, the log."""
FEW = 1_500
"""Below so many connections a full hall (1,000 phones and 200 slow ones) is turned away."""
BACKLOG = 2_048
IDLE_SECONDS = 75
CLEANING_SECONDS = 15
BODY_SPARE = 64 * 1024

log = logging.getLogger("config.server")


def connections_that_fit(wanted: int) -> int:
    """Raise the limit of open files as far as needed and allowed; return what it lets in."""
    if resource is None:
        return min(wanted, 500)  # select() ends at 512 sockets there
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return wanted
    return max(soft - SPARE_FILES, soft // 2)


def options(*, threads: int, largest_body: int, proxies: int) -> dict[str, Any]:
    """Return waitress' settings for so many threads, bytes of a body and trusted proxies."""
    connections = connections_that_fit(CONNECTIONS)
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
        # select() takes no descriptor above 1,023
        "asyncore_use_poll": True,
        # the site itself answers what is too large for a page; this ends what is for none
        "max_request_body_size": largest_body + BODY_SPARE,
        # The site reads the headers of trusted proxies itself, as it does behind gunicorn;
        # without any nobody may send such headers.
        "clear_untrusted_proxy_headers": not proxies,
        "ident": None,
    }


def main(arguments: list[str]) -> None:
    """Serve until the process is told to end."""
    parser = argparse.ArgumentParser(prog="python -m config.server", description=__doc__)
    parser.add_argument("--listen", help="address and port; unset is the setting LISTEN")
    parsed = parser.parse_args(arguments)
    application = import_string("config.wsgi.application")  # sets the site up and checks it
    waitress.serve(
        application,
        listen=parsed.listen or settings.LISTEN,
        **options(
            threads=settings.THREADS,
            largest_body=settings.LARGEST_BODY,
            proxies=settings.TRUSTED_PROXIES,
        ),
    )


if __name__ == "__main__":
    main(sys.argv[1:])
