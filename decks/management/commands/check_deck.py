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
from decks.checking import Checked, check_text, check_zones
from decks.presentation import checked_as_json
from decks.rulebook import DeckRules, deck_format, rules_of
from decks.selectors import violation_rows, zone_label
from rules.deckbuilding.formats import FORMATS
from rules.errors import BadInput

UNREADABLE = 2
ILLEGAL = 1


class Command(BaseCommand):
    """Says what is wrong with a list; nothing is stored."""

    help = "Checks a deck list: exit 0 legal, 1 illegal, 2 cannot be read."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the format, the file (``-`` is standard input), how to read and answer."""
        parser.add_argument("format", help=f"one of: {', '.join(FORMATS.keys())}")
        parser.add_argument("file", help="the list; - reads standard input")
        parser.add_argument("--json", action="store_true", help="answer as the API does")
        parser.add_argument("--type", choices=["text", "json"], help="instead of the file's ending")

    def handle(self, *args: object, **options: Any) -> None:
        """Print the verdict and leave with its exit code."""
        file: str = options["file"]
        kind = options["type"] or ("json" if file.lower().endswith(".json") else "text")
        try:
            checked = _checked(options["format"], _content(file), kind)
        except BadInput as fault:
            raise CommandError(translate(fault.sentence), returncode=UNREADABLE) from None
        if options["json"]:
            self.stdout.write(json.dumps(checked_as_json(checked), ensure_ascii=False, indent=2))
        else:
            self.stdout.write(_report(checked))
        if not checked.legal:
            sys.exit(ILLEGAL)


def _content(file: str) -> str:
    """Return the file's text; raises CommandError where there is none."""
    try:
        if file != "-":
            return Path(file).read_bytes().decode("utf-8-sig")
        stream = getattr(sys.stdin, "buffer", None)
        if stream is None:
            return sys.stdin.read().removeprefix("\ufeff")
        return str(stream.read().decode("utf-8-sig"))
    except (OSError, ValueError):
        raise CommandError(
            _("“%(file)s” can't be read: it must be a file of UTF-8 text.") % {"file": file},
            returncode=UNREADABLE,
        ) from None


def _rules(format_key: str) -> DeckRules:
    """Return the rules that hold today; before the first ``migrate`` those of the program."""
    try:
        return rules_of(format_key)
    except DatabaseError:
        return DeckRules(format=deck_format(format_key))


def _checked(format_key: str, content: str, kind: str) -> Checked:
    rules = _rules(format_key)
    if kind == "text":
        return check_text(rules, text=content)
    try:
        sent = json.loads(content)
    except (ValueError, RecursionError):
        sent = None
    if not isinstance(sent, dict) or not {"text", "zones"} & sent.keys():
        raise CommandError(
            _("The file must hold a JSON object with “text” or “zones”."), returncode=UNREADABLE
        )
    language = sent.get("language")
    if isinstance(sent.get("text"), str):
        declared = language if isinstance(language, str) else None
        return check_text(rules, text=sent["text"], language=declared)
    return check_zones(rules, zones=sent.get("zones"), language=language)


def _report(checked: Checked) -> str:
    sizes = ", ".join(f"{zone_label(key)} {size}" for key, size in checked.deck.counts().items())
    verdict = _("The list is legal.") if checked.legal else _("The list is illegal.")
    faults = [f"{row.word}: {row.text}" for row in violation_rows(checked.violations)]
    return "\n".join([verdict, sizes, *faults])
