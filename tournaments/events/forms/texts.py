"""The forms of the texts of an event: its page of information, its rulings."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.events.services.settings import LONGEST_INFORMATION


class InformationForm(forms.Form):
    """A text in Markdown."""

    information = forms.CharField(
        label=_("Information"),
        required=False,
        max_length=LONGEST_INFORMATION,
        help_text=_(
            "Markdown: # heading, **bold**, - list, [words](https://…). Everybody reads it on the "
            "page of the event."
        ),
        widget=forms.Textarea(attrs={"rows": 14}),
    )


class RulingsForm(forms.Form):
    """The rulings of the event; ``version`` is the fingerprint of the text on the page."""

    rulings = forms.CharField(
        label=_("Rulings of the head judge"),
        max_length=5000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 10}),
        help_text=_("Note-taking, sleeves, changes of rules: one paragraph each."),
    )
    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=64)
