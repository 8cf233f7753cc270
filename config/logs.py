"""Logging configuration: request numbers in each line, secret links masked."""

import logging
import re
from contextvars import ContextVar
from typing import Any

current_id: ContextVar[str] = ContextVar("request_id", default="-")


SECRET_LINK = re.compile(
    r"(/p/|/password/reset/key/|/confirm-email/|/accounts/invitation/|/invitations/)[\w:-]+"
)
"""Paths with a secret token: personal links, new passwords, invitations."""


class RequestIdFilter(logging.Filter):
    """Logging filter that adds the current request's id to each record."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Add the number; return True."""
        record.request_id = current_id.get()
        return True


class HiddenLinksFilter(logging.Filter):
    """Logging filter that masks tokens of secret links for readers of the log."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Replace each token by asterisks; return True."""
        text = record.getMessage()
        hidden = SECRET_LINK.sub(r"\1***", text)
        if hidden != text:
            record.msg, record.args = hidden, ()
        return True


FILE_SIZE, FILES = 5 * 1024 * 1024, 3
"""Bytes of a log file, and how many earlier ones are kept."""


def logging_config(level: str, file: str = "") -> dict[str, Any]:
    """Return the value of the setting ``LOGGING``: one line per record, on the console.

    level: of the root logger. file: a log file beside, of one process; a full one is rotated.
    """
    named = {
        "class": "logging.handlers.RotatingFileHandler",
        "filename": file,
        "maxBytes": FILE_SIZE,
        "backupCount": FILES,
        "encoding": "utf-8",
        "delay": True,
    }
    common = {"filters": ["request_id", "hidden_links"], "formatter": "line"}
    handlers: dict[str, dict[str, Any]] = {"console": {"class": "logging.StreamHandler"} | common}
    if file:
        handlers["file"] = named | common
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            "request_id": {"()": "config.logs.RequestIdFilter"},
            "hidden_links": {"()": "config.logs.HiddenLinksFilter"},
        },
        "formatters": {
            "line": {
                "format": "{asctime} {levelname} {request_id} {name}: {message}",
                "style": "{",
            }
        },
        "handlers": handlers,
        "root": {"handlers": [*handlers], "level": level},
        "loggers": {
            name: {"handlers": [*handlers], "level": "INFO", "propagate": False}
            for name in ("django", "django.server")
        },
    }
