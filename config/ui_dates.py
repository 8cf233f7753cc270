"""Template tags for dates and times; usage in ``config.ui``."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from config.ui import EMPTY

register = template.Library()

WHEN = {"all": "D j F Y, H:i", "date": "D j F Y", "day": "j F Y", "time": "H:i"}


def in_words(moment: date, part: str = "date") -> str:
    """Return a moment in the active language; Italian months are lower case."""
    words = date_format(moment, WHEN[part])
    return words.lower() if get_language() == "it" else words


@register.simple_tag
def when(moment: date | None, zone: str = "", part: str = "all") -> SafeString:
    """Return a moment in a time zone with the zone's name; a day has no zone.

    ``part="day"`` omits the day of the week.
    """
    if moment is None:
        return EMPTY
    if not isinstance(moment, datetime):
        words = in_words(moment, "day" if part == "day" else "date")
        return format_html('<time datetime="{}">{}</time>', moment.isoformat(), words)
    tz = ZoneInfo(zone) if zone else timezone.get_current_timezone()
    local = timezone.localtime(moment, tz)
    words = in_words(local, part)
    named = EMPTY if part in ("date", "day") else format_html(' <small class="zone">{}</small>', tz)
    return format_html('<time datetime="{}">{}</time>{}', local.isoformat(), words, named)
