"""The name that sign-up asks for, and how long a password must be."""

from django import forms
from django.contrib.auth.password_validation import MinimumLengthValidator
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from config.wording import error_message
from rules.errors import BadInput
from rules.people.person_names import clean_name as readable_name


class NameForm(forms.Form):
    """Form with a user's displayed name; base class of allauth's sign-up form."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=80,
        help_text=_("Shown to others."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )

    def clean_name(self) -> str:
        """Refuse a name with invisible or misleading characters."""
        try:
            return readable_name(self.cleaned_data["name"])
        except BadInput as refused:
            raise forms.ValidationError(error_message(refused)) from None

    def signup(self, request: HttpRequest, user: User) -> None:
        """Store the name; called by allauth after it has stored the user."""
        user.name = self.cleaned_data["name"]
        user.save(update_fields=["name"])


class PasswordLengthValidator(MinimumLengthValidator):
    """Password validator: Django's minimum length, with a translated message."""

    def get_error_message(self) -> str:
        return gettext("Use at least %(least)s characters.") % {"least": self.min_length}
