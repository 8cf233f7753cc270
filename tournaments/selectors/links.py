"""Whose personal link it is."""

from django.db.models import Q

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


def link_made_for(entry: Entry) -> PersonalLink | None:
    """Return the latest link that an organiser has made for a player; one query."""
    made = entry.links.filter(Q(by__isnull=False) | ~Q(by_name=""))
    return made.select_related("by").order_by("-pk").first()
