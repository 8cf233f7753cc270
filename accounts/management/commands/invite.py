"""Print a link with which one person signs up, for sites where sign-up is by invitation."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.urls import reverse

from accounts.invitations import create_invitation
from accounts.services import base_url


class Command(BaseCommand):
    """Creates an invitation to sign up and prints its link, valid once for two weeks."""

    help = "Prints a link with which one person makes an account."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the site's address."""
        parser.add_argument(
            "--site", default="", help="where the site is reached, as https://girone.example"
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Print the link."""
        path = reverse("open_invitation", args=[create_invitation()])
        self.stdout.write((options["site"].rstrip("/") or base_url()) + path)
