"""The typed word that erases a person."""

from django import forms
from django.utils.translation import gettext_lazy as _


class ConfirmForm(forms.Form):
    """What is to be typed stands in the label, which the page gives it."""

    confirm = forms.CharField(
        label=_("Confirm"),
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "off"}),
    )
