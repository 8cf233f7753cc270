"""The form of the rulings of an event."""

from django import forms
from django.utils.translation import gettext_lazy as _


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
