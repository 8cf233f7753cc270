"""The form of a file of cards."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from decks.packing import LONGEST

MINE, SITE = "mine", "site"
OWNERS = {MINE: _("My events"), SITE: _("The whole site")}


class CardFileForm(forms.Form):
    """A file, or the same once more as the page held it; whose it is, and whether it is all."""

    file = forms.FileField(
        label=_("File"),
        help_text=_("CSV or XLSX, one row a card."),
        widget=forms.FileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx"}),
    )
    whole = forms.BooleanField(
        label=_("This file is the whole catalogue"),
        required=False,
        help_text=_(
            "Cards that it lacks are taken out. Otherwise cards are only added and changed."
        ),
    )
    held = forms.CharField(required=False, max_length=LONGEST, widget=forms.HiddenInput)
    name = forms.CharField(required=False, max_length=200, widget=forms.HiddenInput)
    version = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)

    def __init__(self, *args: Any, owners: tuple[str, ...] = (MINE, SITE), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["file"].required = not self.data.get("held")
        self.fields["whose"] = forms.ChoiceField(
            label=_("For"),
            choices=[(owner, OWNERS[owner]) for owner in owners],
            help_text=_("Your own cards take precedence over the site's, in your events only."),
            widget=forms.Select if len(owners) > 1 else forms.HiddenInput,
            initial=owners[0],
        )
        self.order_fields(["file", "whose", "whole"])
