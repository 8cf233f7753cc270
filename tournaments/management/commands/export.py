"""Write an event's standings, or its archive workbook, to a file.

Source: contracts, Commands: exit 0; 2 for an unknown event or a file that can't be written.
"""

from argparse import ArgumentParser
from typing import Any

from tournaments.core.visibility import EVERY_LIST
from tournaments.exports.handout.file import standings_workbook
from tournaments.exports.workbook import event_workbook
from tournaments.management import EventFileCommand, find_event


class Command(EventFileCommand):
    """Command that writes an event's standings to an .xlsx file.

    With ``--whole`` it writes the archive workbook.
    """

    help = "Writes an event's standings: exit 0, 2 when there is no such event or no such folder."
    example = "event.xlsx"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the event's slug, the file and which workbook."""
        super().add_arguments(parser)
        parser.add_argument(
            "--whole", action="store_true", help="the archive workbook: all that is stored"
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Write the workbook as the event's staff gets it. Raises NotDoneError."""
        event = find_event(options["event"])
        content = (
            event_workbook(event, staff=True, sight=EVERY_LIST)
            if options["whole"]
            else standings_workbook(event, staff=True)
        )
        self.write(options["file"], lambda path: path.write_bytes(content))
