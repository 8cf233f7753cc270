"""The second factor: TOTP codes, passkeys and recovery codes, through ``allauth.mfa``.

Stored secrets are encrypted by ``SECRET_KEY``, the QR code is drawn here, and each code is accepted
once. Whether a second factor is required (``SECOND_FACTOR``) is decided by
``User.lacks_second_factor``. The overview page has a link back to the page before it.
"""

from base64 import urlsafe_b64encode
from hashlib import sha256
from io import BytesIO
from typing import Any

import segno
from allauth.mfa import app_settings
from allauth.mfa.adapter import DefaultMFAAdapter, get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.base.views import IndexView
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal.auth import generate_totp_secret
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django import forms
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User

SALT = b"girone second factor "


def remove_second_factor(user: User) -> int:
    """Delete all authenticators and recovery codes of a user; return how many were deleted."""
    return int(Authenticator.objects.filter(user=user).delete()[0])


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """MFA adapter of django-allauth; encrypts stored secrets with ``SECRET_KEY``."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "cannot_generate_recovery_codes": _("Set up an authenticator app or a passkey first."),
    }

    def generate_authenticator_name(self, user: User, type: str) -> str:
        others = Authenticator.objects.filter(user_id=user.pk, type=type).count()
        return gettext("Passkey %(number)s") % {"number": others + 1}

    def encrypt(self, text: str) -> str:
        return str(_encryption().encrypt(text.encode()).decode())

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return str(_encryption().decrypt(encrypted_text.encode()).decode())
        except InvalidToken:
            return str(generate_totp_secret())

    def build_totp_svg(self, url: str) -> str:
        drawn = BytesIO()
        segno.make_qr(url, error="m").save(
            drawn, kind="svg", border=3, light="#fff", dark="#000", scale=5, xmldecl=False
        )
        return drawn.getvalue().decode()


def _encryption() -> MultiFernet:
    keys = [str(key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    return MultiFernet(
        [Fernet(urlsafe_b64encode(sha256(SALT + key.encode()).digest())) for key in keys]
    )


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


SESSION_KEY = "second_factor_came_from"


def remember_return_path(request: HttpRequest, path: str) -> None:
    """Store in the session the path to return to after setting up the second factor.

    A path to another site is ignored.
    """
    if path.startswith("/") and url_has_allowed_host_and_scheme(path, allowed_hosts=None):
        request.session[SESSION_KEY] = path


@method_decorator(login_required, name="dispatch")
class AuthenticatorsPage(IndexView):  # type: ignore[misc]
    """Page of the user's authenticators; ``?next=`` is the path to return to."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Store ``?next=`` and redirect without it, or show the page."""
        if came_from := request.GET.get("next"):
            remember_return_path(request, came_from)
            return redirect("mfa_index")
        shown: HttpResponse = super().get(request, *args, **kwargs)
        return shown

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the path to return to, if any."""
        way_back = self.request.session.get(SESSION_KEY, "")
        return {**super().get_context_data(**kwargs), "way_back": way_back}
