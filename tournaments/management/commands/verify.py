"""Compute an event again from its facts and print every difference."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from tournaments.models import Event
from tournaments.verification.event import notes_on, verify_event

DIFFERENT = 1
NOT_DONE = 2


class Command(BaseCommand):
    """Checks one event, or every one; nothing is changed."""

    help = "Computes an event again: exit 0 nothing differs, 1 differences, 2 no such event."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the event's slug."""
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("event", nargs="?", help="the event's slug")
        which.add_argument("--all", action="store_true", help="every event of the site")

    def handle(self, *args: object, **options: Any) -> None:
        """Print one line a difference, behind the event's slug where all are checked."""
        if options["all"]:
            found = [
                self.differs(event, f"{event.slug}: ") for event in Event.objects.order_by("pk")
            ]
            self.stdout.write(_("Events looked at: %(count)s.") % {"count": len(found)})
        else:
            found = [self.differs(the_event(options["event"]), "")]
        if any(found):
            sys.exit(DIFFERENT)
        self.stdout.write(_("Nothing differs."))

    def differs(self, event: Event, prefix: str) -> bool:
        """Print what is to be said of one event; return whether anything differs."""
        for note in notes_on(event):
            self.stdout.write(prefix + _("No fault: %(note)s") % {"note": note})
        found = list(verify_event(event))
        for finding in found:
            self.stdout.write(f"{prefix}{finding}")
        return bool(found)


def the_event(slug: str) -> Event:
    """Return the event; raise CommandError (exit 2) where there is none."""
    event = Event.objects.filter(slug=slug).first()
    if event is None:
        words = _("There is no event “%(slug)s”.")
        raise CommandError(words % {"slug": slug}, returncode=NOT_DONE)
    return event
