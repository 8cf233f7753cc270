"""Print a link to choose a new password.

For a site without mail: the administrator passes the link on. Exit 0; 2 if no account has the
address.
"""

from argparse import ArgumentParser
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.core.management.base import BaseCommand
from django.urls import reverse

from accounts.services import base_url, user_by_email


class Command(BaseCommand):
    """Prints a link to choose a new password, valid once and for an hour."""

    help = "Prints a link for a new password, which works once: exit 0, 2 for an unknown address."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the account's address and the site's."""
        parser.add_argument("email", help="the address that the person signs in with")
        parser.add_argument(
            "--site", default="", help="where the site is reached, as https://girone.example"
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Print the link."""
        user = user_by_email(options["email"])
        key = default_token_generator.make_token(user)
        path = reverse("account_reset_password_from_key", args=[user_pk_to_url_str(user), key])
        self.stdout.write((options["site"].rstrip("/") or base_url()) + path)
