"""The settings of an event, with the options that its formula offers."""

from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.wording import explain
from decks.formats.selectors import house_choices
from decks.rulebook import base_format
from rules.deckbuilding.play import Play
from rules.errors import BadInput
from tournaments.clock.forms import WarningsField
from tournaments.core.forms import refuse_locked
from tournaments.core.formulas import formulas_offered
from tournaments.core.moments import LocalTimeField, TimeZoneField, comes_twice, in_zone
from tournaments.core.valid_columns import limits, validator_of
from tournaments.core.worth import worth_in_columns
from tournaments.events.forms.breaks import BreaksField, MinuteField
from tournaments.events.forms.cards import card_field, cards_in
from tournaments.events.forms.formula_fields import (
    FormulaFields,
    fields_of,
    offered_choices,
    open_fields,
    open_in,
    option_fields,
    options_in,
)
from tournaments.events.forms.points import PointsField
from tournaments.events.forms.table_points import POINTS, TableFields
from tournaments.events.services.settings import ALWAYS, check_registration
from tournaments.models import Event
from tournaments.models.event import format_choices

PLAIN = (
    *("name", "about", "venue", "fee", "time_zone", "format", "formula"),
    *("minutes", "warnings", "decklists", "capacity"),
    *("player_reports", "show_leaders", "show_prospects", "apart_clubs", "confirm_after", "breaks"),
    *("standings_held", "overtime", "ends_by", "listed", "tables"),
)
OF_DECKS = ("decklists", "decklist_deadline", "cards", "show_leaders")
"""Settings of decks: as they are in an event of a game without."""
MOMENTS = ("starts_at", "decklist_deadline", "registration_opens", "registration_closes")
CARDS = ("catalogue", "without_catalogue")
PARTS = (*POINTS, "points_parts")
SETTINGS = (*PLAIN, *MOMENTS, *PARTS, *CARDS, "options", "criteria", "open_lists", "table_points")


class EventForm(TableFields):
    """All settings of an event; ``values`` returns them as the services expect them.

    The owner's house formats and saved formulas are offered beside those that came with the
    program, and a choice of cards where there are any; three queries.
    ``locked`` greys out what can't be changed after the start.
    """

    asks_game = False
    """Whether the form asks for the game too (``other_game``)."""
    name = forms.CharField(label=_("Name"), max_length=120)
    starts_at = LocalTimeField(label=_("Date and time"))
    venue = forms.CharField(
        label=_("Venue"),
        max_length=200,
        required=False,
        validators=[validator_of(Event, "venue")],
    )
    fee = forms.CharField(
        label=_("Fee"),
        max_length=200,
        required=False,
        help_text=_("Such as “5 €” or “free”."),
        validators=[validator_of(Event, "fee")],
    )
    about = forms.CharField(
        label=_("About"),
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 3}),
        validators=[validator_of(Event, "about")],
    )
    format = forms.ChoiceField()
    formula = forms.ChoiceField(label=_("Formula"))
    minutes = forms.IntegerField(label=_("Minutes a round"), **limits(Event, "minutes"))
    warnings = WarningsField(
        label=_("Warnings"),
        max_length=60,
        required=False,
        help_text=_("Minutes before the end, such as 15, 10, 5. Empty: none."),
    )
    overtime = forms.IntegerField(
        label=_("Minutes of overtime"),
        **limits(Event, "overtime"),
        required=False,
        help_text=_("After the end the clock counts up and says so. Empty: none."),
    )
    breaks = BreaksField()
    ends_by = MinuteField(
        label=_("Must end by"),
        required=False,
        help_text=_("When the hall closes; before the start it means the next day. Empty: open."),
    )
    decklists = forms.ChoiceField(label=_("Decklists"), choices=Event.Decklists.choices)
    decklist_deadline = LocalTimeField(
        label=_("Decklists until"), required=False, help_text=_("Empty: until the start.")
    )
    registration_opens = LocalTimeField(
        label=_("Registration from"),
        required=False,
        help_text=_("Empty: as soon as you open it. You can enter players before."),
    )
    registration_closes = LocalTimeField(
        label=_("Registration until"), required=False, help_text=_("Empty: until you close it.")
    )
    capacity = forms.IntegerField(
        label=_("Places"),
        **limits(Event, "capacity"),
        required=False,
        help_text=_("Whoever comes later waits on a list. Empty: no limit."),
    )
    player_reports = forms.BooleanField(label=_("Players report their results"), required=False)
    confirm_after = forms.IntegerField(
        label=_("Minutes until a player’s report counts"),
        **limits(Event, "confirm_after"),
        initial=0,
        required=False,
        help_text=_(
            "If nobody at the table says anything else until then. 0: it has to be confirmed."
        ),
    )
    show_leaders = forms.BooleanField(
        label=_("Show everybody the players’ Leaders"),
        required=False,
        help_text=_("From the first pairings on; in games that have Leaders."),
    )
    show_prospects = forms.BooleanField(
        label=_("Show who is through and what is still needed"),
        required=False,
        help_text=_("On each player’s page and beside the standings; the staff always see it."),
    )
    standings_held = forms.ChoiceField(
        label=_("Standings"),
        choices=Event.Held.choices,
        required=False,
        help_text=_(
            "Held back from everybody but the staff until you release them. Holding the tables "
            "of rounds that are being played hides those that were shown already, too."
        ),
    )
    apart_clubs = forms.BooleanField(
        label=_("Keep players of one club apart"),
        required=False,
        help_text=_("In Swiss rounds, as far as that is possible."),
    )
    listed = forms.TypedChoiceField(
        label=_("Where it is named"),
        choices=[
            ("True", _("In the lists of events")),
            ("False", _("Nowhere: whoever has its address finds it")),
        ],
        coerce=lambda typed: typed == "True",
        empty_value=None,
        required=False,
        help_text=_(
            "Lists, calendar, feed and search. An event that has started can be taken off them, "
            "but only the site’s operator can delete it."
        ),
    )
    tables = forms.CharField(
        label=_("Tables in the hall"),
        max_length=120,
        required=False,
        help_text=_(
            "Which numbers are this event’s, as 1–20, 31–40. One number alone: from there on. "
            "Empty: from table 1."
        ),
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
        offered = [*format_choices(), *house_choices(owner_id, present)]
        self.fields["format"] = forms.ChoiceField(
            label=gettext("Deck format") if decks else gettext("Format"),
            choices=offered,
            help_text=gettext("For other numbers copy a format: the button is on its page.")
            if decks
            else "",
        )
        if (known := card_field(owner_id)) is not None:
            self.fields["cards"] = known
        self.chosen_cards: dict[str, Any] = {}
        self.locked, self.owner_id = locked, owner_id
        self.notes: list[str] = []
        present = str(self.initial.get("formula") or "")
        chosen = self.data.get("formula") if self.is_bound else present
        self.offered = {item.key: item for item in formulas_offered(owner_id, present)}
        self.fields["formula"] = forms.ChoiceField(
            label=gettext("Formula"), choices=offered_choices(self.offered.values())
        )
        self.chosen = str(chosen or "")
        for formula in self.offered.values():
            for option in formula.options:
                sizes = self.initial.get(f"option_{formula.key}_{option.key}")
                for name, made in option_fields(formula.key, option, sizes):
                    made.required = made.required and formula.key == chosen
                    self.fields[name] = made
            self.fields.update(open_fields(formula))
        self.add_table_fields()
        for name, item in self.fields.items():
            item.disabled = (locked and name not in ALWAYS) or (not decks and name in OF_DECKS)

    def clean(self) -> dict[str, Any]:
        """Interpret times in the event's zone, and order the criteria."""
        values = super().clean() or {}
        if values.get("time_zone"):
            zone = ZoneInfo(values["time_zone"])
            for name in MOMENTS:
                self._place(values, name, zone)
        if values.get("cards") and values.get("format"):
            try:
                self.chosen_cards = cards_in(values["cards"], values["format"])
            except forms.ValidationError as error:
                self.add_error("cards", error)
        if self.locked:
            refuse_locked(self)
        else:
            self.check_criteria(values)
            self._check_registration(values)
            self.check_options(values)
        return values

    def _check_registration(self, values: dict[str, Any]) -> None:
        try:
            check_registration(values.get("registration_opens"), values.get("registration_closes"))
        except BadInput as refused:
            self.add_error("registration_opens", explain(refused))

    def _place(self, values: dict[str, Any], name: str, zone: ZoneInfo) -> None:
        if not values.get(name):
            return
        try:
            values[name] = in_zone(values[name], zone)
        except forms.ValidationError as error:
            self.add_error(name, error)
            return
        if comes_twice(values[name]):
            self.notes.append(
                gettext("%(field)s: the clocks show %(time)s twice that day; the first counts.")
                % {"field": self.fields[name].label, "time": f"{values[name]:%H:%M}"}
            )

    def values(self) -> dict[str, Any]:
        """Return the settings of a valid form."""
        cleaned = self.cleaned_data
        values = {name: cleaned[name] for name in (*PLAIN, *MOMENTS)}
        values["table_points"] = cleaned.get("table_points")
        if not self.at_tables:
            values |= worth_in_columns(*(cleaned[name] for name in POINTS))
        values["confirm_after"] = values["confirm_after"] or 0
        if values["listed"] is None:  # nothing was sent
            del values["listed"]
        formula = self.offered[cleaned["formula"]]
        values["options"] = dict(options_in(formula, cleaned))
        values["criteria"] = self.criteria_in(cleaned)
        values["open_lists"] = open_in(formula, cleaned)
        values |= self.chosen_cards
        return {key: item for key, item in values.items() if not self.locked or key in ALWAYS}

    def play(self) -> Play | None:
        """Return how matches of the chosen format are played, None for a wrong one."""
        try:
            return base_format(self.fields["format"].clean(self["format"].value())).match
        except (forms.ValidationError, BadInput):
            return None

    def formula_fields(self) -> FormulaFields | None:
        """Return the fields of the chosen formula's options, None without a formula."""
        formula = self.offered.get(self.chosen)
        return fields_of(self, formula) if formula else None
