"""Helpers of the management commands: finding an account, the site's address."""

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from accounts.models import User
from config import addresses

NOT_DONE = 2


def user_of(email: str) -> User:
    """Return the user with an e-mail address; raises CommandError (exit 2) if there is none."""
    user = User.objects.filter(email__iexact=email.strip(), is_active=True).first()
    if user is None:
        raise CommandError(
            _("Nobody signs in with “%(email)s”. Nothing was changed.") % {"email": email},
            returncode=NOT_DONE,
        )
    return user


def site_address() -> str:
    """Return the site's base address according to its settings, without a trailing slash."""
    if settings.CSRF_TRUSTED_ORIGINS and not settings.SITE_ADDRESS:
        return str(settings.CSRF_TRUSTED_ORIGINS[0]).rstrip("/")
    return addresses.site_address() or "http://localhost"
