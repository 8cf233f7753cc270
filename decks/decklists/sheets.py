"""Printable deck sheets: a player's list, or an empty sheet to fill in by hand."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from config.wording import translate
from decks.decklists.selectors import DecklistRow, decklist_row
from decks.labels import format_label
from decks.models import Decklist
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.zones import Zone

MOST_LINES = 40
FEW_LINES = 15
LONG = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckSheet:
    """A player's decklist and its heading for print; ``handed_in`` is in ``time_zone``.

    ``number`` is the player's. ``fingerprint`` is short, ``cards`` the number of cards; ``is_long``
    selects small print, so that the list fits on one page.
    """

    event: str
    player: str
    number: int
    format: str
    handed_in: datetime
    time_zone: str
    fingerprint: str
    cards: int
    is_long: bool
    decklist: DecklistRow


def deck_sheet(
    decklist: Decklist,
    deck_format: DeckFormat,
    *,
    event: str,
    player: str,
    number: int,
    handed_in: datetime,
    time_zone: str,
) -> DeckSheet:
    """Return a stored decklist as a printable sheet; no query.

    ``event`` and ``player`` are names, ``number`` the player's, ``handed_in`` when the list was
    submitted.
    """
    row = decklist_row(decklist)
    return DeckSheet(
        event=event,
        player=player,
        number=number,
        format=format_label(deck_format),
        handed_in=handed_in,
        time_zone=time_zone,
        fingerprint=row.fingerprint,
        cards=sum(zone.size for zone in row.cards),
        is_long=sum(len(zone.entries) for zone in row.cards) > LONG,
        decklist=row,
    )


def blank_sheet_context(deck_format: DeckFormat) -> dict[str, Any]:
    """Return the template context of a format's empty sheet, to be filled in by hand.

    No query.
    """
    return {
        "format": format_label(deck_format),
        "key": deck_format.key,
        "zones": tuple(
            {
                "label": translate(zone.label),
                "size": _allowed_sizes(zone),
                "lines": range(_line_count(zone, is_main=zone.key == deck_format.main)),
            }
            for zone in deck_format.zones
        ),
        "rules": tuple(map(translate, deck_format.describe())),
    }


def _allowed_sizes(zone: Zone) -> str:
    """Return the allowed sizes of a zone: "30", "0–5", "60+", "0 / 25"."""
    if zone.maximum is None:
        return f"{zone.minimum}+"
    sizes = str(zone.maximum)
    if zone.minimum != zone.maximum:
        sizes = f"{zone.minimum}–{zone.maximum}"
    return f"0 / {sizes}" if zone.or_none else sizes


def _line_count(zone: Zone, *, is_main: bool) -> int:
    """Return the number of lines: one per card, as far as the paper allows."""
    if zone.maximum is not None and zone.minimum == zone.maximum and not zone.or_none:
        return min(zone.maximum, MOST_LINES)
    return MOST_LINES if is_main else min(zone.maximum or FEW_LINES, FEW_LINES)
