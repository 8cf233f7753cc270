"""Moments typed as local time, read in an event's zone."""

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.utils.translation import gettext_lazy as _


class LocalTimeField(forms.CharField):
    """Date and time without a zone, as a browser's own field sends it; cleans to naive."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")

    def clean(self, value: Any) -> datetime | None:
        """Return the naive moment, None for an empty field."""
        text = super().clean(value)
        if not text:
            return None
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            moment = None
        if moment is None or moment.tzinfo is not None or not 2000 <= moment.year <= 2200:
            raise forms.ValidationError(_("Write date and time like 2026-12-05 10:00."))
        return moment


def zone_choices() -> list[tuple[str, str]]:
    """Return the names of places with a time zone."""
    return [(name, name) for name in sorted(available_timezones()) if "/" in name] + [
        ("UTC", "UTC")
    ]


def in_zone(moment: datetime, zone: ZoneInfo) -> datetime:
    """Return the moment in the zone, the first of two; ValidationError when there is none."""
    local = moment.replace(tzinfo=zone, fold=0)
    back = local.astimezone(UTC).astimezone(zone).replace(tzinfo=None)
    if back != moment:
        raise forms.ValidationError(
            _(
                "There is no %(time)s on this day in %(zone)s: the clocks go forward. "
                "The nearest time is %(nearest)s."
            ),
            params={"time": f"{moment:%H:%M}", "zone": zone.key, "nearest": f"{back:%H:%M}"},
        )
    return local


def comes_twice(local: datetime) -> bool:
    """Say whether the clocks show this time twice on its day."""
    return local.utcoffset() != local.replace(fold=1).utcoffset()
