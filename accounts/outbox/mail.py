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

from accounts.outbox.queue import DeliveryFailure
from config.addresses import site_address

PERMANENT = 500
"""Answers of a mail server from here on mean that trying again is of no use."""
LONGEST = 200
"""Letters of an answer that are kept."""


class MailChannel:
    """Delivery channel that sends mails through the site's mail server."""

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

    def refusal(self, error: Exception) -> DeliveryFailure | None:
        """Return the server's answer, without addresses.

        Only a refused mailbox or text is final: a password or a sender can be set right.
        """
        if not isinstance(error, OSError):  # those of smtplib are such errors, too
            return None
        code, text = parse_smtp_refusal(error) or (0, error.strerror or type(error).__name__)
        of_this_mail = isinstance(error, SMTPRecipientsRefused | SMTPDataError)
        said = _without_addresses(f"{code or ''} {text}")
        return DeliveryFailure(said[:LONGEST], final=of_this_mail and code >= PERMANENT)


def parse_smtp_refusal(error: Exception) -> tuple[int, str] | None:
    """Return (code, message in one line) of a mail server's refusal; None for other errors."""
    text: bytes | str
    if isinstance(error, SMTPRecipientsRefused):
        code, text = next(iter(error.recipients.values()))
    elif isinstance(error, SMTPResponseException):
        code, text = error.smtp_code, error.smtp_error
    else:
        return None
    said = text.decode(errors="replace") if isinstance(text, bytes) else str(text)
    return code, " ".join(said.split())


def _without_addresses(text: str) -> str:
    return " ".join(_hidden(word) if "@" in word else word for word in text.split())


def _hidden(word: str) -> str:
    """Return "…" for a word that holds an address, with the sign that follows it."""
    return "…" + word[len(word.rstrip(".,:;")) :]
