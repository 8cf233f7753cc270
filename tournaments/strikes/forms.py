"""The form by which a player is struck."""

from django import forms
from django.utils.translation import gettext_lazy as _


class StrikeForm(forms.Form):
    """Strike a player from their group, or lift the strike."""

    reason = forms.CharField(label=_("Reason"), max_length=500)
    action = forms.ChoiceField(choices=[("strike", ""), ("lift", "")], widget=forms.HiddenInput)
