"""allauth's MFA adapter: encrypted secrets, and a locally drawn QR code."""

from base64 import urlsafe_b64encode
from hashlib import sha256
from io import BytesIO

import segno
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import generate_totp_secret
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
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
