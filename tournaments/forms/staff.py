"""Roles given by e-mail."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import StaffRole


class RoleForm(forms.Form):
    """Who gets which role."""

    email = forms.EmailField(label=_("Email address"), help_text=_("The one they sign in with."))
    role = forms.ChoiceField(
        label=_("Role"), choices=StaffRole.Role.choices, initial=StaffRole.Role.JUDGE
    )
