"""How the log is kept: what each line gains, and what it must not give away."""

import logging
import re
from contextvars import ContextVar
from typing import Any

current_id: ContextVar[str] = ContextVar("request_id", default="-")


SECRET_LINK = re.compile(
    r"(/p/|/password/reset/key/|/confirm-email/|/accounts/invitation/|/invitations/)[\w:-]+"
)
"""Addresses that let in whoever knows them: personal links, new passwords, invitations."""


class RequestIdFilter(logging.Filter):
    """Puts the number of the running request into each log line."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Add the number; nothing is left out."""
        record.request_id = current_id.get()
        return True


class HiddenLinksFilter(logging.Filter):
    """Keeps the tokens of links that let somebody in out of the log: its readers could use them."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Put stars in the place of each token; nothing is left out."""
        text = record.getMessage()
        hidden = SECRET_LINK.sub(r"\1***", text)
        if hidden != text:
            record.msg, record.args = hidden, ()
        return True


def set_up(level: str) -> dict[str, Any]:
    """Return the setting ``LOGGING``: one line for each entry, on the console."""
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
