"""Serializers of events."""

from collections.abc import Callable
from typing import Any

from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from rest_framework import serializers

from config.wording import explain
from decks.rulebook import deck_format
from rules.criteria import CRITERIA
from rules.criteria.of_tables import TABLE_CRITERIA
from rules.errors import BadInput
from rules.events.timetable import MOST_BREAKS
from rules.people.contacts import LONGEST_MEMBERSHIP, MOST_MEMBERSHIPS, terms_of
from tournaments.api.event_output import BreakField, EventOutput
from tournaments.api.fields import Legs, MatchPoints, Moment, Serializer, TimeOfDay, Whole
from tournaments.api.serialization import Json
from tournaments.core.formulas import formula_of
from tournaments.core.moments import zone_choices
from tournaments.core.permissions import Actor
from tournaments.core.valid_columns import limits, validator_of
from tournaments.events.selectors.table_clashes import table_clashes
from tournaments.events.services.settings import LONGEST_INFORMATION
from tournaments.models import Event
from tournaments.models.match import MOST_SEATS


def _number_field(column: str, **options: Any) -> serializers.IntegerField:
    """Return a field for a column of whole numbers, within the column's limits."""
    return serializers.IntegerField(**limits(Event, column), required=False, **options)


def _text_field(column: str, **options: Any) -> serializers.CharField:
    """Return a field for a column of text, held to what the column may hold."""
    checks = [validator_of(Event, column)]
    return serializers.CharField(allow_blank=True, required=False, validators=checks, **options)


class PointsInput(Serializer):
    """Points for a win, a draw and a loss; at tables also a preset, or points by place."""

    win = MatchPoints(required=False)
    draw = MatchPoints(required=False)
    loss = MatchPoints(required=False)
    preset = serializers.CharField(
        max_length=20, required=False, help_text="Of tables: win5, win3 or places"
    )
    places = serializers.ListField(
        child=_number_field("points_win"),
        min_length=1,
        max_length=MOST_SEATS,
        required=False,
        help_text="Of tables: the points of place 1, 2, …",
    )
    bye = _number_field("points_win", help_text="Of tables: the points of a bye")


def _known_slug(slug: str, find: Callable[[str], object]) -> str:
    """Return a slug that can be found. Raises ValidationError."""
    try:
        find(slug)
    except BadInput as unknown:
        raise serializers.ValidationError(explain(unknown)) from None
    return slug


class EventInput(Serializer):
    """An event's settings."""

    name = serializers.CharField(max_length=120)
    slug = serializers.SlugField(
        max_length=70, required=False, help_text="Made from the name unless one is asked for"
    )
    about = _text_field("about")
    format = serializers.CharField(max_length=60)
    formula = serializers.CharField(max_length=60)
    legs = Legs(required=False)
    starts_at = Moment(default=timezone.now)
    time_zone = serializers.CharField(required=False)
    venue = _text_field("venue", max_length=200)
    fee = _text_field("fee", max_length=200)
    registration_opens = Moment(allow_null=True, required=False)
    registration_closes = Moment(allow_null=True, required=False)
    capacity = _number_field("capacity", allow_null=True)
    decklists = serializers.ChoiceField(choices=Event.Decklists.choices, required=False)
    minutes = _number_field("minutes")
    criteria = serializers.ListField(
        child=serializers.ChoiceField(choices=[]), allow_empty=False, required=False
    )
    points = PointsInput(required=False)
    options = serializers.DictField(required=False)
    show_prospects = serializers.BooleanField(required=False)
    apart_clubs = serializers.BooleanField(required=False)
    confirm_after = _number_field("confirm_after", help_text="Minutes; 0: the opponent confirms")
    breaks = serializers.ListField(child=BreakField(), max_length=MOST_BREAKS, required=False)
    ends_by = TimeOfDay(
        allow_null=True, required=False, help_text="18:30, by its time zone; null: no such hour"
    )
    overtime = _number_field("overtime", allow_null=True)
    standings_held = serializers.ChoiceField(choices=Event.Held.choices, required=False)
    listed = serializers.BooleanField(required=False)
    tables = _text_field("tables", max_length=120, help_text="Its tables in the hall: 1-20, 31-40")
    memberships = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_MEMBERSHIP),
        max_length=MOST_MEMBERSHIPS,
        required=False,
        help_text="Names of the membership numbers that registration asks for",
    )
    reason = serializers.CharField(
        max_length=300,
        required=False,
        help_text="Why the criteria of a running event change; asked for then",
    )
    status = serializers.ChoiceField(choices=Event.State.choices, required=False)

    def get_fields(self) -> dict[str, Any]:
        """Fill in the choices of registered formats, formulas and criteria."""
        fields = super().get_fields()
        known = dict.fromkeys((*CRITERIA.keys(), *TABLE_CRITERIA.keys()))
        fields["criteria"].child.choices = list(known)  # type: ignore[attr-defined]
        return fields

    def validate_slug(self, slug: str) -> str:
        """Return the slug in lower case. Raises ValidationError without a letter or digit."""
        small = slugify(slug).strip("-")
        if not small:
            raise serializers.ValidationError(_("A slug needs a letter or a digit."))
        return small

    def validate_memberships(self, names: list[str]) -> list[str]:
        """Return the names, each once. Raises ValidationError."""
        try:
            return list(terms_of({"memberships": names}).memberships)
        except BadInput as wrong:
            raise serializers.ValidationError(explain(wrong)) from None

    def validate_format(self, slug: str) -> str:
        """Return a known format. Raises ValidationError."""
        return _known_slug(slug, deck_format)

    def validate_formula(self, slug: str) -> str:
        """Return a known formula. Raises ValidationError."""
        return _known_slug(slug, formula_of)

    def validate_time_zone(self, name: str) -> str:
        """Return an existing time zone. Raises ValidationError."""
        if (name, name) not in zone_choices():
            raise serializers.ValidationError(_("There is no such time zone."))
        return name


class EventChange(EventInput):
    """Changed settings, and the version of the event that the caller has seen."""

    version = Whole(min_value=0, required=False, help_text="409 where the event has another by now")


class TableClashOutput(Serializer):
    """An event of the same day and venue, and the tables that both have."""

    event = serializers.CharField(help_text="Its slug")
    tables = serializers.CharField()


class ChangedEventOutput(EventOutput):
    """An event after a change, with the events whose tables are also its own."""

    table_clashes = TableClashOutput(
        many=True, help_text="Of the same day and venue; only events that the caller may see"
    )


def clashes_json(event: Event, actor: Actor) -> list[Json]:
    """Return the events that have tables of this event too, those that the actor may see."""
    found = table_clashes(event, actor).clashes
    return [{"event": one.event.slug, "tables": one.tables.in_words} for one in found if one.event]


class InformationOutput(Serializer):
    """The page of information."""

    text = serializers.CharField(help_text="Markdown; HTML and images are left out of the page")
    version = serializers.IntegerField(help_text="Of the event")


class InformationInput(Serializer):
    """A new text, and the version of the event that the caller has seen."""

    text = serializers.CharField(
        max_length=LONGEST_INFORMATION, allow_blank=True, trim_whitespace=False
    )
    version = Whole(min_value=0, required=False, help_text="409 where the event has another by now")
