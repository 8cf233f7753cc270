"""The violations for what could not be read of a list."""

from rules.deckbuilding.deck import Violation
from rules.deckbuilding.doubts import shortened
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.zones import label_of
from rules.wording import Sentence


def unreadable_line(
    zone: str, number: int, line: str, reason: Sentence, ways: tuple[str, ...] = ()
) -> Violation:
    """Return the violation for a line without a card; ``ways`` are lines that may be meant."""
    return Violation(
        code="line.unreadable",
        sentence=Sentence(
            "Line %(line)s can't be read: “%(text)s”. %(reason)s",
            {"line": number, "text": shortened(line), "reason": reason},
        ),
        zone=zone,
        line=number,
        suggestions=ways,
    )


def unknown_zone(deck_format: DeckFormat, zone: str, line: int | None = None) -> Violation:
    """Return the violation for a zone that the format does not have."""
    return Violation(
        code="zone.unknown",
        sentence=Sentence(
            "%(game)s has no zone “%(zone)s”. Move its cards to one of: %(zones)s.",
            {
                "game": deck_format.game_label,
                "zone": label_of(zone),
                "zones": tuple(known.label for known in deck_format.zones),
            },
        ),
        zone=zone,
        line=line,
    )
