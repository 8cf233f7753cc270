"""``collectstatic`` with the option ``--if-changed``."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.management.commands import collectstatic
from django.contrib.staticfiles.storage import staticfiles_storage
from filelock import FileLock

from config.static_files import is_collection_up_to_date


class Command(collectstatic.Command):
    """Django's collectstatic with the option ``--if-changed``."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the option ``--if-changed``."""
        super().add_arguments(parser)  # type: ignore[arg-type]
        parser.add_argument(
            "--if-changed", action="store_true", help="Do nothing where no file has changed."
        )

    def handle(self, **options: Any) -> str | None:
        """Collect; with ``--if-changed`` only if a file has changed, and say so.

        Servers that start at once wait for the first one's. Raises OSError where nothing can be
        written.
        """
        if not options.pop("if_changed"):
            return super().handle(**options)
        root = Path(settings.STATIC_ROOT)
        if is_collection_up_to_date(root):
            return None
        with FileLock(root / ".collecting"):
            if is_collection_up_to_date(root):
                staticfiles_storage.read_again()  # type: ignore[attr-defined]
                return None
            self.stdout.write("Collecting style sheets and scripts; this takes some seconds.")
            self.stdout.flush()
            said = super().handle(**options)
            staticfiles_storage.read_again()  # type: ignore[attr-defined]
            return said
