"""Mails with the personal links of an event's own players.

They count for none of the limits of ``accounts.mail``; each player gets one an hour.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.core.mail import get_connection
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from accounts.mail import NOT_SENT, mail
from config.addresses import site_address
from config.clients import takes_slot
from tournaments.models import Entry, Event
from tournaments.players.services.entries import mark_mailed


@dataclass
class SentMails:
    """The number of mails sent, and players without one: it failed, or went out within an hour."""

    count: int = 0
    failed: list[Entry] = field(default_factory=list)
    too_soon: list[Entry] = field(default_factory=list)


def mail_address_of(entry: Entry) -> str:
    return entry.user.email if entry.user else ""


def send_links(event: Event, paths: Mapping[Entry, str]) -> SentMails:
    """Send each player the link to a path of this site, over one connection; one query."""
    sent, proved = SentMails(), _verified_accounts(paths)
    connection = get_connection()
    try:
        connection.open()
    except NOT_SENT:
        return SentMails(failed=list(paths))
    for entry, path in paths.items():
        slot = takes_slot(f"link of {entry.pk}", most=1, seconds=3600)
        if not slot:
            sent.too_soon.append(entry)
            continue
        subject, text = _words(event, entry, path, named=entry.user_id in proved)
        try:
            to, button = mail_address_of(entry), _("Open your page")
            mail(subject, text, to, button=button, connection=connection).send()
            sent.count += 1
            mark_mailed(entry)
        except NOT_SENT:
            cache.delete(slot)
            sent.failed.append(entry)
    with suppress(*NOT_SENT):  # each mail was answered for before
        connection.close()
    return sent


def _verified_accounts(entries: Mapping[Entry, str]) -> set[int]:
    wanted = {entry.user_id: mail_address_of(entry) for entry in entries}
    rows = EmailAddress.objects.filter(user_id__in=wanted, verified=True)
    return {row.user_id for row in rows if row.email.lower() == wanted[row.user_id].lower()}


def _words(event: Event, entry: Entry, path: str, *, named: bool) -> tuple[str, str]:
    """Return subject and text; to an address that nobody has proved without a name."""
    name = " ".join(event.name.split()) if named else _("your link")
    context = {"event": event, "entry": entry, "named": named, "url": f"{site_address()}{path}"}
    return name, render_to_string("tournaments/players/link.txt", context).strip()
