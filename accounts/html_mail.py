"""Mails as text and, beside it, as HTML that says the same in the same words."""

import re
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string

LINK = re.compile(r"https?://\S+")


def mail(
    subject: str, text: str, to: str, *, button: str, connection: Any = None
) -> EmailMultiAlternatives:
    """Return a mail with its HTML; ``button`` are the words on the link that ``text`` holds."""
    subject = f"{settings.ACCOUNT_EMAIL_SUBJECT_PREFIX}{subject}"
    made = EmailMultiAlternatives(subject, text, None, [to], connection=connection)
    add_html(made, button)
    return made


def add_html(made: EmailMultiAlternatives, button: str) -> None:
    """Attach the HTML of a mail: its subject, its paragraphs, its first link as a button."""
    parts = [part.strip() for part in re.split(r"\n\s*\n", str(made.body)) if part.strip()]
    link = next(filter(LINK.fullmatch, parts), "")
    context = {
        "heading": str(made.subject).removeprefix(settings.ACCOUNT_EMAIL_SUBJECT_PREFIX),
        "parts": parts,
        "link": link,
        "button": button or link,
    }
    made.attach_alternative(render_to_string("mail.html", context).strip(), "text/html")
