"""What everybody is told of an event that was restored from an archive."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import override

from config.ui_dates import in_words
from tournaments.models import Event, Restoration


def restoration_of(event: Event) -> Restoration | None:
    """Return the record of a restored event, None for others; one query."""
    return Restoration.objects.filter(event=event).first()


def restored_words(event: Event, restoration: Restoration) -> str:
    """Return when and from where an event was restored, in the active language."""
    origins = {
        Restoration.Origin.THIS_SITE: _("Restored on %(day)s from an archive of this site."),
        Restoration.Origin.ANOTHER_SITE: _("Restored on %(day)s from an archive of another site."),
        Restoration.Origin.UNKNOWN: _("Restored on %(day)s from an archive."),
    }
    day = in_words(restoration.at.astimezone(event.zone), "day")
    words = origins[Restoration.Origin(restoration.origin)] % {"day": day}
    if restoration.continues:
        return words
    marked = _("It does not continue the event that was at this address before.")
    return f"{words} {marked}"


def restoration_json(event: Event) -> dict[str, Any] | None:
    """Return the record of a restored event as data, its words in English; one query."""
    restoration = restoration_of(event)
    if restoration is None:
        return None
    with override("en"):
        words = restored_words(event, restoration)
    return {
        "at": restoration.at.isoformat(),
        "origin": restoration.origin,
        "line": restoration.version,
        "continues": restoration.continues,
        "words": words,
    }
