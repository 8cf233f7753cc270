"""The forms of an event: its settings, with the options that its formula offers, its texts and
rulings.
"""

from collections.abc import Iterable, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext, gettext_lazy, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from config.criteria_fields import initial_tiebreaker_positions
from config.wording import error_message
from decks.formats.selectors import house_format_choices
from decks.models import Catalogue
from decks.stored_formats import base_format
from rules.deckbuilding.formats import MatchDefaults
from rules.errors import BadInput
from rules.events.timetable import format_minute, make_break, validate_breaks
from rules.numbers import MOST_POINTS, format_points, read_points
from rules.standings.table import DEFAULT_CRITERIA
from tournaments.clock.forms import WarningsField, format_warnings
from tournaments.core.formulas import (
    available_formulas,
    is_multiplayer,
    points_columns,
    result_points,
)
from tournaments.core.moments import (
    LocalTimeField,
    TimeZoneField,
    is_ambiguous_time,
    localize_in_zone,
    refuse_locked_changes,
)
from tournaments.core.valid_columns import column_validator, integer_limits
from tournaments.events.forms.formula_fields import (
    POINTS,
    ScoringForm,
    formula_fields_context,
    grouped_formula_choices,
    limit_cut_choices,
    open_list_fields,
    open_list_initial,
    open_lists_from_fields,
    option_fields,
    option_initial,
    options_from_fields,
    table_points_initial,
)
from tournaments.events.services import ALWAYS, LONGEST_INFORMATION, check_registration
from tournaments.models import Event
from tournaments.models.event import format_choices, usual_warnings


class PointsField(forms.CharField):
    """Field for points such as 3, ½, 0.25 or 1/2; cleans to a ``Fraction``."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=8, **options)
        self.widget.attrs |= {"inputmode": "decimal", "autocomplete": "off"}
        self.limits = (MinValueValidator(0), MaxValueValidator(MOST_POINTS))

    def clean(self, value: Any) -> Any:
        """Return the points. Raises ValidationError."""
        typed = super().clean(value)
        try:
            points = read_points(typed)
        except BadInput as refused:
            raise forms.ValidationError(error_message(refused)) from None
        for limit in self.limits:
            limit(points)
        return points


USUAL, SITE, NONE = "usual", "site", "none"


def catalogue_field(owner_id: int | None) -> forms.ChoiceField | None:
    """Return the field to choose a card catalogue, None if there are none; one query."""
    if not Catalogue.objects.loaded().open_to(owner_id).exists():
        return None
    return forms.ChoiceField(
        label=gettext_lazy("Known cards"),
        choices=[
            (USUAL, gettext("The organiser’s, otherwise the site’s")),
            (SITE, gettext("The site’s")),
            (NONE, pgettext("cards", "none")),
        ],
        required=False,
    )


def catalogue_settings(choice: str, format_slug: str) -> dict[str, Any]:
    """Return the event settings for a value of `catalogue_field`; at most one query.

    Raises ValidationError if the site has no catalogue of the format's game.
    """
    catalogue = None
    if choice == SITE:
        game = base_format(format_slug).game
        catalogue = Catalogue.objects.loaded().filter(game=game, owner=None).first()
        if catalogue is None:
            raise forms.ValidationError(gettext("Choose one of the options."))
    return {"catalogue": catalogue, "without_catalogue": choice == NONE}


def catalogue_initial(values: Mapping[str, Any]) -> str:
    """Return the initial value of `catalogue_field` for an event's settings."""
    if values.get("without_catalogue"):
        return NONE
    return SITE if values.get("catalogue") else USUAL


class BreaksField(forms.CharField):
    """Field for breaks as lines such as "13:00 40 Lunch"; cleans to what is stored."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Breaks"),
            max_length=600,
            required=False,
            widget=forms.Textarea(attrs={"rows": 2, "class": "short"}),
            help_text=_("One per line: start, minutes, name. Example: 13:00 40 Lunch"),
        )

    def to_python(self, value: Any) -> Any:
        """Return the breaks as they are stored. Raises ValidationError."""
        try:
            found = [_break(line) for line in str(value or "").splitlines() if line.strip()]
            return [one.as_json() for one in validate_breaks(found)]
        except BadInput as error:
            raise forms.ValidationError(error_message(error)) from None

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Return whether other breaks are typed than were shown."""
        return str(initial or "").split() != str(data or "").split()


def _break(line: str) -> Any:
    at, _space, rest = line.strip().partition(" ")
    minutes, _space, label = rest.strip().partition(" ")
    number = (
        int(minutes) if minutes.isascii() and minutes.isdecimal() and len(minutes) < 5 else None
    )
    return make_break(at.replace(".", ":"), number, label.strip())


def format_breaks(breaks: Iterable[Mapping[str, Any]]) -> str:
    """Return stored breaks as lines of text for `BreaksField`."""
    lines = (f"{one['at']} {one['minutes']} {one.get('label', '')}".strip() for one in breaks)
    return "\n".join(lines)


class MinuteOfDayField(forms.TimeField):
    """Field for a time of day; cleans to minutes since midnight."""

    widget = forms.TimeInput(attrs={"type": "time"})

    def clean(self, value: Any) -> Any:
        """Return the minutes since midnight, None for an empty field."""
        found = super().clean(value)
        return None if found is None else found.hour * 60 + found.minute

    def prepare_value(self, value: Any) -> Any:
        """Return minutes as "20:00"."""
        return format_minute(value) if isinstance(value, int) else value


PLAIN = (
    *("name", "about", "venue", "fee", "time_zone", "format", "formula"),
    *("minutes", "warnings", "decklists", "capacity"),
    *("player_reports", "show_leaders", "show_prospects", "apart_clubs", "confirm_after", "breaks"),
    *("standings_held", "overtime", "ends_by", "listed", "tables", "paired_elsewhere"),
)
CHOSEN = ("listed", "paired_elsewhere")
"""Settings that are true or false, offered as a choice of two sentences."""
OF_DECKS = ("decklists", "decklist_deadline", "cards", "show_leaders")
"""Settings of decks: as they are in an event of a game without."""
MOMENTS = ("starts_at", "decklist_deadline", "registration_opens", "registration_closes")
CARDS = ("catalogue", "without_catalogue")
PARTS = (*POINTS, "points_parts")
SETTINGS = (*PLAIN, *MOMENTS, *PARTS, *CARDS, "options", "criteria", "open_lists", "table_points")


class EventForm(ScoringForm):
    """Form for all settings of an event; ``values`` returns them for the services.

    It offers the owner's formats, formulas and card catalogues, with three queries. ``locked``: the
    event has started, so most fields are disabled. ``in_sight``: names of settings that are
    displayed as fields, not as chips.
    """

    in_sight: tuple[str, ...] = ()
    """Settings that stand open, where others are chips."""
    name = forms.CharField(label=_("Name"), max_length=120)
    starts_at = LocalTimeField(label=_("Date and time"))
    venue = forms.CharField(
        label=_("Venue"),
        max_length=200,
        required=False,
        validators=[column_validator(Event, "venue")],
    )
    fee = forms.CharField(
        label=_("Fee"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"placeholder": "5 €"}),
        validators=[column_validator(Event, "fee")],
    )
    about = forms.CharField(
        label=_("About"),
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 3}),
        validators=[column_validator(Event, "about")],
    )
    format = forms.ChoiceField()
    formula = forms.ChoiceField(label=_("Tournament format"))
    minutes = forms.IntegerField(label=_("Minutes per round"), **integer_limits(Event, "minutes"))
    warnings = WarningsField(
        label=_("Warnings"),
        max_length=60,
        required=False,
        help_text=_("Minutes before the end, such as 15, 10, 5."),
    )
    overtime = forms.IntegerField(
        label=_("Minutes of overtime"),
        **integer_limits(Event, "overtime"),
        required=False,
    )
    breaks = BreaksField()
    ends_by = MinuteOfDayField(
        label=_("Must end by"),
        required=False,
    )
    decklists = forms.ChoiceField(label=_("Decklists"), choices=Event.Decklists.choices)
    decklist_deadline = LocalTimeField(label=_("Decklist deadline"), required=False)
    registration_opens = LocalTimeField(label=_("Registration from"), required=False)
    registration_closes = LocalTimeField(label=_("Registration until"), required=False)
    capacity = forms.IntegerField(
        label=_("Player limit"),
        **integer_limits(Event, "capacity"),
        required=False,
    )
    player_reports = forms.BooleanField(label=_("Players report their results"), required=False)
    confirm_after = forms.IntegerField(
        label=_("Minutes until a player’s report becomes final"),
        **integer_limits(Event, "confirm_after"),
        initial=0,
        required=False,
        help_text=_("0: every report needs confirmation."),
    )
    show_leaders = forms.BooleanField(
        label=_("Leaders become public with the first pairings"),
        required=False,
    )
    show_prospects = forms.BooleanField(
        label=_("Who advances"),
        required=False,
    )
    standings_held = forms.ChoiceField(
        label=_("Standings"),
        choices=Event.Held.choices,
        required=False,
        help_text=_(
            "If hidden, only the staff can see standings until you publish them, "
            "even those already shown."
        ),
    )
    apart_clubs = forms.BooleanField(
        label=_("Keep players from the same club apart in Swiss rounds"),
        required=False,
    )
    paired_elsewhere = forms.TypedChoiceField(
        label=pgettext_lazy("setting", "Paired elsewhere"),
        choices=[("False", _("no")), ("True", _("yes"))],
        coerce=lambda typed: typed == "True",
        empty_value=None,
        required=False,
        help_text=_("Sanctioned event? Pair in TOM or EventLink and paste the pairings here."),
    )
    listed = forms.TypedChoiceField(
        label=_("In event listings"),
        choices=[
            ("True", _("yes")),
            ("False", _("no")),
        ],
        coerce=lambda typed: typed == "True",
        empty_value=None,
        required=False,
    )
    tables = forms.CharField(
        label=_("Tables"),
        max_length=120,
        required=False,
        widget=forms.TextInput(attrs={"placeholder": "1–20, 31–40"}),
        help_text=_("A single number is the first table."),
    )
    time_zone = TimeZoneField(label=_("Time zone"))
    points_win = PointsField(label=_("Win"))
    points_draw = PointsField(label=_("Drawn match"))
    points_loss = PointsField(label=_("Loss"))

    def __init__(
        self,
        *args: Any,
        owner_id: int | None,
        locked: bool = False,
        decks: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.decks = decks
        present = str(self.initial.get("format") or "")
        offered = [*format_choices(), *house_format_choices(owner_id, present)]
        self.fields["format"] = forms.ChoiceField(
            label=gettext("Format"),
            choices=offered,
        )
        if (known := catalogue_field(owner_id)) is not None:
            self.fields["cards"] = known
        self.chosen_cards: dict[str, Any] = {}
        self.locked, self.owner_id = locked, owner_id
        self.notes: list[str] = []
        present = str(self.initial.get("formula") or "")
        chosen = self.data.get("formula") if self.is_bound else present
        self.offered = {item.key: item for item in available_formulas(owner_id, present)}
        self.fields["formula"] = forms.ChoiceField(
            label=gettext("Tournament format"),
            choices=grouped_formula_choices(self.offered.values()),
        )
        self.chosen = str(chosen or "")
        for formula in self.offered.values():
            for option in formula.options:
                sizes = self.initial.get(f"option_{formula.key}_{option.key}")
                for name, made in option_fields(formula.key, option, sizes):
                    made.required = made.required and formula.key == chosen
                    self.fields[name] = made
            self.fields.update(open_list_fields(formula))
        self.add_table_fields()
        if self.is_bound and not locked:
            self.take_usual()
        if self.chosen in self.offered:
            limit_cut_choices(self, self.offered[self.chosen])
        for name, item in self.fields.items():
            item.disabled = (locked and name not in ALWAYS) or (not decks and name in OF_DECKS)

    def clean(self) -> dict[str, Any]:
        """Interpret times in the event's zone."""
        values = super().clean()
        if values.get("time_zone"):
            zone = ZoneInfo(values["time_zone"])
            for name in MOMENTS:
                self._place(values, name, zone)
        if values.get("cards") and values.get("format"):
            try:
                self.chosen_cards = catalogue_settings(values["cards"], values["format"])
            except forms.ValidationError as error:
                self.add_error("cards", error)
        if self.locked:
            refuse_locked_changes(self)
        else:
            self._check_registration(values)
            self.check_options(values)
        return values

    def _check_registration(self, values: dict[str, Any]) -> None:
        try:
            check_registration(values.get("registration_opens"), values.get("registration_closes"))
        except BadInput as refused:
            self.add_error("registration_opens", error_message(refused))

    def _place(self, values: dict[str, Any], name: str, zone: ZoneInfo) -> None:
        if not values.get(name):
            return
        try:
            values[name] = localize_in_zone(values[name], zone)
        except forms.ValidationError as error:
            self.add_error(name, error)
            return
        if is_ambiguous_time(values[name]):
            self.notes.append(
                gettext("%(field)s: the clocks go back that day. The first %(time)s counts.")
                % {"field": self.fields[name].label, "time": f"{values[name]:%H:%M}"}
            )

    def values(self) -> dict[str, Any]:
        """Return the settings of a valid form."""
        cleaned = self.cleaned_data
        values = {name: cleaned[name] for name in (*PLAIN, *MOMENTS) if name in cleaned}
        values["table_points"] = cleaned.get("table_points")
        if not self.at_tables:
            values |= points_columns(*(cleaned[name] for name in POINTS))
        values["confirm_after"] = values["confirm_after"] or 0
        for name in CHOSEN:
            if values[name] is None:  # nothing was sent
                del values[name]
        formula = self.offered[cleaned["formula"]]
        values["options"] = dict(options_from_fields(formula, cleaned))
        values["criteria"] = self.criteria_in(cleaned)
        values["open_lists"] = open_lists_from_fields(formula, cleaned)
        values |= self.chosen_cards
        return {key: item for key, item in values.items() if not self.locked or key in ALWAYS}

    def play(self) -> MatchDefaults | None:
        """Return how matches of the chosen format are played, None for a wrong one."""
        try:
            return base_format(self.fields["format"].clean(self["format"].value())).match
        except (forms.ValidationError, BadInput):
            return None

    def formula_fields(self) -> dict[str, Any] | None:
        """Return the fields of the chosen formula's options, None without a formula."""
        formula = self.offered.get(self.chosen)
        return formula_fields_context(self, formula) if formula else None


def settings_form_initial(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form's initial values for settings by name.

    Missing settings get their defaults.
    """
    usual = {item.name: item.default for item in Event._meta.fields if item.name in PLAIN}
    plain = {name: item for name, item in usual.items() if isinstance(item, str | int)}
    initial = plain | {name: values[name] for name in PLAIN if name in values}
    worth = result_points(Event(**{name: values[name] for name in PARTS if name in values}))
    initial |= dict(zip(POINTS, map(format_points, worth), strict=True))
    initial |= {name: str(initial[name]) for name in CHOSEN}
    initial["cards"] = catalogue_initial(values)
    initial["breaks"] = format_breaks(values.get("breaks") or ())
    initial["warnings"] = format_warnings(values.get("warnings", usual_warnings()))
    if zone := values.get("time_zone"):
        for name in MOMENTS:
            if values.get(name):
                initial[name] = values[name].astimezone(ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M")
    formula = str(initial.get("formula") or "")
    for key, value in (values.get("options") or {}).items():
        initial |= option_initial(formula, key, value)
    initial |= open_list_initial(formula, values.get("open_lists") or ())
    initial |= table_points_initial(values.get("table_points"))
    criteria = values.get("criteria") or DEFAULT_CRITERIA
    return initial | initial_tiebreaker_positions(criteria, at_tables=is_multiplayer(formula))


def event_settings(event: Event) -> dict[str, Any]:
    """Return an event's settings by name."""
    return {name: getattr(event, name) for name in SETTINGS}


class InformationForm(forms.Form):
    """Form for the Markdown text of the information page."""

    information = forms.CharField(
        label=_("Information"),
        required=False,
        max_length=LONGEST_INFORMATION,
        help_text=_("Markdown: # heading, **bold**, - list, [words](https://…)"),
        widget=forms.Textarea(attrs={"rows": 14}),
    )


class RulingsForm(forms.Form):
    """Form for the head judge's rulings.

    ``seen``: fingerprint of the text that the page displayed.
    """

    rulings = forms.CharField(
        label=_("Head judge’s rulings"),
        max_length=5000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 10}),
    )
    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=64)
