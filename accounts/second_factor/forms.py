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


class Digits(forms.Form):
    """A form whose code is typed on a numeric keypad."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        code = self.fields["code"]
        code.label = _("Code")
        code.widget.attrs.update(inputmode="numeric", autofocus=True)
        code.widget.attrs.pop("placeholder", None)


class Once(Digits):
    """Accept each TOTP code once during its validity, which outlasts allauth's own memory of it."""

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


class Authenticate(Once, AuthenticateForm):  # type: ignore[misc]
    """Form of the second step of signing in: a code of the app or a recovery code."""


class Reauthenticate(Once, ReauthenticateForm):  # type: ignore[misc]
    """Reauthentication before a sensitive action."""


class Activate(Digits, ActivateTOTPForm):  # type: ignore[misc]
    """Form of the first code of a new authenticator app, which activates it."""


def _name_field(*, required: bool) -> forms.CharField:
    return forms.CharField(label=_("Name"), required=required)


class AddPasskey(AddWebAuthnForm):  # type: ignore[misc]
    """Add a passkey; passwordless by default."""

    name = _name_field(required=False)
    passwordless = forms.BooleanField(
        label=_("Sign in without a password"),
        required=False,
        initial=True,
    )


class RenamePasskey(EditWebAuthnForm):  # type: ignore[misc]
    """Rename a passkey."""

    name = _name_field(required=True)
