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


def format_moment(moment: date, part: str = "date") -> str:
    """Return a date or time formatted in the active language.

    part: key of ``WHEN``, such as "all", "date" or "time"; a date has no "time". The time is 20:30
    in every language.
    """
    if get_language() != "it":
        return date_format(moment, WHEN[part])
    if part == "all" and isinstance(moment, datetime) and not moment.minute:
        part = "hour"
    return date_format(moment, ITALIAN[part]).lower()


@register.simple_tag(name="when")
def time_element(
    moment: date | None, zone: str = "", part: str = "all", named: bool = False
) -> SafeString:
    """Template tag: a date, or a date and time, as ``<time>``; "" for None.

    zone: IANA name; if "", the active time zone, which is then shown. named: show the zone anyway.
    part: key of ``WHEN``; "day" omits the weekday.
    """
    if moment is None:
        return EMPTY
    if not isinstance(moment, datetime):
        words = format_moment(moment, "day" if part == "day" else "date")
        return format_html('<time datetime="{}">{}</time>', moment.isoformat(), words)
    tz = ZoneInfo(zone) if zone else timezone.get_current_timezone()
    local = timezone.localtime(moment, tz)
    words = format_moment(local, part)
    has_name = (named or not zone) and part not in ("date", "day")
    name = format_html(' <small class="zone">{}</small>', tz) if has_name else EMPTY
    return format_html('<time datetime="{}">{}</time>{}', local.isoformat(), words, name)
