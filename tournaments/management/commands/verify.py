"""Recompute an event, or a series, from its facts and print every difference."""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from config.upkeep import VERIFY, record_task
from tournaments.management import (
    NotDoneError,
    find_series,
    no_event_error,
    rule_errors_as_not_done,
)
from tournaments.models import Event
from tournaments.series.verifying import series_notes, verify_series
from tournaments.verification.event import (
    compare_with_transcript,
    event_notes,
    read_transcript_digests,
    verify_event,
)
from tournaments.verification.records import Finding

DIFFERENT = 1


class Command(BaseCommand):
    """Command that verifies an event, all events, or a series; changes nothing."""

    help = (
        "Computes an event or a series again: exit 0 nothing differs, 1 differences, 2 no such "
        "event, series or transcript."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the event's slug."""
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("event", nargs="?", help="the event's slug")
        which.add_argument("--all", action="store_true", help="every event of the site")
        which.add_argument("--series", metavar="SLUG", help="a series with its events")
        parser.add_argument(
            "--against",
            type=Path,
            metavar="TRANSCRIPT",
            help="a transcript of the event: the lines of the log up to its last must be the same",
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Print one line a difference, prefixed by the event's slug if all are checked.

        Events deleted meanwhile are skipped.
        """
        self.held = transcript_digests(options["against"]) if options["against"] else {}
        if self.held and not options["event"]:
            raise NotDoneError(_("A transcript belongs to one event. Give that event’s slug."))
        if options["all"]:
            found = list(self.all_events())
            record_task(VERIFY, differences=sum(found))
            self.stdout.write(_("Events verified: %(count)s.") % {"count": len(found)})
        elif options["series"]:
            found = [self.one_series(options["series"])]
        else:
            found = [self.one_event(options["event"])]
        if any(found):
            sys.exit(DIFFERENT)
        self.stdout.write(_("No differences found."))

    def all_events(self) -> Iterator[bool]:
        for event in Event.objects.order_by("pk"):
            with suppress(Event.DoesNotExist):
                yield self.differs(event, f"{event.slug}: ")

    def one_event(self, slug: str) -> bool:
        """Print an event's differences; return whether it has any; raise NotDoneError."""
        try:
            return self.differs(Event.objects.get(slug=slug), "")
        except Event.DoesNotExist:
            raise no_event_error(slug) from None

    def one_series(self, slug: str) -> bool:
        """Print the differences of a series; return whether it has any; raise NotDoneError."""
        series = find_series(slug)
        return self.told(series_notes(series), verify_series(series), "")

    def differs(self, event: Event, prefix: str) -> bool:
        """Print the notes and findings of an event; return whether anything differs.

        Raises Event.DoesNotExist if it was deleted.
        """
        found = [*verify_event(event), *compare_with_transcript(event, self.held)]
        return self.told(event_notes(event), found, prefix)

    def told(self, notes: list[Finding], found: list[Finding], prefix: str) -> bool:
        """Print notes and findings; return whether anything differs."""
        for note in notes:
            self.stdout.write(prefix + _("Note: %(note)s") % {"note": note})
        for finding in found:
            self.stdout.write(f"{prefix}{finding}")
        return bool(found)


def transcript_digests(transcript: Path) -> Mapping[int, str]:
    """Return {log line number: digest} in a transcript file; raises NotDoneError."""
    try:
        with rule_errors_as_not_done():
            return read_transcript_digests(transcript)
    except OSError as fault:
        words = _("“%(file)s” can’t be read: %(why)s.")
        raise NotDoneError(words % {"file": transcript, "why": fault}) from None
