"""Forms of the builder: a formula, a stage, a start, an import."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.wording import error_message, translate
from decks.files.limits import parse_strict_json
from rules.errors import BadInput
from rules.formulas import FORMULAS
from rules.formulas.base import LEGS
from rules.formulas.custom import FormulaDefinition, read_definition
from rules.formulas.custom.checks import MOST_GAMES
from rules.formulas.custom.definition import (
    LONGEST_ABOUT,
    LONGEST_NAME,
    LONGEST_STAGE,
    MOST_GROUPS,
    MOST_PLAYERS,
)
from rules.formulas.groups_knockout import GROUPS_KNOCKOUT
from rules.formulas.starting_points import can_customise
from rules.formulas.swiss_cut import MOST_ROUNDS
from rules.stages.base import Setting

LARGEST_FILE = 200_000  # bytes: some thousand seats
FEWEST = 2
MOST_TO_BEGIN = 256
"""Players of a formula that is laid out to be changed by hand."""


class FormulaForm(forms.Form):
    """Form for a formula's name, note and numbers of players.

    ``naming``: the name is required.
    """

    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME)
    lowest = forms.IntegerField(
        label=_("Minimum players"), min_value=FEWEST, max_value=MOST_PLAYERS
    )
    highest = forms.IntegerField(
        label=_("Maximum players"), min_value=FEWEST, max_value=MOST_PLAYERS
    )
    about = forms.CharField(
        label=_("Note for players"),
        required=False,
        max_length=LONGEST_ABOUT,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def __init__(self, *args: Any, naming: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.naming = naming

    def clean(self) -> dict[str, Any]:
        """Require a name only when saving."""
        values = super().clean() or {}
        if not self.naming and not self["name"].value():
            del self.errors["name"]
        return values


class StageForm(forms.Form):
    """Form for a stage's settings; ``shown``: names of fields that its kind has."""

    name = forms.CharField(label=_("Name of the stage"), max_length=LONGEST_STAGE)
    enters = forms.ChoiceField(label=_("Who enters"))
    groups = forms.IntegerField(label=_("Number of groups"), min_value=1, max_value=MOST_GROUPS)
    rounds = forms.IntegerField(
        label=_("Number of rounds"),
        min_value=0,
        max_value=MOST_ROUNDS,
        help_text=_("0: automatic"),
    )
    survivors = forms.IntegerField(
        label=_("Players left at the end"),
        min_value=1,
        max_value=MOST_PLAYERS,
        help_text=_("1 for a final bracket, more for a preliminary."),
    )
    legs = forms.TypedChoiceField(label=_("Matches per pair"), coerce=int)
    without_last = forms.BooleanField(
        label=_("Matches against last place don’t count"),
        required=False,
    )
    third_place = forms.BooleanField(label=_("Match for third place"), required=False)
    apart = forms.BooleanField(
        label=_("Players from the same group meet again as late as possible"), required=False
    )
    second_final = forms.BooleanField(
        label=_("The winner of the lower bracket must win the grand final twice"), required=False
    )
    timed = forms.BooleanField(label=_("With a time limit"), required=False)
    fill_from = forms.ChoiceField(label=_("Source stage"))
    fill_each = forms.IntegerField(
        label=_("Players from each group"), min_value=0, max_value=MOST_PLAYERS
    )
    fill_best = forms.IntegerField(
        label=_("Best next-ranked players"), min_value=0, max_value=MOST_PLAYERS
    )

    def __init__(
        self,
        *args: Any,
        shown: Iterable[str],
        games: Iterable[str],
        choices: Mapping[str, list[tuple[str, str]]],
        own: Sequence[Setting] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.own_names = [setting.key for setting in own]
        self.fields |= {setting.key: _field_of(setting) for setting in own}
        self.game_names = []
        for at, label in enumerate(games):
            self.fields[f"games_{at}"] = forms.ChoiceField(label=label, choices=game_choices())
            self.game_names.append(f"games_{at}")
        legs = [(str(choice.value), translate(choice.label)) for choice in LEGS]
        for key, offered in {"legs": legs, **choices}.items():
            field = self.fields[key]
            if isinstance(field, forms.ChoiceField):
                field.choices = offered
        kept = {"name", *shown, *self.game_names}
        for key in [key for key in self.fields if key not in kept]:
            del self.fields[key]

    def settings(self) -> list[forms.BoundField]:
        """Return the folded fields in order."""
        keys = (
            "legs",
            "survivors",
            *self.game_names,
            "second_final",
            "timed",
            "apart",
            "without_last",
            *(("rounds",) if "groups" in self.fields else ()),
            *self.own_names,
        )
        return [self[key] for key in keys if key in self.fields]

    @property
    def settings_wrong(self) -> bool:
        return any(field.errors for field in self.settings())


def _field_of(setting: Setting) -> forms.Field:
    """Return the form field of a setting specific to one kind of stage."""
    label = capfirst(translate(setting.label))
    if setting.is_flag:
        return forms.BooleanField(label=label, required=False)
    return forms.IntegerField(label=label, min_value=setting.least, max_value=setting.most)


def game_choices() -> list[tuple[str, str]]:
    """Return form choices for the number of games in a match."""
    more = [
        (str(games), gettext("Best of %(games)s") % {"games": games})
        for games in range(3, MOST_GAMES + 1, 2)
    ]
    return [("0", gettext("Game’s default")), ("1", gettext("One game")), *more]


class NewFormulaForm(forms.Form):
    """Form to start a new formula from a built-in one for a number of players."""

    begin = forms.ChoiceField(
        label=_("Start from"), widget=forms.RadioSelect, initial=GROUPS_KNOCKOUT.key
    )
    players = forms.IntegerField(
        label=_("Players"), min_value=FEWEST, max_value=MOST_TO_BEGIN, initial=16
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["begin"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [
                (
                    one.key,
                    format_html("<span>{}<small>{}</small></span>", translate(one.label), about),
                )
                for one in FORMULAS
                if can_customise(one) and (about := translate(one.about))
            ]


class ImportForm(forms.Form):
    """Form for a definition as file or text; cleans to ``definition``."""

    file = forms.FileField(
        label=_("File (JSON)"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )
    text = forms.CharField(
        label=_("Or paste the text"),
        required=False,
        max_length=LARGEST_FILE,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
    )
    definition: FormulaDefinition

    def clean(self) -> dict[str, Any]:
        """Read the file, else the text."""
        values = super().clean() or {}
        if self.errors:
            return values
        file, text = values.get("file"), values.get("text") or ""
        if file is not None and text.strip():
            self.add_error("file", gettext("Choose a file or paste the text."))
            return values
        field = "file" if file is not None else "text"
        try:
            self.definition = read_definition(_parsed(_text_of(file) if file else text))
        except BadInput as refused:
            self.add_error(field, error_message(refused))
        except forms.ValidationError as refused:
            self.add_error(field, refused)
        return values


def _text_of(file: UploadedFile) -> str:
    content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise forms.ValidationError(gettext("The file is too large."))
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise forms.ValidationError(gettext("This is not JSON.")) from None


def _parsed(text: str) -> object:
    if not text.strip():
        raise forms.ValidationError(gettext("Choose a file or paste the text."))
    try:
        return parse_strict_json(text)
    except json.JSONDecodeError as error:
        raise forms.ValidationError(
            gettext("This is not JSON: %(reason)s.") % {"reason": f"{error.lineno}:{error.colno}"}
        ) from None
    except ValueError:
        raise forms.ValidationError(gettext("This is not JSON.")) from None
