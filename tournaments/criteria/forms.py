"""Form for another order of the criteria while an event runs."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from config.criteria_fields import CriteriaFields

LONGEST_REASON = 300


class CriteriaForm(CriteriaFields):
    """Another order after the start, with a reason; ``seen`` is the fingerprint confirmed."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        help_text=_("It stands in the log, with the order before and after."),
    )
    seen = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    def __init__(self, *args: Any, at_tables: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.add_criteria(at_tables=at_tables)

    @property
    def order(self) -> list[str]:
        """Return the chosen order of a valid form."""
        return self.criteria_in(self.cleaned_data)
