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


def logging_config(level: str) -> dict[str, Any]:
    """Return the value of the setting ``LOGGING``: one line per record, on the console.

    level: of the root logger.
    """
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
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "filters": ["request_id", "hidden_links"],
                "formatter": "line",
            }
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            "django": {"handlers": ["console"], "level": "INFO", "propagate": False},
            "django.server": {"handlers": ["console"], "level": "INFO", "propagate": False},
        },
    }
