"""Forms for TOTP codes, recovery codes and passkeys."""

from typing import Any

from allauth.mfa import app_settings
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from django import forms
from django.core.cache import cache
from django.utils.translation import gettext_lazy as _


class NumericCodeForm(forms.Form):
    """Form mixin: the field ``code`` opens a numeric keypad."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        code = self.fields["code"]
        code.label = _("Code")
        code.widget.attrs.update(inputmode="numeric", autofocus=True)
        code.widget.attrs.pop("placeholder", None)


class SingleUseCodeForm(NumericCodeForm):
    """Form mixin: accepts each TOTP code only once while it is valid.

    allauth's own record of used codes expires earlier.
    """

    user: Any
    authenticator: Authenticator

    def clean_code(self) -> str:
        """Return the code; raises ValidationError if it is wrong or was used."""
        code = str(super().clean_code())  # type: ignore[misc]
        good_for = app_settings.TOTP_PERIOD * (2 * app_settings.TOTP_TOLERANCE + 1)
        used = f"second-factor:{self.user.pk}:{''.join(code.split())}"
        by_app = self.authenticator.type == Authenticator.Type.TOTP
        if by_app and not cache.add(used, True, timeout=good_for):
            raise get_adapter().validation_error("incorrect_code")
        return code


class SecondFactorForm(SingleUseCodeForm, AuthenticateForm):  # type: ignore[misc]
    """Form of the second step of sign-in: a code of the authenticator app or a recovery code."""


class ConfirmIdentityForm(SingleUseCodeForm, ReauthenticateForm):  # type: ignore[misc]
    """Form that asks for a code again before a sensitive action."""


class ActivateAuthenticatorForm(NumericCodeForm, ActivateTOTPForm):  # type: ignore[misc]
    """Form for the first code of a new authenticator app, which activates it."""


def _name_field(*, required: bool) -> forms.CharField:
    return forms.CharField(label=_("Name"), required=required)


class AddPasskeyForm(AddWebAuthnForm):  # type: ignore[misc]
    """Form to add a passkey; it allows sign-in without a password by default."""

    name = _name_field(required=False)
    passwordless = forms.BooleanField(
        label=_("Sign in without a password"),
        required=False,
        initial=True,
    )


class RenamePasskeyForm(EditWebAuthnForm):  # type: ignore[misc]
    """Form to rename a passkey."""

    name = _name_field(required=True)
