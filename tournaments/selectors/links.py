"""Whose personal link it is."""

from config.tokens import hash_of
from tournaments.models import Entry, PersonalLink


def link_of_token(token: str) -> PersonalLink | None:
    """Return the link that works with this token; one query."""
    live = PersonalLink.objects.filter(token_hash=hash_of(token), revoked_at__isnull=True)
    return live.select_related("entry__event").first()


def live_link(link_id: int) -> PersonalLink | None:
    """Return a link opened before, unless it has been revoked; one query."""
    live = PersonalLink.objects.filter(pk=link_id, revoked_at__isnull=True)
    return live.select_related("entry__event").first()


def link_to_tell(entry: Entry) -> PersonalLink | None:
    """Return the latest link of a player if an organiser made or revoked it; one query."""
    latest = entry.links.select_related("by").order_by("-pk").first()
    told = latest is not None and (latest.revoked_at or latest.by_id or latest.by_name)
    return latest if told else None
