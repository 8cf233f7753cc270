"""Logging configuration: moment and request number in each line, secret links masked."""

import logging
import re
from contextvars import ContextVar
from datetime import datetime
from typing import Any

current_id: ContextVar[str] = ContextVar("request_id", default="-")

ACCESS = "girone.access"
"""The logger of requests."""
SLASH = "(?:/|%2F)"
SECRET_PATHS = (
    *("p", "invitations", "accounts/invitation", "accounts/first", "me/tokens"),
    *("password/reset/key", "confirm-email", "arrive"),
)
"""What stands before a secret in a path: personal links, invitations, new passwords, check-in."""
SECRET_LINK = re.compile(
    rf"({SLASH}(?:{'|'.join(SECRET_PATHS).replace('/', SLASH)}){SLASH})"
    r"""(?:(?!%2F)[^/\s"'<>?&#])+""",
    re.IGNORECASE,
)


def mask_secret_links(text: str) -> str:
    """Return a text with the tokens in secret links replaced by asterisks."""
    return SECRET_LINK.sub(r"\1***", text)


class RequestIdFilter(logging.Filter):
    """Logging filter: sets ``request_id`` on each record, by default the current request's."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Add the number; return True."""
        record.request_id = getattr(record, "request_id", "") or current_id.get()
        return True


class LineFormatter(logging.Formatter):
    """Logging formatter: ISO 8601 times with the zone; masks tokens of secret links."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802
        """Return the record's moment, as 2026-11-28T14:05:09.123+01:00."""
        local = datetime.fromtimestamp(record.created).astimezone()
        return local.isoformat(timespec="milliseconds")

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, with the traceback if there is one."""
        return mask_secret_links(super().format(record))


LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
FILE_SIZE, FILES = 5 * 1024 * 1024, 3
"""Bytes of a log file, and how many earlier ones are kept."""


def logging_config(level: str, file: str = "", *, reports: bool = False) -> dict[str, Any]:
    """Return the value of the setting ``LOGGING``: one line per record, on the console.

    level: of the root logger. file: path of a rotated log file to write as well, or "". reports:
    whether errors also go to ``config.error_reports``, for which Django must be set up.
    """
    named = {
        "class": "logging.handlers.RotatingFileHandler",
        "filename": file,
        "maxBytes": FILE_SIZE,
        "backupCount": FILES,
        "encoding": "utf-8",
        "delay": True,
    }
    common = {"filters": ["request_id"], "formatter": "line"}
    handlers: dict[str, dict[str, Any]] = {"console": {"class": "logging.StreamHandler"} | common}
    if file:
        handlers["file"] = named | common
    lines = [*handlers]
    if reports:
        handlers["reports"] = {"class": "config.error_reports.ErrorReportHandler", "level": "ERROR"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"request_id": {"()": "config.logs.RequestIdFilter"}},
        "formatters": {
            "line": {
                "class": "config.logs.LineFormatter",
                "format": "{asctime} {levelname} {request_id} {name}: {message}",
                "style": "{",
            }
        },
        "handlers": handlers,
        "root": {"handlers": [*handlers], "level": level},
        "loggers": {
            name: {"handlers": kept, "level": "INFO", "propagate": False}
            for name, kept in (
                ("django", [*handlers]),
                ("django.server", [*handlers]),
                ("gunicorn.error", [*handlers]),
                (ACCESS, lines),
            )
        },
    }
