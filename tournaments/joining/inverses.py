"""Inverses of acts of ``joining``."""

from tournaments.core.permissions import Actor
from tournaments.joining.services import mark_of
from tournaments.models import Event, LogLine, PersonalLink


def undo_confirmation(event: Event, line: LogLine, by: Actor) -> None:
    """Delete the link that a confirmation made; those that ended with it stay ended.

    A link that has ended since, or is gone with its player, is left as it is.
    """
    number, mark = line.after["number"], line.after["link"]
    links = PersonalLink.objects.filter(entry__event=event, entry__number=number)
    for link in links.filter(revoked_at__isnull=True):
        if mark_of(link.token_hash) == mark:
            link.delete()
