"""Forms of series: name, points and order; who is who; events and staff."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.forms import BoundField
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from config.criteria_fields import TiebreakerFieldsForm
from rules.names import name_key
from rules.numbers import number_to_json
from rules.series.points import (
    BETTER,
    LONGEST_REASON,
    MONTH,
    MOST_EVENTS,
    MOST_PLACES,
    SHARE,
    VENUE,
    Adjustment,
)
from rules.series.table import SERIES_CRITERIA
from tournaments.core.moments import LocalTimeField, localize_in_zone
from tournaments.models import Event, Series, SeriesStaff
from tournaments.prizes.forms import PrizesForm
from tournaments.series.people import SeriesPeople
from tournaments.series.selectors import tiebreaker_keys

NONE, OWN = "none", "own"
CIRCUIT, LONG_CIRCUIT = (10, 8, 6, 5, 4, 3, 2, 1), (25, 18, 15, 12, 10, 8, 6, 4, 2, 1)
PRESETS: Mapping[str, dict[str, Any]] = {
    "circuit": {"by_place": [*CIRCUIT]},
    "long-circuit": {"by_place": [*LONG_CIRCUIT]},
    "evening": {"match_points": 1, "taking_part": 1},
}
"""What an event is worth, by choice of the form."""
KINDS = (
    (NONE, _("No standings")),
    ("circuit", format_lazy("{}: {}", _("By place"), "-".join(map(str, CIRCUIT)))),
    ("long-circuit", format_lazy("{}: {}", _("By place"), "-".join(map(str, LONG_CIRCUIT)))),
    ("evening", _("Match points + 1 for playing")),
    (OWN, _("Custom points")),
)
WORTH = ("by_place", "match_points", "taking_part", "wins")
BETWEEN = re.compile(r"[\s;–-]+")
SPARE, LONGEST_TEXT, LONGEST_NUMBER, LONGEST_NAME = 2, 2000, 12, 120
ROW = re.compile(r"points\.adjustments\[(\d+)\](?:\.(\w+))?")
FACTOR = re.compile(r"points\.factor\.(.+)")


def parse_typed_number(text: str) -> int | str:
    """Return a typed number of points as an integer if it is one, else as text."""
    text = text.strip().replace("−", "-").replace(",", ".")
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text


def parse_points_by_place(text: str) -> list[int | str]:
    """Return the points by place typed as "10 8 6 5" or "10-8-6-5"."""
    return [parse_typed_number(part) for part in BETWEEN.split(text.strip()) if part]


def parse_points_by_size(text: str) -> list[dict[str, Any]]:
    """Return points by number of players, typed one size per line as "16: 15 12 10".

    Each is {"from": players, "by_place": points}.
    """
    found = []
    for line in filter(str.strip, text.splitlines()):
        least, _colon, points = line.partition(":")
        found.append({"from": parse_typed_number(least), "by_place": parse_points_by_place(points)})
    return found


def _as_text(points: Sequence[Any]) -> str:
    return "-".join(map(str, points))


def _number(label: Any, **more: Any) -> forms.CharField:
    widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"} | more)
    return forms.CharField(label=label, max_length=LONGEST_NUMBER, required=False, widget=widget)


def _whole(label: Any, most: int, **more: Any) -> forms.IntegerField:
    field = forms.IntegerField(label=label, min_value=1, max_value=most, required=False)
    field.widget.attrs |= more
    return field


class SeriesForm(TiebreakerFieldsForm):
    """Form of a series: name, points, tiebreakers, bonuses and penalties.

    ``events`` get a factor each and may always count, ``people`` may get adjustments, ``given`` are
    the present ones. ``values`` of a valid form are those of ``services.change_series``.
    """

    offers_presets = False
    criteria = SERIES_CRITERIA
    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME)
    kind = forms.ChoiceField(
        label=_("Points"), choices=KINDS, widget=forms.RadioSelect, initial="circuit"
    )
    by_place = forms.CharField(
        label=_("Points by place"),
        max_length=LONGEST_TEXT,
        required=False,
        widget=forms.TextInput(attrs={"placeholder": "10 8 6 5", "autocomplete": "off"}),
    )
    match_points = _number(_("Per match point"), placeholder="0")
    taking_part = _number(_("Participation"), placeholder="0")
    wins = _number(_("Per match won"), placeholder="0")
    best = _whole(_("Best results counted"), MOST_EVENTS, placeholder=_("All events"))
    ties = forms.ChoiceField(
        label=_("Tied players"),
        choices=((BETTER, _("Points for the higher place")), (SHARE, _("Split the points"))),
        required=False,
    )
    by_players = forms.CharField(
        label=_("Points by number of players"),
        max_length=LONGEST_TEXT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "placeholder": "16: 15 12 10 8\n32: 20 17 14"}),
    )
    least_events = _whole(_("Minimum events per player"), MOST_EVENTS)
    min_players = _whole(_("Minimum players per event"), MOST_PLACES)
    limit = _whole(_("Maximum results per venue or month"), MOST_EVENTS)
    per = forms.ChoiceField(
        label=_("Count by"), choices=((VENUE, _("Venue")), (MONTH, _("Month"))), required=False
    )
    names_are_people = forms.BooleanField(
        label=_("The same name means the same person"), required=False
    )
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(
        self,
        *args: Any,
        series: Series | None = None,
        events: Sequence[Event] = (),
        people: SeriesPeople | None = None,
        given: Sequence[Adjustment] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.events, self.people, self.series = events, people, series
        self.persons: list[int] = []
        self.add_criteria()
        for event in events:
            self.fields[f"factor_{event.pk}"] = _number(event.name, placeholder="1")
            self.fields[f"always_{event.pk}"] = forms.BooleanField(
                label=_("Always counts"), required=False
            )
            for name, words in (("factor", _("Factor")), ("always", _("Always counts"))):
                named = format_lazy("{}: {}", event.name, words)
                self.fields[f"{name}_{event.pk}"].widget.attrs["aria-label"] = named
        sent = sum(f"person_{at}" in self.data for at in range(MOST_PLACES)) if self.data else 0
        self.count = max(sent, len(given) + SPARE) if people and people.by_key else 0
        for at in range(self.count):
            self.fields[f"person_{at}"] = forms.CharField(
                label=_("Player"),
                max_length=LONGEST_NAME,
                required=False,
                widget=forms.TextInput(attrs={"list": "people", "autocomplete": "off"}),
            )
            self.fields[f"bonus_{at}"] = _number(_("Points"), placeholder="-2")
            self.fields[f"reason_{at}"] = forms.CharField(
                label=_("Reason"), max_length=LONGEST_REASON, required=False
            )
            for name in ("person", "bonus", "reason"):
                field = self.fields[f"{name}_{at}"]
                field.widget.attrs["aria-label"] = format_lazy("{} {}", field.label, at + 1)
        self.initial = {**initial_series_values(series, events, people, given), **self.initial}

    def clean(self) -> dict[str, Any]:
        """Find the people who are named."""
        sent = super().clean()
        self.given = [at for at in range(self.count) if self._row_is_filled(at)]
        self.persons = [self._person_at(at) for at in self.given]
        return sent

    def _row_is_filled(self, at: int) -> bool:
        return any(self.cleaned_data.get(f"{name}_{at}") for name in ("person", "bonus", "reason"))

    def _person_at(self, at: int) -> int:
        """Return the key of the person who is named, 0 with an error if there is none."""
        found = find_person_by_name(self.people, self.cleaned_data.get(f"person_{at}", ""))
        if found is None:
            self.add_error(f"person_{at}", _("No player has this name."))
        return found or 0

    @property
    def values(self) -> dict[str, Any]:
        """Return the values of the series, as programs send them."""
        sent = self.cleaned_data
        return {
            "name": sent["name"],
            "points": self._points(),
            "order": self.criteria_in(sent),
            "names_are_people": sent["names_are_people"],
        }

    def _points(self) -> dict[str, Any] | None:
        sent = self.cleaned_data
        if sent["kind"] == NONE:
            return None
        found = PRESETS.get(sent["kind"]) or self._worth()
        numbers = {key: sent[key] for key in ("best", "least_events", "min_players") if sent[key]}
        found = {**found, **numbers}
        if sent["ties"] == SHARE:
            found["ties"] = SHARE
        if sent["by_players"].strip():
            found["by_players"] = parse_points_by_size(sent["by_players"])
        if sent["limit"]:
            found["at_most"] = {"per": sent["per"] or VENUE, "count": sent["limit"]}
        if factors := {
            e.slug: parse_typed_number(t) for e in self.events if (t := sent[f"factor_{e.pk}"])
        }:
            found["factor"] = factors
        if always := [event.slug for event in self.events if sent[f"always_{event.pk}"]]:
            found["always_counts"] = always
        if self.count:
            found["adjustments"] = [
                {
                    "person": person,
                    "points": parse_typed_number(sent[f"bonus_{at}"]),
                    "reason": sent[f"reason_{at}"],
                }
                for at, person in zip(self.given, self.persons, strict=True)
            ]
        return found

    def _worth(self) -> dict[str, Any]:
        sent = self.cleaned_data
        found: dict[str, Any] = {
            key: parse_typed_number(sent[key]) for key in WORTH[1:] if sent[key]
        }
        if sent["by_place"].strip():
            found["by_place"] = parse_points_by_place(sent["by_place"])
        return found

    def field_of(self, path: str) -> str:
        """Return the field at which an error at this path of the values is shown."""
        if row := ROW.match(path):
            name = {"points": "bonus", "reason": "reason"}.get(row[2] or "", "person")
            return f"{name}_{self.given[int(row[1])]}"
        if factor := FACTOR.match(path):
            return next((f"factor_{one.pk}" for one in self.events if one.slug == factor[1]), "")
        name = re.split(r"[.\[]", path.removeprefix("points."))[0]
        return {"points": "kind", "at_most": "limit"}.get(name, name)

    # --- What templates show ---------------------------------------------------------------
    @property
    def adjustments(self) -> Iterator[tuple[BoundField, BoundField, BoundField]]:
        """Yield person, points and reason of each bonus or penalty."""
        for at in range(self.count):
            yield self[f"person_{at}"], self[f"bonus_{at}"], self[f"reason_{at}"]

    @property
    def of_events(self) -> Iterator[tuple[Event, BoundField, BoundField]]:
        """Yield each event with its factor, and whether it always counts."""
        for event in self.events:
            yield event, self[f"factor_{event.pk}"], self[f"always_{event.pk}"]

    @property
    def is_unusual(self) -> bool:
        """Return whether something folded is set, or wrong."""
        folded = self.fields.keys() - {"name", "kind", "best", "version", *WORTH}
        folded = {name for name in folded if not name.startswith(self.prefix_of_criteria)}
        return any(
            self[name].errors or self[name].value() not in (None, "", False, BETTER, VENUE)
            for name in folded
        )


def initial_series_values(
    series: Series | None,
    events: Sequence[Event],
    people: SeriesPeople | None,
    given: Sequence[Adjustment],
) -> dict[str, Any]:
    """Return the initial values of ``SeriesForm``; ``series`` None is a new one.

    ``given`` are the present bonuses and penalties.
    """
    order = tiebreaker_keys(series) if series else tiebreaker_keys(Series())
    found: dict[str, Any] = {
        f"{SeriesForm.prefix_of_criteria}{key}": at for at, key in enumerate(order, start=1)
    }
    if series is None:
        return found
    found |= {"name": series.name, "version": series.version, "kind": NONE}
    found["names_are_people"] = series.names_are_people
    points: Mapping[str, Any] = series.points or {}
    if series.points is not None:
        found |= {key: value for key, value in points.items() if isinstance(value, int | str)}
        worth = {key: points[key] for key in WORTH if points.get(key)}
        found["kind"] = next((key for key, one in PRESETS.items() if one == worth), OWN)
        found["by_place"] = _as_text(points.get("by_place") or ())
    sizes = points.get("by_players") or ()
    found["by_players"] = "\n".join(f"{one['from']}: {_as_text(one['by_place'])}" for one in sizes)
    if limit := points.get("at_most"):
        found |= {"limit": limit["count"], "per": limit["per"]}
    for event in events:
        found[f"factor_{event.pk}"] = (points.get("factor") or {}).get(event.slug)
        found[f"always_{event.pk}"] = event.slug in (points.get("always_counts") or ())
    for at, one in enumerate(given):
        person = people.by_key[int(one.person)] if people else None
        found[f"person_{at}"] = person.display_name if person else ""
        found[f"bonus_{at}"] = number_to_json(one.points)
        found[f"reason_{at}"] = one.reason
    return found


def find_person_by_name(people: SeriesPeople | None, name: str) -> int | None:
    """Return the key of the only person with this name, else None."""
    wanted = name_key(name)
    known = people.by_key.values() if people else ()
    found = [one for one in known if wanted in (name_key(one.display_name), name_key(one.name))]
    exact = [one for one in found if name_key(one.display_name) == wanted]
    chosen = exact or found
    return chosen[0].key if len(chosen) == 1 else None


class SeriesRoleForm(forms.Form):
    """Form that gives a role on a series' staff to the account with an email address."""

    email = forms.EmailField(label=_("Email address"))
    role = forms.ChoiceField(
        label=_("Role"), choices=SeriesStaff.Role.choices, initial=SeriesStaff.Role.HELPER
    )


class SamePersonForm(forms.Form):
    """Form that names two people of a series who are the same person."""

    one = forms.CharField(label=_("Player 1"), max_length=LONGEST_NAME)
    other = forms.CharField(label=_("Player 2"), max_length=LONGEST_NAME)

    def __init__(self, *args: Any, people: SeriesPeople, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.people = people
        for field in self.fields.values():
            field.widget.attrs |= {"list": "people", "autocomplete": "off"}

    def clean(self) -> dict[str, Any]:
        """Find the two people."""
        sent = super().clean() or {}
        for name in ("one", "other"):
            if sent.get(name):
                key = find_person_by_name(self.people, sent[name])
                if key is None:
                    self.add_error(name, _("No player has this name."))
                else:
                    sent[name] = self.people.by_key[key]
        return sent


class FinalForm(forms.Form):
    """Form of a series' final: number of players, byes, format and start.

    ``zone`` is the time zone of the start; ``formulas`` are choices of tournament formats.
    """

    first = forms.IntegerField(label=_("Players"), min_value=2, max_value=MOST_PLACES)
    first_round_byes = forms.IntegerField(
        label=_("Byes in round 1"), min_value=0, max_value=MOST_PLACES, required=False
    )
    formula = forms.ChoiceField(label=_("Tournament format"))
    starts_at = LocalTimeField(label=_("Date and time"))
    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME)
    version = forms.IntegerField(widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, zone: ZoneInfo, formulas: Sequence[tuple[str, Any]], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.zone = zone
        self.fields["formula"].choices = formulas  # type: ignore[attr-defined]

    def clean_starts_at(self) -> datetime:
        """Return the start in the zone."""
        return localize_in_zone(self.cleaned_data["starts_at"], self.zone)


class SeriesPrizesForm(PrizesForm):
    """Form of a series' prizes by place; ``seen`` is the series version the page showed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["by"].widget = forms.HiddenInput()
