"""``collectstatic`` with the option ``--if-changed``."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.management.commands import collectstatic

from config.static_files import is_up_to_date


class Command(collectstatic.Command):
    """Django's command with ``--if-changed``."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option."""
        super().add_arguments(parser)  # type: ignore[arg-type]
        parser.add_argument(
            "--if-changed", action="store_true", help="Do nothing where no file has changed."
        )

    def handle(self, **options: Any) -> str | None:
        """Collect; with ``--if-changed`` only if a file has changed."""
        if options.pop("if_changed") and is_up_to_date(Path(settings.STATIC_ROOT)):
            return None
        return super().handle(**options)
