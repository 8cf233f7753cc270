"""Fields of forms: local date and time in an event's zone, those locked after their page had been
opened, those needed sometimes. Also minutes in words, zones, and years.
"""

from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


def mark_conditionally_required(field: forms.CharField) -> forms.CharField:
    """Mark a field as required by some choices of its form, and return it.

    Its label then doesn't say "optional".
    """
    field.sometimes = True  # type: ignore[attr-defined]
    return field


def refuse_locked_changes(form: forms.Form) -> None:
    """Add a form error if a disabled field was submitted with another value.

    That happens if the page was loaded before the field was locked. An unticked checkbox can't
    be told from a field that was not submitted.
    """
    labels = [str(item.label) for name, item in form.fields.items() if _sent_anew(form, name, item)]
    if labels:
        words = _("You can’t change this after the start: %(what)s.")
        form.add_error(None, words % {"what": ", ".join(labels)})


def _sent_anew(form: forms.Form, name: str, item: forms.Field) -> bool:
    key = form.add_prefix(name)
    if not item.disabled or key not in form.data:
        return False
    sent = item.widget.value_from_datadict(form.data, form.files, key)
    held = form.get_initial_for_field(item, name)
    return _as_text(item, sent) != _as_text(item, held)


def _as_text(item: forms.Field, value: Any) -> str:
    """Return a value as the field's ``to_python`` reads it, or unchanged if it is invalid."""
    try:
        read = item.to_python(value)
    except forms.ValidationError:
        read = value
    return "" if read is None else str(read)


FIRST_YEAR, LAST_YEAR = 2000, 2100
"""Years in which events take place; the definition of a time zone is known for no others."""


class LocalTimeField(forms.CharField):
    """Field for ``<input type=datetime-local>``; cleans to a naive datetime."""

    # With a last year of four figures, browsers go on to the hour after the fourth.
    widget = forms.DateTimeInput(
        attrs={"type": "datetime-local", "max": f"{LAST_YEAR}-12-31T23:59"},
        format="%Y-%m-%dT%H:%M",
    )

    def clean(self, value: Any) -> datetime | None:
        """Return the naive datetime, None if empty. Raises ValidationError."""
        text = super().clean(value)
        if not text:
            return None
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            moment = None
        if moment is None or moment.tzinfo is not None:
            raise forms.ValidationError(_("Write the date and time like this: 2026-12-05 10:00."))
        check_year(moment)
        return moment


def minutes_text(minutes: int) -> str:
    """Return whole minutes as text: "less than a minute", "3 min"."""
    if minutes < 1:
        return gettext("less than a minute")
    return gettext("%(minutes)s min") % {"minutes": minutes}


def check_year(moment: datetime) -> None:
    """Raise ValidationError unless the year is 2000 to 2100.

    The year is that in the moment's own zone.
    """
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise forms.ValidationError(
            _("Enter a year from %(first)s to %(last)s."),
            params={"first": FIRST_YEAR, "last": LAST_YEAR},
        )


class TimeZoneField(forms.CharField):
    """Field for a time zone's name, typed or chosen from the browser's own list."""

    def __init__(self, **kwargs: Any) -> None:
        attrs = {"list": "time-zones", "autocomplete": "off", "spellcheck": "false"}
        super().__init__(max_length=60, widget=forms.TextInput(attrs=attrs), **kwargs)

    def clean(self, value: Any) -> str:
        """Return the name as it is written. Raises ValidationError with the nearest name."""
        typed = super().clean(value)
        if not typed:
            return ""
        names = {name.lower(): name for name, _label in zone_choices()}
        if typed.lower() in names:
            return names[typed.lower()]
        towns = {name.lower().rpartition("/")[2].replace("_", " "): name for name in names.values()}
        near = get_close_matches(typed.lower(), [*towns, *names], n=1, cutoff=0.7)
        if not near:
            near = ["europe/rome"]
        raise forms.ValidationError(
            _("Unknown time zone. Did you mean %(name)s?"),
            params={"name": towns.get(near[0]) or names[near[0]]},
        )


def zone_choices() -> list[tuple[str, str]]:
    """Return (name, name) form choices of IANA time zones, UTC last."""
    return [(name, name) for name in sorted(available_timezones()) if "/" in name] + [
        ("UTC", "UTC")
    ]


def localize_in_zone(moment: datetime, zone: ZoneInfo) -> datetime:
    """Return a naive datetime as aware in the zone, the earlier one if ambiguous.

    Raises ValidationError for a time skipped by the change to summer time.
    """
    local = moment.replace(tzinfo=zone, fold=0)
    back = local.astimezone(UTC).astimezone(zone).replace(tzinfo=None)
    if back != moment:
        raise forms.ValidationError(
            _("%(time)s doesn’t exist on this day: the clocks change. Enter %(nearest)s."),
            params={"time": f"{moment:%H:%M}", "zone": zone.key, "nearest": f"{back:%H:%M}"},
        )
    return local


def is_ambiguous_time(local: datetime) -> bool:
    """Return whether an aware local time is ambiguous because clocks go back then."""
    return local.utcoffset() != local.replace(fold=1).utcoffset()
