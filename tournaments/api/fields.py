"""Serializer fields shared by endpoints."""

from collections.abc import Mapping
from datetime import datetime, tzinfo
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import empty

from config.wording import translate
from rules.errors import BadInput
from rules.json_reader import LARGE
from rules.point_parts import MOST_POINTS, read_points
from rules.stages.settings import LEGS
from tournaments.core.moments import check_year, zone_choices

Serializer = serializers.Serializer[Any]
LARGEST = 32_767
ONE_LEG = {"type": "integer", "minimum": LEGS.least, "maximum": LEGS.most}
TIME_OF_DAY = r"^([01]\d|2[0-3]):[0-5]\d$"


def validated(shape: type[Serializer], sent: Any, **options: Any) -> Any:
    """Return what was sent as a serializer reads it. Raises ValidationError."""
    read = shape(data=sent, **options)
    read.is_valid(raise_exception=True)
    return read.validated_data


def fields_of(
    shape: type[serializers.Serializer[Any]], row: object, **given: object
) -> dict[str, Any]:
    """Return a row as the fields of a serializer: its attributes, but for the values given."""
    names = shape._declared_fields
    return {name: given[name] if name in given else getattr(row, name) for name in names}


def refuse_unused(values: Mapping[str, Any], *names: str) -> None:
    """Raise ValidationError if one of the fields ``names``, of no use here, was sent a value."""
    unused = {name: [_("It has no use here: leave it out.")] for name in names if values.get(name)}
    if unused:
        raise serializers.ValidationError(unused)


@extend_schema_field({"oneOf": [ONE_LEG, {"type": "array", "items": ONE_LEG}]})
class Legs(serializers.Field):  # type: ignore[type-arg]
    """A number of legs, or a list of them by stage."""

    def to_internal_value(self, data: Any) -> int | list[int]:
        """Return the number or the list."""
        values = data if isinstance(data, list) else [data]
        allowed = range(LEGS.least, LEGS.most + 1)
        if not values or any(type(value) is not int or value not in allowed for value in values):
            raise serializers.ValidationError(
                _("A number from %(least)s to %(most)s, or a list of them.")
                % {"least": LEGS.least, "most": LEGS.most}
            )
        return list(values) if isinstance(data, list) else int(data)

    def to_representation(self, value: Any) -> Any:
        """Return the value as it is."""
        return value


class TimeOfDay(serializers.RegexField):
    """A time of the event's own zone, "18:30", kept as minutes since midnight."""

    def __init__(self, **options: Any) -> None:
        super().__init__(TIME_OF_DAY, **options)

    def run_validation(self, data: Any = empty) -> Any:
        """Return the minutes since midnight."""
        found = super().run_validation(data)
        if not isinstance(found, str):
            return found
        hours, minutes = found.split(":")
        return int(hours) * 60 + int(minutes)


@extend_schema_field(
    {
        "oneOf": [
            {"type": "integer", "minimum": 0, "maximum": MOST_POINTS},
            {"type": "string", "example": "1/2"},
        ]
    }
)
class MatchPoints(serializers.Field):  # type: ignore[type-arg]
    """Points of a match: a whole number, or halves and quarters as text (``"5/4"``)."""

    def to_internal_value(self, data: Any) -> Fraction:
        """Return the number. Raises ValidationError out of bounds and for other fractions."""
        try:
            points = read_points(str(data)) if type(data) in (int, str) else Fraction(-1)
        except BadInput:
            points = Fraction(-1)
        if not 0 <= points <= MOST_POINTS:
            raise serializers.ValidationError(
                _("A number from 0 to %(most)s, whole or a part as “1/2” or “5/4”.")
                % {"most": MOST_POINTS}
            )
        return points

    def to_representation(self, value: Any) -> Any:
        """Return the value as it is."""
        return value


class Moment(serializers.DateTimeField):
    """A moment of the years in which events take place (``core.moments.check_year``).

    Without an offset it is the time in the event's zone, as people there read it.
    """

    def default_timezone(self) -> tzinfo | None:
        """Return the time zone of the request body, else of the event, else of the site."""
        sent = getattr(self.parent, "initial_data", None)
        name = sent.get("time_zone") if isinstance(sent, dict) else None
        if isinstance(name, str) and (name, name) in zone_choices():
            return ZoneInfo(name)
        own: tzinfo | None = self.context.get("zone") or super().default_timezone()
        return own

    def enforce_timezone(self, value: datetime) -> datetime:
        """Return the value with a time zone. Raises ValidationError for another year."""
        check_year(value)
        return super().enforce_timezone(value)


class Whole(serializers.IntegerField):
    """A whole number that is sent; unless it has other bounds, those of a column."""

    def __init__(self, *, min_value: int = 0, max_value: int = LARGE, **options: Any) -> None:
        super().__init__(min_value=min_value, max_value=max_value, **options)


class Numbers(serializers.ListField):
    """A list of whole numbers, as answers have it."""

    child = serializers.IntegerField()


class Chosen(serializers.ListField):
    """Players by number, or matches by id."""

    child = Whole(min_value=1)


class Translated(serializers.CharField):
    """A sentence, in the reader's language."""

    def to_representation(self, value: Any) -> str:
        """Return the sentence as text."""
        return translate(value)


class NumbersByName(serializers.DictField):
    """Whole numbers by name."""

    child = serializers.IntegerField()
