"""Write a whole event to a file.

Source: contracts, Commands: exit 0; 2 for an unknown event or a file that can't be written.
"""

from pathlib import Path
from typing import Any

from tournaments.archive.writer import event_archive
from tournaments.management.refusals import EventFileCommand, event_of


class Command(EventFileCommand):
    """Writes an event to an archive, the file that ``restore`` reads."""

    help = "Writes a whole event as JSON: exit 0, 2 when there is no such event or folder."
    example = "event.json"

    def handle(self, *args: object, **options: Any) -> None:
        """Write the file with mode 0600, since it holds decklists and links."""
        event = event_of(options["event"])

        def write(path: Path) -> None:
            path.touch(mode=0o600)
            path.write_bytes(event_archive(event))

        self.write(options["file"], write)
