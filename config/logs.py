"""What each line of the log gains, and what it must not give away."""

import logging
import re
from contextvars import ContextVar

current_id: ContextVar[str] = ContextVar("request_id", default="-")


PERSONAL_LINK = re.compile(r"(/p/)[\w-]+")


class RequestIdFilter(logging.Filter):
    """Puts the number of the running request into each log line."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Add the number; nothing is left out."""
        record.request_id = current_id.get()
        return True


class HiddenLinksFilter(logging.Filter):
    """Keeps the tokens of personal links out of the log: who reads it could use them."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Put stars in the place of each token; nothing is left out."""
        text = record.getMessage()
        hidden = PERSONAL_LINK.sub(r"\1***", text)
        if hidden != text:
            record.msg, record.args = hidden, ()
        return True
