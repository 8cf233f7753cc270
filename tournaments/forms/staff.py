"""Roles offered by invitation."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.models import StaffRole


class RoleForm(forms.Form):
    """Who is offered which role; it is not asked whether there is an account."""

    email = forms.EmailField(
        label=_("Email address"), help_text=_("They see the event once they accept.")
    )
    role = forms.ChoiceField(
        label=_("Role"), choices=StaffRole.Role.choices, initial=StaffRole.Role.JUDGE
    )
