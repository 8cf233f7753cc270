"""Write an event's standings, or its archive workbook, to a file.

Source: contracts, Commands: exit 0; 2 for an unknown event or a file that can't be written.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from tournaments.core.visibility import EVERY_LIST
from tournaments.exports.handout.file import standings_file
from tournaments.exports.workbook import event_workbook
from tournaments.management.refusals import NotDoneError, event_of


class Command(BaseCommand):
    """Writes the standings, or with ``--whole`` the archive workbook, to an .xlsx file."""

    help = "Writes an event's standings: exit 0, 2 when there is no such event or no such folder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the event's slug and the file."""
        parser.add_argument("event", help="the event's slug")
        parser.add_argument("file", help="where to write, as event.xlsx")
        parser.add_argument(
            "--whole", action="store_true", help="the archive workbook: all that is stored"
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Write the workbook as the event's staff gets it. Raises NotDoneError."""
        event = event_of(options["event"])
        content = (
            event_workbook(event, staff=True, sight=EVERY_LIST)
            if options["whole"]
            else standings_file(event, staff=True)
        )
        try:
            Path(options["file"]).write_bytes(content)
        except OSError as fault:
            words = _("“%(file)s” can't be written: %(why)s.")
            values = {"file": options["file"], "why": fault.strerror}
            raise NotDoneError(words % values) from None
        self.stdout.write(_("%(file)s is written.") % {"file": options["file"]})
