"""Tell older copies of ready-made rules which names are of one card.

Rules stored before they could say so lack the keys ``faces`` and ``same_cards``; rules stored
since have both. A copy does not name what it was made from, so this is no migration: the site's
operator looks at what would change, then says ``--write``.
"""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from config import transaction
from decks.house_formats.services import store_version
from decks.models import HouseFormat
from decks.stored_formats import OWN
from rules.deckbuilding.data.files import ready_made
from rules.deckbuilding.data.json import rules_to_json
from rules.names import name_key

KEYS = ("faces", "same_cards")


class Command(BaseCommand):
    """Adds the keys as a new version of each format; events that have started keep theirs."""

    help = (
        "Lists formats made from ready-made rules before these said which names are of one card; "
        "--write adds it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add ``--write``."""
        parser.add_argument("--write", action="store_true", help="store it")

    def handle(self, *args: object, **options: Any) -> None:
        """Print each format, its slug first; store them if asked to."""
        with transaction.atomic():
            found = list(_older_copies())
            for house, rules in found:
                if options["write"]:
                    store_version(house, rules=rules)
                self.stdout.write(f"{house.slug}: {house.game}, {house.name}")
        if not found:
            self.stdout.write(_("All formats say already which names are of one card."))
        elif not options["write"]:
            self.stdout.write(_("Nothing was changed: add --write to store it."))


def _older_copies() -> Iterator[tuple[HouseFormat, dict[str, object]]]:
    """Yield formats, locked, and their rules with the keys; one query."""
    known = _notations()
    rows = HouseFormat.objects.made_here().filter(base=OWN, lists=HouseFormat.Lists.COUNTED)
    for house in rows.select_for_update().order_by("pk"):
        rules = house.rules or {}
        notation = rules.get("notation", {})
        added = known.get((name_key(house.game), _zones(rules)))
        if added is not None and not any(key in notation for key in KEYS):
            yield house, rules | {"notation": notation | added}


def _notations() -> dict[tuple[str, tuple[str, ...]], dict[str, object]]:
    """Return what ready-made rules say, by game and zones; without those that say nothing."""
    found = {}
    for ready in ready_made():
        rules: dict[str, Any] = rules_to_json(ready.rules)
        said = {key: rules["notation"][key] for key in KEYS}
        if any(said.values()):
            found[name_key(ready.game), _zones(rules)] = said
    return found


def _zones(rules: dict[str, Any]) -> tuple[str, ...]:
    return tuple(zone["key"] for zone in rules.get("zones", ()))
