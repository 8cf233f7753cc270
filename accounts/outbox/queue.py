"""The queue: kinds of deliveries, what asks for one, and what is kept how long."""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

from allauth.account.models import EmailAddress
from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.translation import get_language

from accounts.models import Outgoing, User, new_key
from config import transaction
from config.upkeep import QUEUES
from rules.errors import RuleError

ADDRESS_KEPT = timedelta(days=7)
ROW_KEPT = timedelta(days=30)
"""How long after its end a row keeps its address, and how long it is kept at all."""
WAKE = threading.Event()
"""Set when something was queued by this process, so that its worker need not wait to look."""


@dataclass(frozen=True, slots=True)
class DeliveryFailure:
    """Why a try to deliver failed; ``final``: trying again can't succeed."""

    reason: str
    final: bool = False


class DeliveryChannel(Protocol):
    """Protocol of a delivery channel; a worker thread opens one and sends messages through it."""

    def open(self) -> None:
        """Reach the server, so that nothing is made for a try that can't begin."""

    def deliver(self, message: Any, key: str) -> None:
        """Deliver a message; return only once the server has accepted it."""

    def close(self) -> None:
        """Leave the server; it may be opened again."""

    def refusal(self, error: Exception) -> DeliveryFailure | None:
        """Return what an exception of these methods means; None for a fault of the program."""


@dataclass(frozen=True, slots=True)
class DeliveryKind:
    """A kind of delivery, and the functions that carry it out.

    ``channel`` creates the channel by which it is sent. ``compose`` returns the message of a row,
    None if it has become pointless; it may store a token. ``life`` is how long to try.
    ``delivered`` is called after delivery, in the transaction that marks the row as sent.
    """

    name: str
    channel: Callable[[], DeliveryChannel]
    compose: Callable[[Outgoing], Any | None]
    life: timedelta
    delivered: Callable[[Outgoing], None] = lambda _item: None


KINDS: dict[str, DeliveryKind] = {}


def register_kind(kind: DeliveryKind) -> None:
    """Register a kind of delivery by its name."""
    KINDS[kind.name] = kind


def queue_deliveries(
    rows: Iterable[Outgoing], kind: DeliveryKind, *, ends_at: datetime | None = None
) -> None:
    """Store deliveries of a kind in the caller's transaction; one query per 500.

    ``ends_at``: when to stop trying, by default after the kind's ``life``.
    """
    now = timezone.now()
    stored = list(rows)
    for row in stored:
        row.kind, row.language = kind.name, row.language or get_language() or ""
        row.queued_at = row.due_at = now
        row.ends_at = ends_at or now + kind.life
    Outgoing.objects.bulk_create(stored, batch_size=500)
    transaction.on_commit(WAKE.set)


@transaction.atomic
def requeue_delivery(item: Outgoing) -> None:
    """Queue a finished delivery again under a new key, as receivers ignore a key seen before.

    Nothing happens while it waits. Raises RuleError ``address_gone`` if its address is no longer
    stored.
    """
    now, kind = timezone.now(), KINDS[item.kind]
    finished = Outgoing.objects.filter(pk=item.pk).exclude(state=Outgoing.State.WAITING)
    if not finished.exists():
        return
    if not item.receiver:
        raise RuleError("address_gone", "This address is no longer stored. Send a new email.")
    finished.update(
        state=Outgoing.State.WAITING,
        key=new_key(),
        tries=0,
        reason="",
        due_at=now,
        ends_at=now + kind.life,
        done_at=None,
    )
    transaction.on_commit(WAKE.set)


def pending_deliveries() -> QuerySet[Outgoing]:
    """Return the queryset of deliveries that are waiting."""
    return Outgoing.objects.filter(state=Outgoing.State.WAITING)


def count_by_state(rows: QuerySet[Outgoing]) -> dict[str, int]:
    """Return the number of deliveries by state, without states that none is in; one query."""
    found = rows.order_by().values_list("state").annotate(Count("pk"))
    return {str(state): int(number) for state, number in found}


QUEUES["mail"] = lambda: count_by_state(Outgoing.objects.all())


def drop_pending_deliveries(reason: str, *, past: datetime | None = None) -> int:
    """Mark waiting deliveries as failed; return how many.

    reason: the stored reason. past: only those whose time to try ended by then.
    """
    ended = pending_deliveries().filter(ends_at__lte=past) if past else pending_deliveries()
    state = Outgoing.State.FAILED
    return ended.update(state=state, reason=reason, done_at=timezone.now())


def delete_expired_mail(now: datetime) -> int:
    """Empty the addresses and delete the rows kept long enough; return how many rows changed.

    Addresses are kept for 7 days after the end, rows for 30.
    """
    ended = Outgoing.objects.exclude(state=Outgoing.State.WAITING)
    former = ended.filter(done_at__lte=now - ADDRESS_KEPT).exclude(receiver="", about={})
    old = ended.filter(done_at__lte=now - ROW_KEPT)
    changed = former.update(receiver="", about={}) if former.exists() else 0
    return changed + (old.delete()[0] if old.exists() else 0)


def erase_deliveries(user: User) -> None:
    """Delete all deliveries to an account and to its addresses."""
    emails = {user.email.lower()}
    known = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    emails |= {email.lower() for email in known}
    to = Q(user=user)
    for email in emails:
        to |= Q(receiver__iexact=email)
    Outgoing.objects.filter(to).delete()
