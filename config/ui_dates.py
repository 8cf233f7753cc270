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

WHEN = {
    "all": "D j F Y, H:i",
    "date": "D j F Y",
    "day": "j F Y",
    "month": "j F",
    "time": "H:i",
    "short": "D j F, H:i",
}
ITALIAN = WHEN | {
    "all": "l j F Y, \\o\\r\\e H:i",
    "hour": "l j F Y, \\o\\r\\e G",
    "short": "l j F \\a\\l\\l\\e H:i",
}


def in_words(moment: date, part: str = "date") -> str:
    """Return a moment in the active language; of a day no part with a time.

    The time of day is 20:30 in every language, as in forms, scripts and on paper. Italians write
    days and months in lower case, and "ore 20:30" or "ore 10" after a day.
    """
    if get_language() != "it":
        return date_format(moment, WHEN[part])
    if part == "all" and isinstance(moment, datetime) and not moment.minute:
        part = "hour"
    return date_format(moment, ITALIAN[part]).lower()


@register.simple_tag
def when(moment: date | None, zone: str = "", part: str = "all", named: bool = False) -> SafeString:
    """Return a moment in a time zone; a day has no zone.

    The zone's name follows if it is ``named``, or no zone is given: it is seen by readers who have
    another zone, and the head of an event's pages names its own once. ``part="day"`` omits the day
    of the week.
    """
    if moment is None:
        return EMPTY
    if not isinstance(moment, datetime):
        words = in_words(moment, "day" if part == "day" else "date")
        return format_html('<time datetime="{}">{}</time>', moment.isoformat(), words)
    tz = ZoneInfo(zone) if zone else timezone.get_current_timezone()
    local = timezone.localtime(moment, tz)
    words = in_words(local, part)
    has_name = (named or not zone) and part not in ("date", "day")
    name = format_html(' <small class="zone">{}</small>', tz) if has_name else EMPTY
    return format_html('<time datetime="{}">{}</time>{}', local.isoformat(), words, name)
