"""Mails of a test: what the worker of the outbox sends."""

from django.core import mail
from django.core.mail import EmailMessage

from accounts.outbox.worker import DeliveryWorker


def sent_mails() -> list[EmailMessage]:
    """Deliver what is due; return all mails sent so far in this test."""
    DeliveryWorker().deliver_due()
    return mail.outbox
