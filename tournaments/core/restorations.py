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
    """Return when an event was restored, in the active language."""
    day = in_words(restoration.at.astimezone(event.zone), "day")
    return _("Restored on %(day)s from an archive.") % {"day": day}


def restoration_json(event: Event) -> dict[str, Any] | None:
    """Return the record of a restored event as data, its words in English; one query."""
    restoration = restoration_of(event)
    if restoration is None:
        return None
    with override("en"):
        words = restored_words(event, restoration)
    return {
        "at": restoration.at.isoformat(),
        "line": restoration.version,
        "words": words,
    }
