"""Mail personal links: queued for all players with an account, each link made when it is sent."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from allauth.account.models import EmailAddress
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.mail import NO_ADDRESS, build_mail, can_mail_links
from accounts.models import Outgoing, User
from accounts.outbox.mail import MailChannel
from accounts.outbox.queue import DeliveryKind, queue_deliveries, register_kind
from config import transaction
from config.addresses import site_address
from config.shown_once import new_token, token_hash
from rules.errors import RuleError
from tournaments.core.permissions import Actor
from tournaments.log.services import begin_act, record
from tournaments.models import Entry, Event, PersonalLink
from tournaments.players.acts import LINKS_MADE
from tournaments.players.services.entries import mark_links_mailed

LIFE, BETWEEN = timedelta(days=1), timedelta(hours=1)
"""How long a link's mail may wait, and how long after one a player gets no further."""


@dataclass(frozen=True, slots=True)
class QueuedMails:
    """The players whose mail was queued, and those who had one less than an hour ago."""

    queued: list[Entry]
    too_soon: list[Entry]


def players_with_account(event: Event) -> list[Entry]:
    """Return the active players who have an account, by number; one query."""
    playing = event.entries.playing().filter(user__is_active=True)
    return list(playing.select_related("user").order_by("number"))


@transaction.atomic
def mail_links(*, event: Event, by: Actor) -> QueuedMails:
    """Queue a mail with a further personal link for each player with an account.

    Other links stay valid. Raises RuleError ``nothing_to_send``, ``site_address_missing``.
    """
    event = begin_act(event, LINKS_MADE, by=by)
    entries = players_with_account(event)
    if not entries:
        raise RuleError("nothing_to_send")
    if not can_mail_links():
        raise RuleError("site_address_missing", NO_ADDRESS)
    recent = _had_one(entries)
    queued = [entry for entry in entries if entry.pk not in recent]
    if queued:
        about = {"by": by.user.pk} if by.user else {}
        rows = [
            Outgoing(
                receiver=entry.user.email,
                user=entry.user,
                event=event.pk,
                subject=entry.pk,
                about=about,
            )
            for entry in queued
            if entry.user is not None
        ]
        queue_deliveries(rows, LINK)
        after = {"numbers": [entry.number for entry in queued]}
        record(event, LINKS_MADE, by=by, subject=str(len(queued)), after=after)
    return QueuedMails(queued, [entry for entry in entries if entry.pk in recent])


def _had_one(entries: Iterable[Entry]) -> set[int | None]:
    """Return the keys of players whose mail was queued an hour ago or later, and hasn't failed."""
    known = Outgoing.objects.filter(kind=LINK.name, subject__in=[entry.pk for entry in entries])
    recent = known.filter(queued_at__gt=timezone.now() - BETWEEN)
    return set(recent.exclude(state=Outgoing.State.FAILED).values_list("subject", flat=True))


def build_link_mail(item: Outgoing) -> EmailMultiAlternatives | None:
    """Create a further personal link, and return the mail with it.

    ``item`` is the queued mail. None if the player has dropped or their address has changed. To an
    unverified address it names neither event nor player.
    """
    players = Entry.objects.playing().select_related("event", "user")
    entry = players.filter(pk=item.subject or 0).first()
    if entry is None or entry.user is None or entry.user.email != item.receiver:
        return None
    token = new_token()
    organiser = User.objects.filter(pk=item.about.get("by")).first()
    PersonalLink.objects.create(
        entry=entry, token_hash=token_hash(token), by=organiser, unopened=True
    )
    proved = EmailAddress.objects.filter(
        user=entry.user, email__iexact=item.receiver, verified=True
    ).exists()
    subject = " ".join(entry.event.name.split()) if proved else _("Personal link")
    url = f"{site_address()}{reverse('tournaments:open-link', args=[token])}"
    context = {"event": entry.event, "entry": entry, "named": proved, "url": url}
    text = render_to_string("tournaments/players/link.txt", context).strip()
    return build_mail(subject, text, item.receiver, button=_("Open your page"))


def mark_link_mail_delivered(item: Outgoing) -> None:
    """Treat the player's links as opened, as the queued mail ``item`` was delivered."""
    entry = Entry.objects.filter(pk=item.subject or 0).first()
    if entry is not None:
        mark_links_mailed(entry)


LINK = DeliveryKind("link", MailChannel, build_link_mail, LIFE, mark_link_mail_delivered)
register_kind(LINK)
