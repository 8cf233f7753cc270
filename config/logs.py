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
    """Add the number of the current request to each log record."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Add the number; return True."""
        record.request_id = current_id.get()
        return True


class HiddenLinksFilter(logging.Filter):
    """Mask the tokens of secret links, so that readers of the log can't use them."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Replace each token by asterisks; return True."""
        text = record.getMessage()
        hidden = SECRET_LINK.sub(r"\1***", text)
        if hidden != text:
            record.msg, record.args = hidden, ()
        return True


def set_up(level: str) -> dict[str, Any]:
    """Return the setting ``LOGGING``: one line per record, on the console."""
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
