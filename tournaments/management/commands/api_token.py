"""Print an API token of a person or a program.

Source: contracts, Commands: exit 0; 2 where there is no such user.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.tokens import create_api_token
from tournaments.erasing.services.rows import NOWHERE
from tournaments.management import NotDoneError


class Command(BaseCommand):
    """Command that creates an API token of a user and prints it, for scripts.

    Only its hash is stored.
    """

    help = "Prints an API token with a user's rights: exit 0, 2 when there is no such user."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the user and the duration."""
        parser.add_argument("name", help="the user's email address, or a program's name")
        parser.add_argument(
            "--create", action="store_true", help="make the user, allowed to create events"
        )
        parser.add_argument(
            "--days", type=int, default=0, help="after which it ends; 0: when it is revoked"
        )

    @transaction.atomic
    def handle(self, *args: object, **options: Any) -> None:
        """Find or create the user and print a new token; older ones stay valid."""
        name = options["name"].strip()
        email = name if "@" in name else f"{slugify(name)}@{NOWHERE}"
        user = User.objects.filter(email__iexact=email).first()
        if user is None and options["create"] and not email.startswith("@"):
            user = User.objects.create_user(
                email, name=name[:80], can_create_events=True, ceiling_factor=0
            )
        if user is None or not user.is_active:
            words = _("“%(name)s” does not exist.")
            raise NotDoneError(words % {"name": name})
        self.stdout.write(create_api_token(user, max(0, options["days"]))[1])
