"""Erase a person: a player of an event, an account, or earlier erasures again.

Exit 0; 2 if nobody was erased.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from tournaments.core.permissions import Actor
from tournaments.erasing.services.erase import apply_erasures, erase_account, erase_from_event
from tournaments.log.services import lock_event
from tournaments.management import NotDoneError, find_event, rule_errors_as_not_done


class Command(BaseCommand):
    """Command that erases a person, and vacuums the database.

    It asks for a typed confirmation unless ``--yes``; ``--again`` applies all listed erasures once
    more, without asking.
    """

    help = (
        "Erases a player (EVENT NUMBER) or an account (--account ADDRESS) from the whole site; "
        "--again applies the list of erasures to a restored database. Exit 0, 2 when nothing was "
        "done. There is no way back."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add whom to erase."""
        parser.add_argument("event", nargs="?", help="the event's slug")
        parser.add_argument("number", nargs="?", type=int, help="the player's number there")
        parser.add_argument("--account", metavar="ADDRESS", help="an account and its owner")
        parser.add_argument("--again", action="store_true", help="whoever is on the list")
        parser.add_argument("--yes", action="store_true", help="without asking once more")

    def handle(self, *args: object, **options: Any) -> None:
        """Erase whom the arguments name."""
        ways = (options["number"] is not None, bool(options["account"]), options["again"])
        if sum(ways) != 1:
            words = _("Give either an event and a player number, or --account, or --again.")
            raise NotDoneError(words)
        with rule_errors_as_not_done():
            if options["again"]:
                found = apply_erasures()
                self.stdout.write(_("Erased: %(name)s") % {"name": found})
            elif options["account"]:
                self._account(options["account"], sure=options["yes"])
            else:
                self._player(options["event"], options["number"], sure=options["yes"])
        overwrite_deleted_text()

    def _account(self, address: str, *, sure: bool) -> None:
        user = User.objects.filter(email__iexact=address.strip()).first()
        if user is None:
            raise NotDoneError(_("There is no account %(email)s.") % {"email": address})
        typed = user.email if sure else self._ask(user.email)
        erase_account(user=user, confirm=typed)
        self.stdout.write(_("Erased: %(name)s") % {"name": typed})

    def _player(self, slug: str, number: int, *, sure: bool) -> None:
        event = find_event(slug)
        entry = event.entries.filter(number=number).first()
        if not sure:
            self._ask(entry.name if entry is not None else str(number))
        with transaction.atomic():
            erase_from_event(lock_event(event), number, by=Actor())
        self.stdout.write(_("Erased: %(name)s") % {"name": number})

    def _ask(self, wanted: str) -> str:
        """Return the typed confirmation if it matches."""
        words = _("Type “%(name)s” to confirm") % {"name": wanted}
        typed = input(_("This can’t be undone.") + f" {words}: ")
        if " ".join(typed.split()).casefold() != wanted.casefold():
            raise NotDoneError(_("Not saved"))
        return typed


def overwrite_deleted_text() -> None:
    """Vacuum an SQLite database and empty its WAL, so deleted text is gone.

    Does nothing for other databases or inside a transaction.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        return
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
