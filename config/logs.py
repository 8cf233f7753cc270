"""The number of the running request in each line of the log."""

import logging
from contextvars import ContextVar

current_id: ContextVar[str] = ContextVar("request_id", default="-")


class RequestIdFilter(logging.Filter):
    """Puts the number of the running request into each log line."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Add the number; nothing is left out."""
        record.request_id = current_id.get()
        return True
