"""Write a whole event to a file.

Source: contracts, Commands: exit 0; 2 for an unknown event or a file that can't be written.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from tournaments.archive.writer import archive
from tournaments.management.refusals import NotDoneError, event_of


class Command(BaseCommand):
    """Writes an event to an archive, the file that ``restore`` reads."""

    help = "Writes a whole event as JSON: exit 0, 2 when there is no such event or folder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the event's slug and the file."""
        parser.add_argument("event", help="the event's slug")
        parser.add_argument("file", help="where to write, as event.json")

    def handle(self, *args: object, **options: Any) -> None:
        """Write the file with mode 0600, since it holds decklists and links."""
        event = event_of(options["event"])
        path = Path(options["file"])
        try:
            path.touch(mode=0o600)
            path.write_bytes(archive(event))
        except OSError as fault:
            words = _("“%(file)s” can't be written: %(why)s.")
            values = {"file": options["file"], "why": fault.strerror}
            raise NotDoneError(words % values) from None
        self.stdout.write(_("%(file)s is written.") % {"file": options["file"]})
