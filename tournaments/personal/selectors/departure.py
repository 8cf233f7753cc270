"""Who noted that a player has left, and when."""

from datetime import datetime

from django.utils.translation import gettext as _

from config.ui_dates import in_words
from tournaments.core.event_state import EventFacts
from tournaments.models import Entry, Event, LogLine


def departure_of(facts: EventFacts, entry: Entry) -> str:
    """Return who noted that a player has left, and when, as a sentence; one query.

    "" where the log does not say so of this player.
    """
    event = facts.event
    lines = LogLine.objects.filter(event=event, action="entry.withdraw", after__number=entry.number)
    line = lines.select_related("by").order_by("-number").first()
    if line is None:
        return ""
    values = {"time": moment_words(event, line.at)}
    by_account = line.by_id is not None and line.by_id == entry.user_id
    if line.by_entry_id == entry.pk or by_account:
        return _("You noted it at %(time)s.") % values
    values["name"] = str(line.by or line.by_name)
    return _("Noted at %(time)s by %(name)s.") % values


def moment_words(event: Event, moment: datetime | None) -> str:
    """Return a moment in words: the hour on the event's day, else the day with the hour."""
    if moment is None:
        return ""
    local = moment.astimezone(event.zone)
    return in_words(local, "time" if local.date() == event.begins.date() else "all")
