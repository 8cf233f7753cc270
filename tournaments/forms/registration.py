"""What a player types to register."""

from django import forms
from django.utils.translation import gettext_lazy as _


class RegistrationForm(forms.Form):
    """The name for others to read, and the club."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=80,
        help_text=_("As it will stand on the pairings."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    club = forms.CharField(
        label=_("Club"),
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    namesake = forms.BooleanField(
        label=_("I am somebody else with the same name"),
        required=False,
        help_text=_("Add something to your name, so that people can tell you apart."),
    )

    @property
    def asks_about_name(self) -> bool:
        """Say whether somebody of this name is registered already, or it has been said so."""
        return self.is_bound and ("namesake" in self.errors or bool(self.data.get("namesake")))
