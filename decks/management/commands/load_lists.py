"""Load newer card lists of a format for the whole site.

Source: contracts, Commands: exit 0; 2 with line numbers, nothing half loaded.
"""

from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from config.wording import error_message, translate
from decks.card_lists.selectors import read_card_list_file
from decks.card_lists.services import LoadedCardLists, load_lists
from decks.rulebook import rules_without_cards
from rules.deckbuilding.card_lists import LABELS, CardListRows, fill_in_missing_columns
from rules.deckbuilding.formats import FORMATS
from rules.errors import RuleError

NOT_LOADED = 2
MOST_PROBLEMS = 100


class Command(BaseCommand):
    """Command ``load_lists``: store a file's card lists as of a date.

    Loading a file twice changes nothing.
    """

    help = "Loads banned, limited and other lists: exit 0, or 2 and nothing loaded."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the format, the file and the date of the lists."""
        parser.add_argument(
            "format", help=f"one of: {', '.join(FORMATS.keys())}, or a house format"
        )
        parser.add_argument("file", help="CSV or XLSX: list, card, expansion, aliases, with")
        parser.add_argument("--date", required=True, help="the date of the lists, 2026-11-21")

    def handle(self, *args: object, **options: Any) -> None:
        """Load the file and print the result."""
        slug, dated = options["format"], _date(str(options["date"]))
        try:
            present = rules_without_cards(slug).format.lists
            read = read_card_list_file(_content(options["file"]), options["file"])
            if read.problems:
                raise CommandError(_problems(read), returncode=NOT_LOADED)
            loaded = load_lists(
                slug=slug,
                rows=fill_in_missing_columns(read, present),
                dated=dated,
                for_site=True,
                by=None,
            )
        except RuleError as refused:
            raise CommandError(error_message(refused), returncode=NOT_LOADED) from None
        self.stdout.write(_report(slug, loaded))


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise CommandError(
            _("Use a date such as 2026-11-21, not “%(text)s”.") % {"text": text[:40]},
            returncode=NOT_LOADED,
        ) from None


def _content(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except (OSError, ValueError):
        raise CommandError(
            _("“%(file)s” can’t be read.") % {"file": file}, returncode=NOT_LOADED
        ) from None


def _problems(read: CardListRows) -> str:
    lines = [
        _("Row %(row)s: %(sentence)s")
        % {"row": problem.line, "sentence": translate(problem.sentence)}
        for problem in read.problems[:MOST_PROBLEMS]
    ]
    if len(read.problems) > MOST_PROBLEMS:
        lines.append(_("Problems: %(count)s.") % {"count": len(read.problems)})
    return "\n".join([*lines, _("Not saved")])


def _report(slug: str, loaded: LoadedCardLists) -> str:
    dated = loaded.version.dated
    if not loaded.is_new:
        return _("These card lists already exist.")
    rows = [row["list"] for row in loaded.version.rows]
    lines = [f"{slug}, {dated}:"]
    lines += [f"{translate(LABELS[key])}: {rows.count(key)}" for key in LABELS if key in rows]
    holding = rules_without_cards(slug)
    if holding.card_lists != loaded.version:
        lines.append(_("Saved, but newer card lists apply."))
    return "\n".join(lines)
