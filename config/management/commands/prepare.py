"""``manage.py prepare``: what ``make run`` does before it serves, in one process."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """Migrates the database, creates or locks the demo, and collects the static files.

    For a venue it prints the first organiser's link, unless an account exists.
    """

    help = "Brings database, demo and static files up to date before the site is served."
    requires_system_checks = []  # migrate checks the database itself

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option ``--hall``."""
        parser.add_argument(
            "--hall", action="store_true", help="lock the demo's accounts; make no events"
        )

    def handle(self, *args: Any, hall: bool, **options: Any) -> None:
        """Run the commands, which print for themselves; nothing is done twice."""
        call_command("migrate", verbosity=0, skip_checks=False)
        call_command("demo", close=hall, site=not hall, skip_checks=False)
        if hall:
            call_command("first_organiser", skip_checks=False)
        call_command("collectstatic", interactive=False, verbosity=0, if_changed=True)
