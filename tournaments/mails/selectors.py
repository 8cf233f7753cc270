"""The mails of an event as rows, with what they are about in words."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Outgoing
from accounts.outbox.queue import count_by_state
from accounts.outbox.worker import EXPIRED, FAULT, GONE, RESTORED
from tournaments.core.names import attach_name_marks, load_name_marks
from tournaments.models import Entry, Event

MOST = 500
LINK = "link"
KINDS = {LINK: _("Personal link"), "invitation": _("Staff invitation")}
REASONS = {
    EXPIRED: _("The email waited too long."),
    GONE: _("No longer needed"),
    FAULT: _("Program error"),
    RESTORED: _("A backup was restored."),
}
TONES = {Outgoing.State.WAITING: "warn", Outgoing.State.SENT: "good", Outgoing.State.FAILED: "bad"}


@dataclass(frozen=True, slots=True, kw_only=True)
class MailRow:
    """A mail in the list of an event's mails.

    ``entry`` is the player it is about, if any; ``what`` its kind as text; ``reason`` why its last
    try failed.
    """

    mail: Outgoing
    entry: Entry | None
    what: str
    reason: str

    @property
    def tone(self) -> str:
        """Return the colour of the state."""
        return TONES[Outgoing.State(self.mail.state)]

    @property
    def can_repeat(self) -> bool:
        """Return whether it may be sent again: it is over, and its address still stored."""
        return self.mail.state != Outgoing.State.WAITING and bool(self.mail.receiver)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventMails:
    """The latest mails of an event, and the number of all its mails by state."""

    rows: list[MailRow]
    counts: Mapping[str, int]


def event_mails(event: Event) -> EventMails:
    """Return the mails of an event, the latest first, at most 500; four queries."""
    mails = Outgoing.objects.filter(event=event.pk)
    counts = count_by_state(mails)
    found = list(mails[:MOST])
    keys = [mail.subject or 0 for mail in found if mail.kind == LINK and mail.subject]
    entries = {entry.pk: entry for entry in event.entries.filter(pk__in=keys)}
    attach_name_marks(entries.values(), load_name_marks(event))
    rows = [_row(mail, entries.get(mail.subject or 0)) for mail in found]
    return EventMails(
        rows=rows, counts={state: counts.get(state, 0) for state in Outgoing.State.values}
    )


def find_mail(event: Event, mail_id: int) -> Outgoing | None:
    """Return a mail of an event, None if there is none; one query."""
    return Outgoing.objects.filter(event=event.pk, pk=mail_id).first()


def _row(mail: Outgoing, entry: Entry | None) -> MailRow:
    reason = str(REASONS.get(mail.reason, mail.reason))
    about = entry if mail.kind == LINK else None
    what = str(KINDS.get(mail.kind, "")) or gettext("Email")
    return MailRow(mail=mail, entry=about, what=what, reason=reason)
