"""Print the link by which the organiser of a new laptop makes their account."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.first_organiser import invite_first_organiser
from config.addresses import localhost_url


class Command(BaseCommand):
    """Prints the first organiser's link, and whether sign-up needs an invitation.

    No link if an account with a password exists.
    """

    help = "Prints the link for the organiser of a laptop; nothing of it where somebody signs in."

    def handle(self, *args: object, **options: Any) -> None:
        """Print the link, which works once, and the setting of sign-up."""
        if token := invite_first_organiser():
            self.stdout.write(_("Choose your name and password at:"))
            path = reverse("open_first_organiser", args=[token])
            self.stdout.write(f"  {localhost_url(path)}")
        if settings.SIGN_UP == "invitation":
            self.stdout.write(_("Other people need an invitation to sign up (see SIGN_UP)."))
