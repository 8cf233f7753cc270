"""``manage.py tidy``: delete what is kept for a time only, once that is over."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.players.services.contacts import delete_expired


class Command(BaseCommand):
    """Deletes e-mail addresses and membership numbers of players, some days after their event."""

    help = (
        "Deletes the contacts of players whose event ended as many days ago as its organisers "
        "chose (90 unless they did). Every start of config.server and the timer of backups run it."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete, and say how many contacts there were."""
        deleted = delete_expired(timezone.now())
        if deleted or options["verbosity"] > 1:
            self.stdout.write(_("Contacts deleted: %(count)s.") % {"count": deleted})
