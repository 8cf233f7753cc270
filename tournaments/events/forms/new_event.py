"""The form of a new event: a game, a way to play it, and when; and the settings of an event as
chips: each shows its value and opens alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sized
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.forms import BoundField
from django.urls import reverse
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from config.wording import add_rule_error, translate
from decks.models import HouseFormat
from decks.own_formats.services import FormatInput
from rules.deckbuilding.data.files import ShippedRules, shipped_rules
from rules.deckbuilding.data.formats import format_from_rules
from rules.deckbuilding.data.json import rules_from_json, rules_to_json, scoring_to_json
from rules.deckbuilding.formats import MatchDefaults
from rules.errors import BadInput
from rules.formulas.base import Formula
from rules.numbers import number_to_json
from tournaments.core.formulas import is_saved_formula
from tournaments.events.forms.event import EventForm
from tournaments.events.forms.formula_fields import FIELDS as TABLE_POINTS
from tournaments.events.forms.formula_fields import POINTS, formula_label_with_sizes
from tournaments.events.selectors.games import GameChoice, deck_validation_presets
from tournaments.models import Event

Lists = HouseFormat.Lists
USUAL_GAMES = 3
"""Games of a match if nothing says how many."""
MOST_EXPECTED = 1_000


class NewEventForm(EventForm):
    """Form for a new event.

    ``choice``: the game and format that were chosen. If the format does not exist yet, the
    attribute ``content`` of a valid form is its definition, else None.
    """

    expected = forms.IntegerField(
        label=_("Expected players"), min_value=1, max_value=MOST_EXPECTED, required=False
    )
    game = forms.CharField(label=_("Game"), max_length=80, widget=forms.HiddenInput)
    format_name = forms.CharField(label=_("Name of the format"), max_length=80, required=False)
    ready = forms.ChoiceField(label=_("Deck rules"), required=False)
    score = forms.ChoiceField(
        label=_("Result format"),
        choices=[
            ("none", _("Who wins")),
            ("games", _("Games, such as 2–1")),
            ("points", _("Points, such as 40–22")),
        ],
    )

    def __init__(self, *args: Any, choice: GameChoice, **kwargs: Any) -> None:
        self.choice = choice
        self.content: FormatInput | None = None
        super().__init__(*args, **kwargs)
        if choice.is_sanctioned:
            self.in_sight = ("paired_elsewhere",)
            self.fields["paired_elsewhere"].widget.attrs["form"] = "event-form"
            self.fields["paired_elsewhere"].help_text = gettext(
                "Sanctioned event? Pair in TOM or EventLink and paste the pairings here."
            )
        if choice.slug:
            self.fields["format"].widget = forms.HiddenInput()
            for name in ("game", "format_name", "ready", "score"):
                del self.fields[name]
            return
        del self.fields["format"]
        self.fields.pop("cards", None)
        self.fields["game"].error_messages["required"] = gettext("This field is required.")
        self.fields["ready"] = forms.ChoiceField(
            label=self.fields["ready"].label,
            choices=[("", gettext("none")), *deck_validation_presets(), *self._chosen_rules()],
            required=False,
        )

    def _chosen_rules(self) -> list[tuple[str, str]]:
        known = dict(deck_validation_presets())
        return [(one.key, one.name) for one in shipped_rules() if one.key not in known]

    @property
    def rules(self) -> ShippedRules | None:
        """Return the ready-made rules that are chosen now."""
        key = self["ready"].value()
        return next((one for one in shipped_rules() if one.key == key), None)

    def clean(self) -> dict[str, Any]:
        """Make the content of the format, naming what is wrong at its field."""
        values = super().clean()
        if "game" not in self.fields or self.errors:
            return values
        self.content = self._content(values)
        try:
            self.content.checked()
        except BadInput as refused:
            add_rule_error(self, refused, {"name": "format_name", "standings.points": "points_win"})
        return values

    def play(self) -> MatchDefaults | None:
        """Return how matches are played, as the form says now."""
        if "score" not in self.fields:
            return super().play()
        rules = {"zones": [{"key": "list"}], "match": self._match(str(self["score"].value()))}
        try:
            made = format_from_rules(
                rules_from_json(rules), key="new", game="new", game_name="–", name="–"
            )
        except BadInput:
            return None
        return made.match

    def _match(self, score: str) -> dict[str, object]:
        """Return how a match is played; as the ready-made rules have it if their results agree."""
        if self.rules is not None and scoring_to_json(self.rules.rules.match) == score:
            match = self.rules.rules.match
            return {
                "best_of": match.best_of,
                "final_best_of": match.final_best_of,
                "score": score,
                "draws": match.draws,
            } | ({} if match.target is None else {"target": match.target})
        games = USUAL_GAMES if score == "games" else 1
        return {"best_of": games, "final_best_of": games, "score": score}

    def _content(self, values: Mapping[str, Any]) -> FormatInput:
        ready = self.rules
        begun: dict[str, Any] = {} if ready is None else dict(rules_to_json(ready.rules))
        standings = dict(begun.get("standings", {}))
        if not self.at_tables:  # those of places are the event's own
            keys = ("win", "draw", "loss")
            standings |= {
                "points": {
                    key: number_to_json(values[name])
                    for key, name in zip(keys, POINTS, strict=True)
                },
                "criteria": self.criteria_in(values),
            }
        match = self._match(values["score"]) | {"minutes": values["minutes"]}
        return FormatInput(
            game=values["game"],
            name=values["format_name"] or values["game"],
            lists=self._lists(values["decklists"]),
            rules=begun | {"match": match, "standings": standings},
        )

    def _lists(self, decklists: str) -> str:
        """Return whether the format has lists: rules that count them do, collected or not."""
        if self.rules is not None and self.rules.lists == Lists.COUNTED:
            return Lists.COUNTED
        return Lists.OFF if decklists == Event.Decklists.OFF else Lists.COLLECTED


def new_format_initial(choice: GameChoice) -> dict[str, Any]:
    """Return the initial values of the fields that describe a new format."""
    ready = choice.ready
    named = ready is not None and ready.game and ready.name != ready.game
    return {
        "format": choice.slug,
        "game": choice.name,
        "format_name": ready.name if ready and named else "",
        "ready": ready.key if ready else "",
        "score": scoring_to_json(ready.rules.match) if ready else "none",
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsChip:
    """A setting as a foldable chip: label, present value as text, and its fields.

    ``open``: one of its fields has an error. ``part``: template that renders the fields, "" for the
    default. ``url``: the page that changes it, "" for none; ``fixed``: can't change after the
    start.
    """

    key: str
    label: str
    value: str
    fields: tuple[BoundField, ...] = ()
    open: bool = False
    part: str = ""
    url: str = ""
    fixed: bool = False


ICONS = {
    "swiss-cut": "list-ordered",
    "groups-knockout": "network",
    "single-group": "asterisk",
    "single-elimination": "git-merge",
    "double-elimination": "git-fork",
    "tables-cut": "users",
    "mutant-chronicles": "workflow",
}
"""Icons of Lucide for the ways of playing; a saved one has another."""
ORDER = tuple(ICONS)


def new_event_chips(form: EventForm) -> tuple[SettingsChip, ...]:
    """Return the chips of a new event's form; no query."""
    return tuple(_chips(form, new=True))


def settings_chips(form: EventForm, event: Event) -> tuple[SettingsChip, ...]:
    """Return the chips of an event's settings, fixed ones last; no query."""

    def address(name: str) -> str:
        return reverse(f"tournaments:{name}", args=[event.slug])

    found = list(_chips(form, new=False))
    if form.locked:
        elsewhere = {"criteria": "manage-criteria"}
        if event.state == Event.State.RUNNING:
            elsewhere["way"] = "plan"
        for at, chip in enumerate(found):
            if chip.key in elsewhere:
                found[at] = replace(chip, fixed=False, url=address(elsewhere[chip.key]))
    others = (
        (
            "questions",
            gettext("Questions"),
            _count(event.questions) or gettext("none"),
        ),
        ("contact", gettext("Email and memberships"), ""),
        (
            "information",
            gettext("Information"),
            gettext("yes") if event.information else gettext("none"),
        ),
        (
            "prizes",
            gettext("Prizes"),
            _count(event.prizes.get("rows")) or pgettext("masculine", "none"),
        ),
    )
    for key, label, value in others:
        found.append(SettingsChip(key=key, label=label, value=value, url=address(f"manage-{key}")))
    return tuple(sorted(found, key=lambda chip: chip.fixed))


def _count(some: Sized | None) -> str:
    return str(len(some)) if some else ""


def _chips(form: EventForm, *, new: bool) -> Iterator[SettingsChip]:
    formula = form.formula_fields()

    def chip(key: str, label: str, value: str, *names: str, part: str = "") -> SettingsChip:
        own = [name for name in names if name in form.fields]
        beside = [name for name in _beside(form, key, formula) if name in form.fields]
        wrong = any(name in form.errors for name in (*own, *beside))
        wrong = wrong or (key == "criteria" and bool(form.non_field_errors()))
        free = [name for name in (*own, *beside) if not form.fields[name].disabled]
        fields = tuple(form[name] for name in own if not form.locked or name in free)
        return SettingsChip(
            key=key,
            label=label,
            value=value,
            fields=fields,
            open=wrong,
            part=part,
            fixed=form.locked and not free,
        )

    if not new:
        label = str(form.fields["format"].label)
        yield chip("format", label, _chosen(form, "format"), "format")
        yield chip("way", gettext("Tournament format"), _chosen(form, "formula"), part="way")
    elif "score" in form.fields:
        yield chip("result", gettext("Result"), _chosen(form, "score").partition(",")[0], "score")
        rules = _chosen(form, "ready").rpartition(" · ")[2]
        yield chip("rules", gettext("Deck rules"), rules, "ready", "format_name")
    yield chip(
        "minutes", gettext("Minutes"), _typed(form, "minutes"), "minutes", "overtime", "warnings"
    )
    yield chip("breaks", gettext("Breaks"), _breaks(form), "breaks", "ends_by")
    yield chip("points", gettext("Points"), _points(form), part="points")
    yield chip("criteria", gettext("Tiebreakers"), _order(form), part="criteria")
    if new and formula and formula["more"]:
        yield chip("options", gettext("Matches"), _options(form), part="more_options")
    limit = _typed(form, "capacity") or pgettext("masculine", "none")
    yield chip("limit", gettext("Player limit"), limit, "capacity")
    names: tuple[str, ...] = ("registration_opens", "registration_closes")
    yield chip("registration", gettext("Registration"), _opening(form), *names)
    if form.decks:
        names = ("decklist_deadline", "cards", "show_leaders")
        if new:
            yield chip("lists", gettext("Decklist deadline"), _until(form), *names)
        else:
            shown = _chosen(form, "decklists")
            yield chip("lists", gettext("Decklists"), shown, "decklists", *names)
        if formula and formula["lists"]:
            stages = ", ".join(str(each.label) for each in formula["lists"] if each.value())
            yield chip(
                "open_lists", gettext("Open decklists"), stages or gettext("none"), part="lists"
            )
    names = ("player_reports", "confirm_after")
    reports = gettext("yes") if form["player_reports"].value() else gettext("no")
    yield chip("reports", gettext("Players report their results"), reports, *names)
    names = ("standings_held", "show_prospects")
    shown = (
        _chosen(form, "standings_held") if _typed(form, "standings_held") else gettext("At once")
    )
    yield chip("standings", gettext("Standings"), shown, *names)
    yield chip("fee", gettext("Fee"), _typed(form, "fee")[:24] or gettext("none"), "fee")
    pairing = () if form.in_sight else ("paired_elsewhere",)
    others = ("apart_clubs", *pairing, "tables", "listed", "about", "time_zone")
    yield chip("others", gettext("More"), _typed(form, "tables"), *others)


def _beside(form: EventForm, key: str, chosen: dict[str, Any] | None) -> Iterable[str]:
    """Return the names of the fields that a chip's template draws; ``chosen``: the formula's."""
    match key:
        case "points":
            return (*POINTS, *TABLE_POINTS)
        case "criteria":
            return tuple(name for name in form.fields if name.startswith(form.prefix_of_criteria))
        case "options" if chosen:
            return tuple(field.html_name for field in chosen["more"])
        case "way" if chosen:
            return ("formula", *(field.html_name for field in chosen["fields"]))
        case "open_lists" if chosen:
            return tuple(field.html_name for field in chosen["lists"])
        case _:
            return ()


def formula_choices(form: EventForm) -> list[dict[str, Any]]:
    """Return the formulas to choose from, as template context.

    Built-in ones come first, then saved ones.
    """
    return [
        {
            "key": one.key,
            "label": translate(one.label),
            "saved": is_saved_formula(one.key),
            "about": translate(one.about),
            "sized": formula_label_with_sizes(one) if is_saved_formula(one.key) else "",
            "icon": ICONS.get(one.key, "shapes"),
            "checked": one.key == form.chosen,
        }
        for one in sorted(form.offered.values(), key=_place_of)
    ]


def _place_of(one: Formula) -> int:
    return ORDER.index(one.key) if one.key in ORDER else len(ORDER)


def _typed(form: EventForm, name: str) -> str:
    value = form[name].value()
    return "" if value is None else str(value).strip()


def _chosen(form: EventForm, name: str) -> str:
    """Return the label of the value of a field of choices."""
    flat = dict[str, Any]()
    for key, label in form.fields[name].choices:  # type: ignore[attr-defined]
        flat.update(label if isinstance(label, list | tuple) else [(key, label)])
    return str(flat.get(str(form[name].value()), ""))


def _breaks(form: EventForm) -> str:
    lines = [line.split() for line in _typed(form, "breaks").splitlines() if line.split()]
    shown = ", ".join(line[0] for line in lines)
    if until := _typed(form, "ends_by")[:5]:
        ends = gettext("Must end by") + f" {until}"
        return f"{shown}, {ends}" if shown else ends
    return shown or gettext("none")


def _points(form: EventForm) -> str:
    if form.at_tables:
        return _chosen(form, "table_worth").partition(",")[0]
    return " · ".join(_typed(form, name) for name in POINTS)


def _order(form: EventForm) -> str:
    """Return the name of the order of criteria that is chosen, else its first two after points."""
    prefix, presets = form.prefix_of_criteria, form.presets
    used = [field.html_name.removeprefix(prefix) for field in form.criteria_used()]
    if form["preset"].value() in presets:
        used = list(presets.get(str(form["preset"].value())).criteria)
    after = [key for key in used if key != "points"][:2]
    return ", ".join(translate(form.criteria.get(key).short) for key in after)


def _options(form: EventForm) -> str:
    play = form.play()
    if play is None:
        return ""
    return gettext("Best of %(games)s") % {"games": play.best_of}


def _opening(form: EventForm) -> str:
    opens = _typed(form, "registration_opens")
    return opens.replace("T", " ")[:16] if opens else "–"


def _until(form: EventForm) -> str:
    until = _typed(form, "decklist_deadline")
    return until.replace("T", " ")[:16] if until else gettext("Start")
