"""Write a whole event, or a series, to a file.

Source: contracts, Commands: exit 0; 2 for an unknown event or a file that can't be written.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from tournaments.archive.writer import event_archive
from tournaments.management import EventFileCommand, find_event, find_series
from tournaments.series.archive import series_archive


class Command(EventFileCommand):
    """Command that writes an event or a series to an archive for ``restore``."""

    help = "Writes a whole event as JSON: exit 0, 2 when there is no such event or folder."
    example = "event.json"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add whether the slug is that of a series."""
        super().add_arguments(parser)
        parser.add_argument("--series", action="store_true", help="a series with its events")

    def handle(self, *args: object, **options: Any) -> None:
        """Write the file with mode 0600, since it holds decklists and links."""
        slug = options["event"]
        if options["series"]:
            content = series_archive(find_series(slug), None)
        else:
            content = event_archive(find_event(slug))

        def write(path: Path) -> None:
            path.touch(mode=0o600)
            path.write_bytes(content)

        self.write(options["file"], write)
