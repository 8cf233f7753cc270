"""Create and revoke personal links."""

from django.utils import timezone

from config import transaction
from config.tokens import derived_token, hash_of, new_token
from rules.errors import RuleError
from tournaments.core.permissions import Actor
from tournaments.log.services import begin, record
from tournaments.models import Entry, Event, PersonalLink
from tournaments.players.acts import LINK_MADE, LINK_REVOKED, LINKS_MADE


@transaction.atomic
def make_link(*, entry: Entry, by: Actor) -> str:
    """Return a new 192-bit token for an entry; earlier links stop working.

    A link gives all rights of the player, so only they and organisers may create one; the player's
    page tells when an organiser did.
    """
    event = begin(entry.event, LINK_MADE, by=by, entry=entry)
    _revoke_all(entry)
    token = new_token()
    staff = None if by.is_entry(entry) else by.user
    PersonalLink.objects.create(entry=entry, token_hash=hash_of(token), by=staff)
    record(event, LINK_MADE, by=by, subject=entry.name)
    return token


@transaction.atomic
def make_links(*, event: Event, by: Actor) -> str:
    """Give every player one more link and return the secret from which all tokens derive.

    Links in use go on working. ``links_made`` returns the token of each player. Raises RuleError
    ``no_players``.
    """
    event = begin(event, LINKS_MADE, by=by)
    entries = list(event.entries.playing().order_by("number"))
    if not entries:
        raise RuleError("no_players", "There are no players yet. Nothing was stored: add them.")
    secret = new_token()
    PersonalLink.objects.bulk_create(
        PersonalLink(
            entry=entry,
            token_hash=hash_of(derived_token(secret, event.pk, entry.number)),
            by=by.user,
        )
        for entry in entries
    )
    after = {"numbers": [entry.number for entry in entries]}
    record(event, LINKS_MADE, by=by, subject=str(len(entries)), after=after)
    return secret


@transaction.atomic
def revoke_link(*, entry: Entry, by: Actor) -> None:
    """Revoke a player's link, on every device that has opened it."""
    event = begin(entry.event, LINK_REVOKED, by=by)
    if _revoke_all(entry):
        record(event, LINK_REVOKED, by=by, subject=entry.name)


def _revoke_all(entry: Entry) -> int:
    return entry.links.filter(revoked_at__isnull=True).update(revoked_at=timezone.now())
