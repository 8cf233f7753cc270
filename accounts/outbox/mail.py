"""The channel for mails: one connection to the mail server, and what its answers mean."""

from smtplib import (
    SMTPDataError,
    SMTPException,
    SMTPRecipientsRefused,
    SMTPResponseException,
)
from typing import Any
from urllib.parse import urlsplit

from django.core.mail import EmailMessage, get_connection

from accounts.outbox.queue import Refusal
from config.addresses import site_address

PERMANENT = 500
"""Answers of a mail server from here on mean that trying again is of no use."""


class MailChannel:
    """Delivers mails through the site's mail server."""

    def __init__(self) -> None:
        self.connection: Any = None

    def open(self) -> None:
        """Connect and sign in; no effect while connected."""
        if self.connection is None:
            connection = get_connection()
            connection.open()
            self.connection = connection

    def deliver(self, message: EmailMessage, key: str) -> None:
        """Send a mail, whose ``Message-ID`` is the key."""
        host = urlsplit(site_address()).hostname or "girone.invalid"
        message.extra_headers["Message-ID"] = f"<{key}@{host}>"
        self.connection.send_messages([message])

    def close(self) -> None:
        """Leave the server; what it answers no longer matters."""
        connection, self.connection = self.connection, None
        try:
            if connection is not None:
                connection.close()
        except (OSError, SMTPException):
            return

    def refusal(self, error: Exception) -> Refusal | None:
        """Return the server's answer, without addresses.

        Only a refused mailbox or text is final: a password or a sender can be set right.
        """
        if isinstance(error, SMTPRecipientsRefused):
            code, text = next(iter(error.recipients.values()))
            return Refusal(_words(code, text), final=code >= PERMANENT)
        if isinstance(error, SMTPResponseException):
            final = isinstance(error, SMTPDataError) and error.smtp_code >= PERMANENT
            return Refusal(_words(error.smtp_code, error.smtp_error), final=final)
        if isinstance(error, OSError | SMTPException):
            return Refusal(_words("", getattr(error, "strerror", "") or type(error).__name__))
        return None


def _words(code: int | str, text: bytes | str) -> str:
    said = text.decode(errors="replace") if isinstance(text, bytes) else text
    return " ".join("…" if "@" in word else word for word in f"{code} {said}".split())[:200]
