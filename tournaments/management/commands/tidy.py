"""``manage.py tidy``: delete what is kept for a time only, once that is over."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.outbox.queue import delete_expired_mail, drop_pending_deliveries
from accounts.outbox.worker import EXPIRED
from decks.cards.services import delete_former_cards
from tournaments.joining.services import delete_old_claims
from tournaments.players.services.contacts import delete_expired_contacts


class Command(BaseCommand):
    """Command that deletes expired contacts, mails and sign-in requests.

    It also deletes former cards that no event uses.
    """

    help = (
        "Deletes the contacts of players whose event ended as many days ago as its organisers "
        "chose (90 unless they did), and former cards of catalogues with which no event began. "
        "Every start of config.server and the timer of backups run it."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Delete, and say how many contacts and cards there were."""
        delete_old_claims(timezone.now())
        drop_pending_deliveries(EXPIRED, past=timezone.now())
        delete_expired_mail(timezone.now())
        deleted = delete_expired_contacts(timezone.now())
        if deleted or options["verbosity"] > 1:
            self.stdout.write(_("Contacts deleted: %(count)s.") % {"count": deleted})
        forgotten = delete_former_cards()
        if forgotten or options["verbosity"] > 1:
            self.stdout.write(_("Old cards deleted: %(count)s.") % {"count": forgotten})
