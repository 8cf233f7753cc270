"""``manage.py accept_key FILE``: accept the keys that sign another site's log lines.

``--lost EVENT`` records instead that the key of an event's lines is lost, so that they can't be
checked. Exit 0; 2 when nothing was stored.
"""

import re
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from tournaments.chain.accepted import accept_keys, accept_loss
from tournaments.chain.keys import signer_of
from tournaments.management.refusals import NotDoneError, event_of, refusals
from tournaments.verification.chain import lines_of
from tournaments.verification.files import read_files
from tournaments.verification.signatures import foreign_lines


class Command(BaseCommand):
    """Stores other sites' keys, or marks a key as lost, beside the heads of the logs."""

    help = (
        "Accepts the keys in a file that `line_key` wrote on another site: `verify` then checks "
        "the lines that they sign. Exit 0, 2 when nothing was stored."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file, or the event whose key is lost."""
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("file", nargs="?", help="a file written by line_key; - for the input")
        which.add_argument(
            "--lost", metavar="EVENT", help="record that the key of this event's lines is lost"
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Store what is accepted. Raises NotDoneError."""
        try:
            if options["lost"]:
                self._mark_key_as_lost(options["lost"])
            else:
                self._accept(options["file"])
        except OSError as fault:
            words = _("That can't be read or stored: %(why)s.")
            raise NotDoneError(words % {"why": fault}) from None

    def _accept(self, file: str) -> None:
        try:
            content = sys.stdin.read() if file == "-" else Path(file).read_text()
        except UnicodeDecodeError as fault:
            raise NotDoneError(str(fault)) from None
        with refusals():
            names = accept_keys(content)
        for name in names:
            self.stdout.write(_("Accepted: the key %(name)s.") % {"name": name})

    def _mark_key_as_lost(self, slug: str) -> None:
        """Record that the present signatures by unknown keys can't be checked."""
        event = event_of(slug)
        _lost, unknown = foreign_lines(lines_of(event), read_files(event))
        if not unknown:
            words = _("No line of this event is signed with a key that is unknown here.")
            raise NotDoneError(words)
        last = unknown[-1]
        if not re.fullmatch(r"[0-9a-f]{64}", last.digest):
            raise NotDoneError(_("The log of this event is not whole: see manage.py verify."))
        names = {signer_of(line.signature) for line in unknown}
        accept_loss(slug, number=last.number, digest=last.digest, keys=names)
        words = _("Recorded: the signatures up to line %(line)s can't be checked.")
        self.stdout.write(words % {"line": last.number})
