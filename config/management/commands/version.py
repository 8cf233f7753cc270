"""``manage.py version``: the versions of Girone, Django, Python and the database."""

import platform
from typing import Any

import django
from django.core.management.base import BaseCommand
from django.db import connection

from config import VERSION


class Command(BaseCommand):
    """Prints the versions of Girone, Django, Python and the database."""

    help = "Prints the version of Girone, and on the same line what it runs on."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Print one line: the version is its second word."""
        self.stdout.write(
            f"Girone {VERSION} (Django {django.get_version()}, Python {platform.python_version()}, "
            f"{connection.display_name})"
        )
