"""``manage.py delete_event SLUG``: delete an event, started or not; for the site's operator.

Exit 0; 2 when there is no such event or the deletion was not confirmed.
"""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils.translation import gettext as _

from tournaments.events.services import delete_event_rows
from tournaments.log.services import lock_event
from tournaments.management import NotDoneError, no_event_error
from tournaments.models import Event


class Command(BaseCommand):
    """Command that deletes an event with its players, results and log."""

    help = (
        "Deletes an event, started or not, with its players, results and log. "
        "Exit 0, 2 when nothing was deleted."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the event's slug."""
        parser.add_argument("event", help="the event's slug")
        parser.add_argument("--yes", action="store_true", help="without asking once more")

    def handle(self, *args: object, **options: Any) -> None:
        """Delete the event; at a terminal its slug must be typed once more."""
        slug = options["event"]
        try:
            event = Event.objects.get(slug=slug)
            if sys.stdin.isatty() and not options["yes"]:
                confirm_slug(slug)
            with transaction.atomic():
                delete_event_rows(lock_event(event))
        except Event.DoesNotExist:
            raise no_event_error(slug) from None
        self.stdout.write(_("Deleted: %(name)s") % {"name": slug})


def confirm_slug(wanted: str) -> None:
    """Ask the user to type the event's slug ``wanted``; raise NotDoneError otherwise."""
    words = _("Type “%(name)s” to confirm") % {"name": wanted}
    if input(_("This can’t be undone.") + f" {words}: ").strip() != wanted:
        raise NotDoneError(_("Not saved"))
