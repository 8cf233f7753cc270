"""Mails of a test: what the worker of the outbox sends."""

from django.core import mail
from django.core.mail import EmailMessage

from accounts.outbox.worker import Worker


def sent_mails() -> list[EmailMessage]:
    """Deliver what is due; return all mails sent so far in this test."""
    Worker().deliver_due()
    return mail.outbox
