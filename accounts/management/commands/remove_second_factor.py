"""Remove the second factor of a person who lost it and the recovery codes.

The administrator verifies their identity first. Exit 0; 2 if no account has the address.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from accounts.second_factor import remove_second_factor
from accounts.services import user_by_email


class Command(BaseCommand):
    """Removes an account's authenticator app, passkeys and recovery codes."""

    help = "Removes somebody's second factor: exit 0, 2 for an unknown address."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the account's address."""
        parser.add_argument("email", help="the address that the person signs in with")

    def handle(self, *args: object, **options: Any) -> None:
        """Remove an account's second factor and print the number of factors removed."""
        user = user_by_email(options["email"])
        self.stdout.write(f"{user.email}: {remove_second_factor(user)}")
