"""Forms for a code of the app or a recovery code."""

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
    """A form whose code is typed with the number keys of a telephone."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        code = self.fields["code"]
        code.label = _("Code")
        code.widget.attrs.update(inputmode="numeric", autofocus=True)
        code.widget.attrs.pop("placeholder", None)


class Once(Digits):
    """Takes each code of the app once, for as long as it is good; allauth forgets it earlier."""

    user: Any
    authenticator: Authenticator

    def clean_code(self) -> str:
        """Return the code; an error where it is wrong, or was used."""
        code = str(super().clean_code())  # type: ignore[misc]
        good_for = app_settings.TOTP_PERIOD * (2 * app_settings.TOTP_TOLERANCE + 1)
        used = f"second-factor:{self.user.pk}:{''.join(code.split())}"
        by_app = self.authenticator.type == Authenticator.Type.TOTP
        if by_app and not cache.add(used, True, timeout=good_for):
            raise get_adapter().validation_error("incorrect_code")
        return code


class Authenticate(Once, AuthenticateForm):  # type: ignore[misc]
    """The second step of signing in."""


class Reauthenticate(Once, ReauthenticateForm):  # type: ignore[misc]
    """Asked before something that matters, when signing in was a while ago."""


class Activate(Digits, ActivateTOTPForm):  # type: ignore[misc]
    """The first code of a new app."""


def _name(*, required: bool) -> forms.CharField:
    words = _("By it you tell your passkeys apart: write what it is on.")
    return forms.CharField(label=_("Name of the passkey"), help_text=words, required=required)


class AddPasskey(AddWebAuthnForm):  # type: ignore[misc]
    """A new passkey, which signs in by itself unless the reader wants otherwise."""

    name = _name(required=False)
    passwordless = forms.BooleanField(
        label=_("Sign in with it without typing the password"),
        help_text=_("The device then asks for your finger, your face or its PIN."),
        required=False,
        initial=True,
    )


class RenamePasskey(EditWebAuthnForm):  # type: ignore[misc]
    """Another name for a passkey."""

    name = _name(required=True)
