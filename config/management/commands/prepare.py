"""``manage.py prepare``: brings data and files up to date before the site is served."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection

from config.databases.upgrades import back_up_before_migration, record_version


class Command(BaseCommand):
    """Prepares data and files for serving: backup, migrations, demo, static files."""

    help = "Brings database, demo and static files up to date before the site is served."
    requires_system_checks = []  # migrate checks the database itself

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options ``--demo`` and ``--hall``."""
        demo = parser.add_mutually_exclusive_group()
        demo.add_argument("--demo", action="store_true", help="make demo events and accounts")
        demo.add_argument("--hall", action="store_true", help="lock the demo's accounts")

    def handle(self, *args: Any, demo: bool, hall: bool, **options: Any) -> None:
        """Run the commands, which print for themselves; nothing is done twice."""
        back_up_before_migration(connection)
        call_command("migrate", verbosity=0, skip_checks=False)
        record_version(connection)
        if demo or hall:
            call_command("demo", close=hall, site=demo, skip_checks=False)
        call_command("collectstatic", interactive=False, verbosity=0, if_changed=True)
