"""Content common to all sheets: event, foot, words, and names with the part that sorts them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import segno
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from tournaments.core.names import as_listed
from tournaments.core.rows import AnyEntry
from tournaments.models import Event

Content = dict[str, Any]
FINGERPRINT = 16
"""Characters of the log's fingerprint on paper: enough to contradict a changed log."""


def common_content(event: Event, now: datetime, **words: str) -> Content:
    """Return the content common to all sheets of an event; no query.

    The foot identifies a printing by its moment and the log's fingerprint.
    """
    zone = ZoneInfo(event.time_zone)
    date = date_format(timezone.localtime(event.starts_at, zone), "D j F Y")
    return {
        "language": get_language() or "en",
        "event": event.name,
        "date": date.lower() if get_language() == "it" else date,
        "foot": _("Girone · printed %(moment)s · log line %(line)s, fingerprint %(fingerprint)s")
        % {
            "moment": date_format(timezone.localtime(now, zone), "j.n.Y H:i"),
            "line": event.version,
            "fingerprint": event.head[:FINGERPRINT] or "–",
        },
        "words": {"sheet": _("sheet {page} of {pages}"), **words},
    }


def date_with_time(event: Event) -> str:
    """Return when an event begins, in words, in its own time zone."""
    begins = timezone.localtime(event.starts_at, ZoneInfo(event.time_zone))
    values = {"date": date_format(begins, "l j F Y"), "time": date_format(begins, "H:i")}
    words = _("%(date)s, %(time)s") % values
    return words.lower() if get_language() == "it" else words


def subtitle(content: Content, *more: str) -> str:
    """Return the line below a sheet's title."""
    return " · ".join(filter(None, (content["event"], content["date"], *more)))


def name_parts(entry: AnyEntry) -> Mapping[str, str]:
    """Return a player's name: the part by which it is sorted, and the rest."""
    shown = as_listed(entry)
    return {"sorted": shown.surname, "rest": shown.rest}


def first_letters(entry: AnyEntry) -> str:
    """Return the first letters of the surname, for the range by which readers find their page."""
    return as_listed(entry).letters


NOBODY = {"sorted": "", "rest": ""}


def qr(text: str) -> str:
    """Return a QR code as an SVG document."""
    drawn: str = segno.make_qr(text, error="m").svg_inline(border=0, omitsize=False)
    return drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
