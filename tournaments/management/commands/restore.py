"""Read a whole event, or a series, from a file.

Source: contracts, Commands: exit 0; 2 for an invalid archive or an existing event.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from accounts.models import User
from tournaments.archive.reader import restore_archive
from tournaments.management import NotDoneError, rule_errors_as_not_done
from tournaments.series.archive import is_series_archive, restore_series


class Command(BaseCommand):
    """Command that restores an event or series from an archive, in one transaction.

    A user can be named as its organiser; without one, the site's administrators are.
    """

    help = "Reads an archived event: exit 0, 2 when nothing was stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file, another slug, and the owner."""
        parser.add_argument("file", help="a file written by archive")
        parser.add_argument("--slug", default="", help="instead of the event's own")
        parser.add_argument("--owner", default="", help="email address of who organises it here")

    def handle(self, *args: object, **options: Any) -> None:
        """Restore the event and print its slug."""
        try:
            content = Path(options["file"]).read_bytes()
        except OSError as fault:
            words = _("“%(file)s” can’t be read: %(why)s.")
            values = {"file": options["file"], "why": fault.strerror}
            raise NotDoneError(words % values) from None
        with rule_errors_as_not_done():
            owner = _owner(options["owner"])
            read = restore_series if is_series_archive(content) else restore_archive
            made = read(content, slug=options["slug"], caller=owner, of_any_length=True)
        self.stdout.write(made.slug)


def _owner(address: str) -> User | None:
    """Return the account with an email address, None without one. Raises NotDoneError."""
    user = User.objects.filter(email__iexact=address).first() if address else None
    if address and user is None:
        words = _("There is no account %(email)s.")
        raise NotDoneError(words % {"email": address})
    return user
