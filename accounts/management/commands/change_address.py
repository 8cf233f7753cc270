"""Change the email address of an account.

For a site without mail, where nobody can verify a new address. Exit 0; 2 if no account has the
old address, or another one has the new.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from accounts.services import NOT_DONE, change_email_address, user_by_email


class Command(BaseCommand):
    """Changes the email address of an account; password, roles and tokens are kept."""

    help = "Changes the address somebody signs in with: exit 0, 2 when nothing was changed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the old and the new address."""
        parser.add_argument("old", help="the address that the person signs in with")
        parser.add_argument("new", help="the address that takes its place")

    def handle(self, *args: object, **options: Any) -> None:
        """Change the address."""
        user = user_by_email(options["old"])
        try:
            change_email_address(user=user, email=options["new"])
        except ValidationError as wrong:
            raise CommandError(" ".join(wrong.messages), returncode=NOT_DONE) from None
        self.stdout.write(f"{options['old']} → {user.email}")
