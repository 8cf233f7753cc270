"""Read a whole event from a file.

Source: contracts, Commands: exit 0; 2 for what is no archive, or an event that is there already.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from config.wording import translate
from rules.errors import RuleError
from tournaments.archive.back import restore

NOT_DONE = 2


class Command(BaseCommand):
    """Stores what ``archive`` has written, whole or not at all."""

    help = "Reads an archived event: exit 0, 2 when nothing was stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the file, and another slug where its own is taken."""
        parser.add_argument("file", help="a file written by archive")
        parser.add_argument("--slug", default="", help="instead of the event's own")

    def handle(self, *args: object, **options: Any) -> None:
        """Store the event and print its slug."""
        try:
            content = Path(options["file"]).read_bytes()
        except OSError as fault:
            words = _("“%(file)s” can't be read: %(why)s.")
            values = {"file": options["file"], "why": fault.strerror}
            raise CommandError(words % values, returncode=NOT_DONE) from None
        try:
            event = restore(content, slug=options["slug"])
        except RuleError as refused:
            raise CommandError(translate(refused.sentence), returncode=NOT_DONE) from None
        self.stdout.write(event.slug)
