"""Rank the results in a file of the contract's JSON.

Source: contracts, Commands: exit 0; 2 for invalid input, with the JSON path of the error.
"""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from config.wording import translate
from rules.numbers import number_to_json
from rules.standings.rank_document import (
    RankedDocument,
    parse_json,
    rank_document,
    render_standings,
)
from rules.standings.table import Standing
from tournaments.management import NotDoneError, rule_errors_as_not_done


class Command(BaseCommand):
    """Command that prints the standings of results in a JSON file; nothing is stored."""

    help = "Ranks results: exit 0, or 2 when the file cannot be read."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the file (``-`` is standard input) and the output format."""
        parser.add_argument("file", help="results as JSON; - reads standard input")
        parser.add_argument("--json", action="store_true", help="answer as the API does")

    def handle(self, *args: object, **options: Any) -> None:
        """Print the standings."""
        with rule_errors_as_not_done():
            result = rank_document(parse_json(_content(options["file"])))
        if options["json"]:
            answer = json.dumps(render_standings(result.standings), ensure_ascii=False, indent=2)
        else:
            answer = _table(result)
        self.stdout.write(answer)


def _content(file: str) -> str | bytes:
    """Return the file's content. Raises NotDoneError."""
    try:
        if file != "-":
            return Path(file).read_bytes()
        stream = getattr(sys.stdin, "buffer", None)
        return sys.stdin.read() if stream is None else bytes(stream.read())
    except (OSError, ValueError):
        raise NotDoneError(_("“%(file)s” can’t be read.") % {"file": file}) from None


def _table(result: RankedDocument) -> str:
    """Return the rows as text, aligned in columns."""
    labels = {criterion.key: translate(criterion.label) for criterion in result.criteria}
    numeric = [criterion for criterion in result.criteria if criterion.value is not None]
    head = [
        _("Rank"),
        _("Player"),
        _("Played"),
        *(translate(criterion.short) for criterion in numeric),
        _("Placed by"),
    ]
    keys = [criterion.key for criterion in numeric]
    rows = [head, *(_cells(row, keys, labels) for row in result.standings.rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def _cells(row: Standing, keys: list[str], labels: Mapping[str, str]) -> list[str]:
    return [
        str(row.rank),
        str(row.player),
        str(row.played),
        *(str(number_to_json(row.values[key])) for key in keys),
        labels[row.placed_by] if row.placed_by else "",
    ]
