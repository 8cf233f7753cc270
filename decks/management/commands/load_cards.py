"""Load the site's card catalogue of a game.

Source: contracts, Commands: exit 0; 2 with row numbers and sentences, nothing half loaded.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from config.wording import error_message, translate
from decks.cards.catalogues import change_summary, find_game_slug, shipped_games
from decks.cards.files import CardFile
from decks.cards.published.reading import ReadLimiter, read_catalogue
from decks.cards.services import load_cards
from decks.files.limits import MEBIBYTE
from rules.errors import RuleError

NOT_LOADED = 2
MOST = 16 * 1024 * MEBIBYTE
EVERY = 200 * MEBIBYTE
MOST_FAULTS = 100


class Command(BaseCommand):
    """Command ``load_cards``: load cards into the site's catalogue.

    ``--whole`` removes those not in the file.
    """

    help = (
        "Loads cards from a CSV or XLSX file, one row a card, or from a published catalogue "
        "(.json, .json.gz, .zip): exit 0, or 2 and nothing loaded."
    )

    next_told = EVERY

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the game, the file and ``--whole``."""
        parser.add_argument(
            "game", help=f"one of: {', '.join(shipped_games())}; or the name of another game here"
        )
        parser.add_argument(
            "file",
            help="a table with a column name or name_en, and others; or the JSON of Scryfall, "
            "YGOPRODeck or the Pokémon TCG data",
        )
        parser.add_argument(
            "--whole", action="store_true", help="take out the cards that the file lacks"
        )

    def handle(self, *args: object, **options: Any) -> None:
        """Load the file and print the changes."""
        try:
            read = self._read(options["file"])
            if read.faults:
                raise CommandError(_report(read), returncode=NOT_LOADED)
            game = find_game_slug(options["game"])
            loaded = load_cards(game=game, cards=read.cards, remove_missing=options["whole"])
        except RuleError as refused:
            raise CommandError(error_message(refused), returncode=NOT_LOADED) from None
        self.stdout.write(change_summary(loaded.changes))

    def _read(self, file: str) -> CardFile:
        try:
            with Path(file).open("rb") as opened:
                return read_catalogue(opened, file, meter=ReadLimiter(most=MOST, told=self._tell))
        except (OSError, ValueError):
            raise CommandError(
                _("“%(file)s” can’t be read.") % {"file": file}, returncode=NOT_LOADED
            ) from None

    def _tell(self, read: int) -> None:
        """Print how much is read, every so often."""
        if read >= self.next_told:
            self.stderr.write(f"{read // MEBIBYTE} MB")
            self.next_told += EVERY


def _report(read: CardFile) -> str:
    lines = [
        _("Row %(row)s: %(sentence)s") % {"row": fault.row, "sentence": translate(fault.sentence)}
        for fault in read.faults[:MOST_FAULTS]
    ]
    if len(read.faults) > MOST_FAULTS:
        lines.append(_("Problems: %(count)s.") % {"count": len(read.faults)})
    return "\n".join([*lines, _("Not saved")])
