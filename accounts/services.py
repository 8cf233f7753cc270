"""What the site's administrator does: changes of accounts, and what the commands look up."""

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from accounts.models import User
from config import addresses, transaction


@transaction.atomic
def change_email_address(*, user: User, email: str) -> User:
    """Set an account's email address, as verified by an administrator; return the user.

    Raises ValidationError if it is invalid or another account has it. Deletes other accounts'
    unverified rows for the address.
    """
    user = User.objects.select_for_update().get(pk=user.pk)
    user.email = User.objects.normalize_email(email.strip()).lower()
    user.full_clean(exclude=["password", "name", "last_login"])
    same = EmailAddress.objects.filter(email=user.email).exclude(user=user)
    if same.filter(verified=True).exists():
        raise user.unique_error_message(User, ("email",))
    user.save(update_fields=["email"])
    same.delete()
    EmailAddress.objects.filter(user=user).delete()
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user


NOT_DONE = 2


def user_by_email(email: str) -> User:
    """Return the active user with an email address; raise CommandError (exit 2) if none."""
    user = User.objects.filter(email__iexact=email.strip(), is_active=True).first()
    if user is None:
        raise CommandError(
            _("There is no account with the address %(email)s.") % {"email": email},
            returncode=NOT_DONE,
        )
    return user


def base_url() -> str:
    """Return the base URL for links that commands print, without a trailing slash.

    If ``SITE_ADDRESS`` is unset, the first of ``CSRF_TRUSTED_ORIGINS``; else the site's address,
    else ``http://localhost``.
    """
    if settings.CSRF_TRUSTED_ORIGINS and not settings.SITE_ADDRESS:
        return str(settings.CSRF_TRUSTED_ORIGINS[0]).rstrip("/")
    return addresses.site_address() or "http://localhost"
