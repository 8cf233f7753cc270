"""Check one deck list against a format.

Source: contracts, Commands: exit 0 legal, 1 illegal, 2 cannot be read.
"""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils.translation import gettext as _

from config.wording import translate
from decks.checking import CheckedDeck
from decks.decklists.selectors import violation_rows
from decks.formats.selectors import checked_deck_as_json
from decks.labels import legal_verdict, unchecked_rules, zone_label
from decks.readers.kinds import FILE_TYPES, find_file_type, read_file
from decks.rulebook import DeckRules, current_rules
from rules.deckbuilding.formats import FORMATS
from rules.errors import BadInput

UNREADABLE = 2
ILLEGAL = 1


class Command(BaseCommand):
    """Command ``check_deck``: print a decklist's violations of a format; stores nothing."""

    help = "Checks a deck list: exit 0 legal, 1 illegal, 2 cannot be read."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the format, the file (``-`` is standard input), and the options."""
        parser.add_argument("format", help=f"one of: {', '.join(FORMATS.keys())}")
        parser.add_argument("file", help="the list; - reads standard input")
        parser.add_argument("--json", action="store_true", help="answer as the API does")
        types = ", ".join(FILE_TYPES)
        parser.add_argument("--type", help=f"one of: {types}; instead of the file's ending")

    def handle(self, *args: object, **options: Any) -> None:
        """Print the verdict and exit with its code."""
        file: str = options["file"]
        declared = options["type"] or find_file_type(file)
        try:
            checked = read_file(_content(file), file, _rules(options["format"]), declared).checked
        except BadInput as fault:
            raise CommandError(translate(fault.sentence), returncode=UNREADABLE) from None
        if options["json"]:
            self.stdout.write(
                json.dumps(checked_deck_as_json(checked), ensure_ascii=False, indent=2)
            )
        else:
            self.stdout.write(_report(checked))
        if not checked.legal:
            sys.exit(ILLEGAL)


def _content(file: str) -> bytes:
    """Return the content of the file; raises CommandError if it can't be read."""
    try:
        if file != "-":
            return Path(file).read_bytes()
        stream = getattr(sys.stdin, "buffer", None)
        return sys.stdin.read().encode() if stream is None else bytes(stream.read())
    except (OSError, ValueError):
        raise CommandError(
            _("“%(file)s” can’t be read.") % {"file": file}, returncode=UNREADABLE
        ) from None


def _rules(format_key: str) -> DeckRules:
    """Return the rules in effect today; the shipped ones before the first ``migrate``."""
    try:
        return current_rules(format_key)
    except DatabaseError:
        return DeckRules(format=FORMATS.get(format_key))


def _report(checked: CheckedDeck) -> str:
    shape, counts = checked.format, checked.deck.counts()
    sizes = ", ".join(f"{zone_label(key, shape)} {size}" for key, size in counts.items())
    said = legal_verdict(shape) if checked.legal else _("The decklist is illegal.")
    faults = [f"{row.label}: {row.text}" for row in violation_rows(checked.violations)]
    if shape.not_checked and not checked.legal:
        unchecked = _("Not checked")
        faults.append(f"{unchecked}: {', '.join(unchecked_rules(shape))}.")
    return "\n".join([said, sizes, *faults])
