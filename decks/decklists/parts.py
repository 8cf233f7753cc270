"""The question what the parts of a list are, in the active language."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from config.wording import translate
from decks.checking import Checked
from decks.decklists.mending import CHOSEN, JOINED, value_for_parts
from decks.labels import zone_label
from rules.deckbuilding.deck import Part
from rules.deckbuilding.doubts import shortened
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.parts import NO_CARDS, UNNAMED, lines_in_words, possible_zones
from rules.names import tidy

LONGEST_SHOWN = 40
MOST_ASKED = 12  # parts one by one: more are hardly zones


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A suggested answer; ``value`` is what its button submits."""

    name: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PartRow:
    """A part of a list: its first line, its lines in words, its cards, and how it begins."""

    first: int
    span: str
    cards: int
    begins: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PartsQuestion:
    """The question for the zones of a list's parts: suggestions for all at once, a field for each.

    Of many parts there are no ``rows``. ``zones`` are those of the format with their labels, then
    that a part holds no cards; ``chosen`` is the order to take the fields.
    """

    text: str
    rows: tuple[PartRow, ...]
    suggestions: tuple[Suggestion, ...]
    zones: tuple[tuple[str, str], ...]
    main: str
    chosen: str


def parts_question(checked: Checked, lines: Sequence[str]) -> PartsQuestion:
    """Return the question about a list whose parts have no names. No query."""
    shape, parts = checked.format, checked.deck.parts
    violation = next(item for item in checked.violations if item.code == UNNAMED)
    whole = _("All of it: %(zone)s") % {"zone": zone_label(shape.main, shape)}
    known = [(zone.key, translate(zone.label)) for zone in shape.zones]
    return PartsQuestion(
        text=translate(violation.sentence),
        rows=tuple(_row(part, lines) for part in parts) if len(parts) <= MOST_ASKED else (),
        suggestions=(
            *(
                Suggestion(name=_in_words(zones, parts, shape), value=value_for_parts(zones))
                for zones in possible_zones(parts, shape)
            ),
            Suggestion(name=whole, value=value_for_parts(JOINED)),
        ),
        zones=(*known, (NO_CARDS, _("no cards"))),
        main=shape.main,
        chosen=value_for_parts(CHOSEN),
    )


def _in_words(zones: Sequence[str], parts: Sequence[Part], shape: DeckFormat) -> str:
    words = [
        _("line %(line)s is a title") % {"line": part.first}
        if zone == NO_CARDS
        else f"{zone_label(zone, shape)} {part.cards}"
        for zone, part in zip(zones, parts, strict=True)
    ]
    return " · ".join(words)


def _row(part: Part, lines: Sequence[str]) -> PartRow:
    text = tidy(lines[part.first - 1])
    begins = shortened(text, LONGEST_SHOWN)
    return PartRow(first=part.first, span=lines_in_words(part), cards=part.cards, begins=begins)
