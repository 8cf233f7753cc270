"""Remove somebody's second factor, who lost the phone and the recovery codes.

Whoever runs the site makes sure that it is them. Exit 0; 2 where nobody signs in with the address.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from accounts.commands import user_of
from accounts.second_factor.adapter import remove_second_factor


class Command(BaseCommand):
    """Removes app, passkeys and recovery codes; the password stays."""

    help = "Removes somebody's second factor: exit 0, 2 for an unknown address."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take whose it is."""
        parser.add_argument("email", help="the address that the person signs in with")

    def handle(self, *args: object, **options: Any) -> None:
        """Remove it and say how much there was."""
        user = user_of(options["email"])
        self.stdout.write(f"{user.email}: {remove_second_factor(user)}")
