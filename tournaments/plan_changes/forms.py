"""Form of the settings of a plan that may change while it is played."""

import json
from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from rules.formulas.base import Option
from rules.formulas.swiss_cut import AS_FITS, MOST_ROUNDS
from rules.plan_changes import CUT, ROUNDS, THIRD_PLACE
from tournaments.core.valid_columns import integer_limits
from tournaments.models import Event
from tournaments.plan_changes.selectors import MINUTES


class PlanForm(forms.Form):
    """Form to change the plan of a running event.

    ``settings``: {name: value} of those that may change now, which the page sends back as
    ``expected``. ``cut``: the option of the tournament format that lists top cut sizes, None
    without.
    """

    rounds = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=MOST_ROUNDS)
    cut = forms.TypedChoiceField(label=_("Top cut"), coerce=int)
    third_place = forms.BooleanField(label=_("Match for third place"), required=False)
    minutes = forms.IntegerField(label=_("Minutes per round"), **integer_limits(Event, MINUTES))
    expected = forms.CharField(widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, settings: Mapping[str, int | bool], cut: Option | None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.initial = {**settings, "expected": json.dumps(settings), **self.initial}
        for name in {ROUNDS, CUT, THIRD_PLACE.key, MINUTES} - settings.keys():
            del self.fields[name]
        if CUT in self.fields:
            sizes = [choice.value for choice in cut.choices if choice.value] if cut else []
            sizes = sorted({int(size) for size in sizes if size != AS_FITS} | {settings[CUT]} - {0})
            cast(forms.ChoiceField, self.fields[CUT]).choices = [
                (0, capfirst(pgettext("top cut", "none"))),
                *((size, str(size)) for size in sizes),
            ]

    def clean_expected(self) -> dict[str, int | bool]:
        """Return the settings that the page showed."""
        try:
            found = json.loads(self.cleaned_data["expected"])
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise forms.ValidationError(_("This is no longer possible. Reload the page."))
        return found

    @property
    def change(self) -> dict[str, int | bool]:
        """Return the settings that differ from those that the page showed, of a valid form."""
        shown = self.cleaned_data["expected"]
        sent = {name: self.cleaned_data[name] for name in self.fields if name != "expected"}
        return {name: value for name, value in sent.items() if shown.get(name) != value}
