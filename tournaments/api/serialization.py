"""Events, stages, rounds and matches as JSON; no queries. Source: contracts, API."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, tzinfo
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import empty

from config.wording import error_message, translate
from decks.decklists.selectors import sentence_from_json
from rules.errors import BadInput
from rules.events.timetable import LONGEST_BREAK, LONGEST_LABEL, format_minute
from rules.json_reader import LARGE
from rules.numbers import MOST_POINTS, number_to_json, read_points
from rules.results import Winner, two_seats
from rules.stages.base import LEGS
from tournaments.core.clocks import clock_json
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.extra_matches import is_cross_group_match
from tournaments.core.formulas import formula_by_slug, is_saved_formula, result_points
from tournaments.core.labels import is_intentional_draw, round_label
from tournaments.core.mapping import outcome_from_report, report_games, report_score
from tournaments.core.moments import check_year, zone_choices
from tournaments.core.rows import AnyMatch, AnyReport, AnyRound
from tournaments.models import Event, Stage

Serializer = serializers.Serializer[Any]
LARGEST = 32_767
ONE_LEG = {"type": "integer", "minimum": LEGS.least, "maximum": LEGS.most}
TIME_OF_DAY = r"^([01]\d|2[0-3]):[0-5]\d$"


def validate_input(shape: type[Serializer], sent: Any, **options: Any) -> Any:
    """Return the validated data of a request body; raises ValidationError.

    shape: serializer class. sent: the body. options: further arguments of the serializer.
    """
    read = shape(data=sent, **options)
    read.is_valid(raise_exception=True)
    return read.validated_data


@contextmanager
def field_validation_error() -> Iterator[None]:
    """Context manager: convert BadInput into DRF's ValidationError, translated."""
    try:
        yield
    except BadInput as refused:
        raise serializers.ValidationError(error_message(refused)) from None


def serialize_row(
    shape: type[serializers.Serializer[Any]], row: object, **given: object
) -> dict[str, Any]:
    """Return a dict with a serializer's fields, from an object's attributes.

    shape: serializer class. given: values that replace attributes.
    """
    names = shape._declared_fields
    return {name: given[name] if name in given else getattr(row, name) for name in names}


def reject_unused_fields(values: Mapping[str, Any], *names: str) -> None:
    """Raise ValidationError if the body has a value for one of these field names."""
    unused = {name: [_("Leave this out.")] for name in names if values.get(name)}
    if unused:
        raise serializers.ValidationError(unused)


@extend_schema_field({"oneOf": [ONE_LEG, {"type": "array", "items": ONE_LEG}]})
class LegsField(serializers.Field):  # type: ignore[type-arg]
    """Serializer field: a number of legs, or a list with one number per stage."""

    def to_internal_value(self, data: Any) -> int | list[int]:
        """Return the number or the list."""
        values = data if isinstance(data, list) else [data]
        allowed = range(LEGS.least, LEGS.most + 1)
        if not values or any(type(value) is not int or value not in allowed for value in values):
            raise serializers.ValidationError(
                _("Enter a whole number from %(least)s to %(most)s.")
                % {"least": LEGS.least, "most": LEGS.most}
            )
        return list(values) if isinstance(data, list) else int(data)

    def to_representation(self, value: Any) -> Any:
        """Return the value as it is."""
        return value


class TimeOfDayField(serializers.RegexField):
    """Serializer field: a time such as "18:30"; its value is minutes since midnight."""

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
class MatchPointsField(serializers.Field):  # type: ignore[type-arg]
    """Serializer field: points for a match, an integer or text like "5/4"; a Fraction."""

    def to_internal_value(self, data: Any) -> Fraction:
        """Return the number. Raises ValidationError out of bounds and for other fractions."""
        try:
            points = read_points(str(data)) if type(data) in (int, str) else Fraction(-1)
        except BadInput:
            points = Fraction(-1)
        if not 0 <= points <= MOST_POINTS:
            raise serializers.ValidationError(
                _("Enter a number from 0 to %(most)s, such as 1/2.") % {"most": MOST_POINTS}
            )
        return points

    def to_representation(self, value: Any) -> Any:
        """Return the value as it is."""
        return value


class EventTimeField(serializers.DateTimeField):
    """Serializer field: date and time, limited to the years that ``check_year`` allows.

    Without an offset it is in the event's time zone.
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


class WholeNumberField(serializers.IntegerField):
    """Serializer field: an integer, by default from 0 to the largest that a column holds."""

    def __init__(self, *, min_value: int = 0, max_value: int = LARGE, **options: Any) -> None:
        super().__init__(min_value=min_value, max_value=max_value, **options)


class NumberListField(serializers.ListField):
    """Serializer field: a list of integers, for responses."""

    child = serializers.IntegerField()


class PositiveNumbersField(serializers.ListField):
    """Serializer field: a list of integers from 1, such as player numbers."""

    child = WholeNumberField(min_value=1)


class TranslatedField(serializers.CharField):
    """Serializer field: a Sentence in the reader's language; read only."""

    def to_representation(self, value: Any) -> str:
        """Return the sentence as text."""
        return translate(value)


class NumbersByNameField(serializers.DictField):
    """Serializer field: an object with integers by name."""

    child = serializers.IntegerField()


class PointsOutput(Serializer):
    """Points for a win, a draw and a loss; for multiplayer tables as they were sent."""

    win = MatchPointsField(required=False)
    draw = MatchPointsField(required=False)
    loss = MatchPointsField(required=False)
    preset = serializers.CharField(required=False, help_text="Of tables: win5, win3 or places")
    places = serializers.ListField(child=serializers.IntegerField(), required=False)
    bye = serializers.IntegerField(required=False)


class BreakField(Serializer):
    """A planned break; ``at`` is in the event's time zone."""

    at = serializers.RegexField(TIME_OF_DAY, help_text="13:00")
    minutes = serializers.IntegerField(min_value=1, max_value=LONGEST_BREAK)
    label = serializers.CharField(  # type: ignore[assignment]
        max_length=LONGEST_LABEL, allow_blank=True, default=""
    )


class EventOutput(Serializer):
    """An event's settings and state."""

    slug = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    format = serializers.CharField()
    formula = serializers.CharField()
    legs = LegsField(help_text="1 to 4, or a list where stages differ")
    starts_at = serializers.DateTimeField()
    time_zone = serializers.CharField()
    venue = serializers.CharField()
    fee = serializers.CharField()
    registration_opens = serializers.DateTimeField(allow_null=True)
    registration_closes = serializers.DateTimeField(allow_null=True)
    capacity = serializers.IntegerField(allow_null=True)
    decklists = serializers.ChoiceField(choices=Event.Decklists.choices)
    minutes = serializers.IntegerField()
    criteria = serializers.ListField(child=serializers.CharField())
    points = PointsOutput()
    status = serializers.ChoiceField(choices=Event.State.choices)
    options = serializers.DictField()
    show_prospects = serializers.BooleanField()
    apart_clubs = serializers.BooleanField()
    paired_elsewhere = serializers.BooleanField(
        help_text="Its Swiss rounds are made with pairings alone: another program pairs them"
    )
    confirm_after = serializers.IntegerField(
        help_text="Minutes until a report counts that nobody answers; 0: never"
    )
    breaks = BreakField(many=True)
    ends_by = serializers.RegexField(
        TIME_OF_DAY,
        allow_null=True,
        help_text="When it must end, by its time zone: 18:30; the next day if that is earlier",
    )
    overtime = serializers.IntegerField(allow_null=True, help_text="Minutes after the clock's end")
    standings_held = serializers.ChoiceField(
        choices=Event.Held.choices, help_text="Which rounds' tables only the staff see; empty: none"
    )
    standings_released = serializers.IntegerField(
        allow_null=True, help_text="The round up to which they were released"
    )
    listed = serializers.BooleanField(
        help_text="Whether it stands in lists, calendar, feed and search; its address works always"
    )
    memberships = serializers.ListField(
        child=serializers.CharField(),
        help_text="Names of the membership numbers that registration asks for",
    )
    tables = serializers.CharField(
        help_text="Its tables in the hall, as 1-20, 31-40; one number: from there on; empty: from 1"
    )
    version = serializers.IntegerField()


Json = dict[str, Any]
COSTS = ("repeats", "apart", "again", "low", "spread")


def event_json(event: Event) -> Json:
    """Return an event's settings and state as a dict, the fields of EventOutput."""
    return serialize_row(
        EventOutput,
        event,
        legs=event_legs(event),
        starts_at=_local_iso(event, event.starts_at),
        registration_opens=_local_iso(event, event.registration_opens),
        registration_closes=_local_iso(event, event.registration_closes),
        criteria=list(event.criteria),
        points=_points_json(event),
        status=event.state,
        options={key: value for key, value in event.options.items() if key != "legs"},
        breaks=[dict(one) for one in event.breaks],
        memberships=list(event.contact_terms.get("memberships", [])),
        ends_by=None if event.ends_by is None else format_minute(event.ends_by),
    )


def _points_json(event: Event) -> Json:
    if not is_saved_formula(event.formula) and formula_by_slug(event.formula).of_tables:
        return dict(event.table_points or {"preset": "win5"})
    return dict(
        zip(("win", "draw", "loss"), map(number_to_json, result_points(event)), strict=True)
    )


def checked_event_json(event: Event) -> Json:
    """Return an event as ``event_json`` does; raises ValueError if it is damaged.

    It is damaged if it holds a value that JSON can't, such as NaN.
    """
    found = event_json(event)
    json.dumps(found, allow_nan=False)
    return found


def _local_iso(event: Event, moment: datetime | None) -> str | None:
    return moment.astimezone(event.zone).isoformat() if moment else None


def event_legs(event: Event) -> int | list[int]:
    """Return an event's number of legs, or a list with one number per stage if they differ."""
    legs = event.options.get("legs")
    if legs is None and is_saved_formula(event.formula):
        return 1  # a formula of one's own has no options: it says the legs of each stage
    if legs is None:
        option = formula_by_slug(event.formula).option("legs")
        legs = option.default if option else 1
    if isinstance(legs, list):
        return legs[0] if len(set(legs)) == 1 else legs
    return int(legs)


def stage_json(stage: StageFacts) -> Json:
    """Return a stage as a dict for JSON, with its groups and, once closed, its places."""
    closed = stage.stage.state == Stage.State.CLOSED
    return {
        "number": stage.stage.number,
        "name": str(stage.plan.label),
        "key": stage.stage.key,
        "kind": stage.stage.kind,
        "legs": stage.stage.legs,
        "state": stage.stage.state,
        "groups": [
            {
                "name": group,
                "seats": list(seats),
                "rounds": stage.kind.meetings(stage.state, group),
            }
            for group, seats in stage.state.seats.items()
        ],
        "places": dict(stage.stage.places) if closed else {},
    }


def round_json(facts: EventFacts, stage: StageFacts, round_: AnyRound) -> Json:
    """Return a round as a dict for JSON, with its timer, matches and pairing costs."""
    return {
        "number": round_.ordinal,
        "name": round_label(stage, round_),
        "stage": stage.stage.number,
        "state": round_.state,
        "clock": clock_json(facts.event, round_, timed=stage.plan.timed),
        "level": [player for level in round_.level_sets for player in level],
        "sets": [list(level) for level in round_.level_sets],
        "matches": [match_json(facts, stage, round_, match) for match in stage.matches_of(round_)],
        **cost_json(round_),
    }


def cost_json(round_: AnyRound) -> Json:
    """Return {"cost", "proven"}: a round's pairing costs by kind, whether they are minimal.

    Only rounds of multiplayer tables have costs; for others both are None.
    """
    if round_.cost is None:
        return {"cost": None, "proven": None}
    cost = {key: round_.cost[key] for key in COSTS}
    return {"cost": cost, "proven": round_.cost["proven"]}


def match_json(facts: EventFacts, stage: StageFacts, round_: AnyRound, match: AnyMatch) -> Json:
    """Return a match as a dict for JSON, with the result that counts."""
    groups = {group.pk: group.name for group in stage.groups}
    across = round_.is_extra and is_cross_group_match(stage, round_, match)
    seats = [facts.numbers[key] for key in match.seats]
    a, b = two_seats(seats, None) if match.size < 3 else (None, None)
    return {
        "id": match.pk,
        "stage": stage.stage.number,
        "group": "" if across else groups.get(match.group_id, ""),
        "round": round_.ordinal,
        "table": match.table,
        "plays_at": match.plays_at,
        "a": a,
        "b": b,
        "seats": seats,
        "best_of": match.best_of,
        **result_json(match),
        "extra": round_.is_extra,
        "reason": translate(sentence_from_json(match.reason)) if match.reason else "",
        "by_hand": bool(match.reason.get("by_hand")),
    }


AGREED = "agreed"
"""How an intentional draw (0–0–3) ended, beside the values of ``EndedBy``."""


def result_json(match: AnyMatch) -> Json:
    """Return version, state and the result that counts of a match, as a dict for JSON."""
    decision = match.decision
    score = report_score(decision) if decision else None
    won = report_games(decision) if decision else None
    outcome = outcome_from_report(decision, match.size) if decision else None
    return {
        "version": match.version,
        "state": match.state,
        "score": list(score) if score else None,
        "games": list(decision.games) if decision and decision.games else None,
        "games_won": list(won) if won else None,
        "winner": (decision.winner or None) if decision else None,
        "places": list(outcome.places) if outcome and outcome.counts else None,
        "marks": dict(decision.marks or {}) if decision else {},
        "ended_by": _ended_by(decision) if decision else None,
    }


def _ended_by(decision: AnyReport) -> str:
    drawn = decision.winner == Winner.DRAW and is_intentional_draw(report_games(decision))
    return AGREED if drawn else decision.ended_by
