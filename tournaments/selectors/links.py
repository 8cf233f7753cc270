"""Whose personal link it is."""

from config.tokens import hash_of
from tournaments.models import PersonalLink


def link_of_token(token: str) -> PersonalLink | None:
    """Return the link that works with this token; one query."""
    live = PersonalLink.objects.filter(token_hash=hash_of(token), revoked_at__isnull=True)
    return live.select_related("entry__event").first()


def live_link(link_id: int) -> PersonalLink | None:
    """Return a link opened before, unless it has been revoked; one query."""
    live = PersonalLink.objects.filter(pk=link_id, revoked_at__isnull=True)
    return live.select_related("entry__event").first()
