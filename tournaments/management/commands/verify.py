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
    """Checks one event; nothing is changed."""

    help = "Computes an event again: exit 0 nothing differs, 1 differences, 2 no such event."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the event's slug."""
        parser.add_argument("event", help="the event's slug")

    def handle(self, *args: object, **options: Any) -> None:
        """Print one line a difference."""
        event = Event.objects.filter(slug=options["event"]).first()
        if event is None:
            raise CommandError(
                _("There is no event “%(slug)s”.") % {"slug": options["event"]},
                returncode=NOT_DONE,
            )
        for note in notes_on(event):
            self.stdout.write(_("No fault: %(note)s") % {"note": note})
        found = list(verify_event(event))
        for finding in found:
            self.stdout.write(str(finding))
        if found:
            sys.exit(DIFFERENT)
        self.stdout.write(_("Nothing differs."))
