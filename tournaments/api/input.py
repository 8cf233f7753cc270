"""What the API's calls take; everything else in a body is left aside."""

from datetime import datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from config.wording import explain
from decks.rulebook import deck_format
from rules.clock import MOST_MINUTES, ClockAction
from rules.criteria import CRITERIA
from rules.errors import BadInput
from rules.person_names import clean_name
from tournaments.forms.moments import zone_choices
from tournaments.models import Entry, Event
from tournaments.selectors.formulas import formula_of
from tournaments.services.late_entries import MISSED

Serializer = serializers.Serializer[Any]
LARGEST = 32_767


@extend_schema_field(
    {"oneOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]}
)
class Legs(serializers.Field):  # type: ignore[type-arg]
    """1, 2, or a list of them."""

    def to_internal_value(self, data: Any) -> int | list[int]:
        """Return the number or the list."""
        values = data if isinstance(data, list) else [data]
        if not values or any(type(value) is not int or value not in (1, 2) for value in values):
            raise serializers.ValidationError(_("1, 2, or a list of them."))
        return list(values) if isinstance(data, list) else int(data)

    def to_representation(self, value: Any) -> Any:
        """Return the value as it is."""
        return value


class Moment(serializers.DateTimeField):
    """A moment; the year 1 is refused where the time zone would need the year 0.

    Without an offset it is the time in the event's zone, as people there read it.
    """

    def default_timezone(self) -> tzinfo | None:
        """Return the zone that is sent along, else that of the event, else that of the site."""
        sent = getattr(self.parent, "initial_data", None)
        name = sent.get("time_zone") if isinstance(sent, dict) else None
        if isinstance(name, str) and (name, name) in zone_choices():
            return ZoneInfo(name)
        own: tzinfo | None = self.context.get("zone") or super().default_timezone()
        return own

    def enforce_timezone(self, value: datetime) -> datetime:
        """Return the moment in the zone of the site."""
        try:
            return super().enforce_timezone(value)
        except OverflowError:
            self.fail("overflow")


class PointsInput(Serializer):
    """What a result is worth."""

    win = serializers.IntegerField(min_value=0, max_value=100, required=False)
    draw = serializers.IntegerField(min_value=0, max_value=100, required=False)
    loss = serializers.IntegerField(min_value=0, max_value=100, required=False)


class EventInput(Serializer):
    """An event's settings."""

    name = serializers.CharField(max_length=120)
    slug = serializers.SlugField(
        max_length=70, required=False, help_text="Made from the name unless one is asked for"
    )
    about = serializers.CharField(allow_blank=True, required=False)
    format = serializers.CharField(max_length=60)
    formula = serializers.CharField(max_length=60)
    legs = Legs(required=False)
    starts_at = Moment(default=timezone.now)
    time_zone = serializers.CharField(required=False)
    venue = serializers.CharField(max_length=200, allow_blank=True, required=False)
    fee = serializers.CharField(max_length=200, allow_blank=True, required=False)
    registration_opens = Moment(allow_null=True, required=False)
    registration_closes = Moment(allow_null=True, required=False)
    capacity = serializers.IntegerField(
        min_value=1, max_value=10_000, allow_null=True, required=False
    )
    decklists = serializers.ChoiceField(choices=Event.Decklists.choices, required=False)
    minutes = serializers.IntegerField(min_value=1, max_value=LARGEST, required=False)
    criteria = serializers.ListField(
        child=serializers.ChoiceField(choices=[]), allow_empty=False, required=False
    )
    points = PointsInput(required=False)
    options = serializers.DictField(required=False)
    show_prospects = serializers.BooleanField(required=False)
    apart_clubs = serializers.BooleanField(required=False)
    confirm_after = serializers.IntegerField(
        min_value=0, max_value=600, required=False, help_text="Minutes; 0: the opponent confirms"
    )
    reason = serializers.CharField(
        max_length=300,
        required=False,
        help_text="Why the criteria of a running event change; asked for then",
    )
    status = serializers.ChoiceField(choices=Event.State.choices, required=False)

    def get_fields(self) -> dict[str, Any]:
        """Fill in the choices that are registered, not written down."""
        fields = super().get_fields()
        fields["criteria"].child.choices = CRITERIA.keys()  # type: ignore[attr-defined]
        return fields

    def validate_slug(self, slug: str) -> str:
        """Return it in small letters; refuse one of signs alone."""
        small = slugify(slug).strip("-")
        if not small:
            raise serializers.ValidationError(_("A slug needs a letter or a digit."))
        return small

    def validate_format(self, slug: str) -> str:
        """Refuse a format that nobody knows."""
        try:
            deck_format(slug)
        except BadInput as unknown:
            raise serializers.ValidationError(explain(unknown)) from None
        return slug

    def validate_formula(self, slug: str) -> str:
        """Refuse a formula that nobody knows."""
        try:
            formula_of(slug)
        except BadInput as unknown:
            raise serializers.ValidationError(explain(unknown)) from None
        return slug

    def validate_starts_at(self, moment: datetime) -> datetime:
        """Refuse moments at the ends of time, which no other time zone can tell."""
        if not 1900 <= moment.year < 9999:
            raise serializers.ValidationError(_("The year must lie between 1900 and 9998."))
        return moment

    def validate_registration_opens(self, moment: datetime | None) -> datetime | None:
        """Refuse moments that no other time zone can tell."""
        return moment and self.validate_starts_at(moment)

    def validate_registration_closes(self, moment: datetime | None) -> datetime | None:
        """Refuse moments that no other time zone can tell."""
        return moment and self.validate_starts_at(moment)

    def validate_time_zone(self, name: str) -> str:
        """Refuse a zone that does not exist."""
        if (name, name) not in zone_choices():
            raise serializers.ValidationError(_("There is no such time zone."))
        return name


class EventChange(EventInput):
    """Changed settings, and the version of the event that the caller has seen."""

    version = serializers.IntegerField(
        min_value=0, required=False, help_text="409 where the event has another by now"
    )


class StartInput(Serializer):
    """How an event starts: drawn, drawn from a seed, or with the seats given."""

    seed = serializers.CharField(max_length=64, required=False)
    groups = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(min_value=1)),
        allow_empty=False,
        required=False,
    )
    witnesses = serializers.CharField(max_length=300, required=False)
    note = serializers.CharField(max_length=500, allow_blank=True, required=False)
    override = serializers.CharField(max_length=300, required=False)


class PlayerInput(Serializer):
    """A player."""

    name = serializers.CharField(max_length=200)
    club = serializers.CharField(max_length=80, allow_blank=True, required=False)
    seed = serializers.IntegerField(min_value=1, max_value=10_000, allow_null=True, required=False)
    fixed_table = serializers.IntegerField(
        min_value=1, max_value=LARGEST, allow_null=True, required=False
    )
    status = serializers.ChoiceField(choices=Entry.Status.choices, required=False)
    reason = serializers.CharField(max_length=300, allow_blank=True, required=False)
    late = serializers.ChoiceField(
        choices=list(MISSED),
        required=False,
        help_text="After the start of Swiss rounds: what each round missed counts as",
    )

    def validate_name(self, name: str) -> str:
        """Refuse a name that can't be read as one."""
        try:
            return clean_name(name)
        except BadInput as wrong:
            raise serializers.ValidationError(explain(wrong)) from None


class LotsInput(Serializer):
    """Lots drawn by hand, first to last; without an order the tool draws."""

    order = serializers.ListField(
        child=serializers.IntegerField(min_value=1), allow_empty=False, required=False
    )
    note = serializers.CharField(max_length=500, allow_blank=True, required=False)
    witnesses = serializers.CharField(max_length=300, required=False)


class RoundInput(Serializer):
    """The next round: published at once unless it is only to be drafted."""

    draft = serializers.BooleanField(default=False)


class ExtraInput(Serializer):
    """Extra matches among the level ``players``, or of several ``sets`` of them in one round.

    Without both they are among the first who block the stage. Published at once unless they are
    only to be drafted.
    """

    players = serializers.ListField(
        child=serializers.IntegerField(min_value=1), min_length=2, required=False
    )
    sets = serializers.ListField(
        child=serializers.ListField(
            child=serializers.IntegerField(min_value=1), min_length=2, max_length=LARGEST
        ),
        min_length=1,
        max_length=LARGEST,
        required=False,
    )
    draft = serializers.BooleanField(default=False)


class PublishInput(Serializer):
    """The version of the draft that the caller has looked at, from its check list."""

    version = serializers.IntegerField(min_value=0, required=False)


class ClockInput(Serializer):
    """An act on the clock of a round; ``minutes`` for everybody belong to ``add``."""

    action = serializers.ChoiceField(choices=[str(key) for key in ClockAction])
    minutes = serializers.IntegerField(min_value=1, max_value=MOST_MINUTES, required=False)
