"""Personal links: made, opened, revoked."""

from django.utils import timezone

from config import transaction
from config.tokens import hash_of, new_token
from tournaments.models import Entry, PersonalLink
from tournaments.permissions import Actor, can_run_rounds, require
from tournaments.services.log import locked, record


@transaction.atomic
def make_link(*, entry: Entry, by: Actor) -> str:
    """Return a new token of 192 random bits for an entry; the former link stops working."""
    event = locked(entry.event)
    require(can_run_rounds(by, event) or by.is_entry(entry))
    _revoke_all(entry)
    token = new_token()
    PersonalLink.objects.create(entry=entry, token_hash=hash_of(token))
    record(event, "link.made", by=by, subject=entry.name)
    return token


@transaction.atomic
def revoke_link(*, entry: Entry, by: Actor) -> None:
    """Stop a player's link at once, on every device that has opened it."""
    event = locked(entry.event)
    require(can_run_rounds(by, event))
    if _revoke_all(entry):
        record(event, "link.revoked", by=by, subject=entry.name)


def _revoke_all(entry: Entry) -> int:
    return entry.links.filter(revoked_at__isnull=True).update(revoked_at=timezone.now())
