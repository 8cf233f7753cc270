"""What lists say beside the cards of their zones, and violations for what could not be read.

Beside the zones stand companions, cards that are not of the deck, how many cards there are, and
what the list is called.

Source: lists exported by Magic Arena, Melee, Moxfield, Deckstats, Pokémon TCG Live.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rules.deckbuilding.deck import DeckEntry, UncountedSection, Violation
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.headings import COMMENT, Heading, find_heading
from rules.deckbuilding.known_headings import HeadingRole, fold_heading, headings_with_role
from rules.deckbuilding.settling import shorten_line
from rules.deckbuilding.zones import zone_label
from rules.names import clean_line
from rules.wording import Sentence


def unreadable_line_violation(
    zone: str, number: int, line: str, reason: Sentence, ways: tuple[str, ...] = ()
) -> Violation:
    """Return the violation for a line that cannot be read as a card.

    ``number`` is the line's, from 1; ``reason`` the message why; ``ways`` are corrected lines to
    suggest.
    """
    return Violation(
        code="line.unreadable",
        sentence=Sentence(
            "Line %(line)s can’t be read: “%(text)s”. %(reason)s",
            {"line": number, "text": shorten_line(line), "reason": reason},
        ),
        zone=zone,
        line=number,
        suggestions=ways,
    )


def unknown_zone_violation(
    deck_format: DeckFormat, zone: str, line: int | None = None
) -> Violation:
    """Return the violation for cards in a zone that the format does not have.

    ``line`` is that of the heading or card, from 1.
    """
    return Violation(
        code="zone.unknown",
        sentence=Sentence(
            "%(game)s has no zone “%(zone)s”. Move its cards to: %(zones)s.",
            {
                "game": deck_format.game_label,
                "zone": zone_label(zone),
                "zones": tuple(known.label for known in deck_format.zones),
            },
        ),
        zone=zone,
        line=line,
    )


LEFT_OUT = "cards.left_out"
COMPANION = "companion"
"""The zone of companions in a format that has no side zone."""

_ABOUT = re.compile(r"(?:name|nome|nom|nombre) .*|[a-z ]+=.*", re.IGNORECASE)


Total = tuple[int, int, str | None]
"""A line that says how many cards there are, how many, and the section in which it stands."""


def find_section_heading(word: str, deck_format: DeckFormat) -> Heading | None:
    """Return the heading that a word names, None if it names none that cards can follow.

    That is a zone, companions, or cards not counted such as a maybeboard.
    """
    found = find_heading(word, deck_format.zone_words, frozenset())
    places = (None, HeadingRole.COMPANION, HeadingRole.ASIDE)
    return found if found is not None and found.role in places else None


def excluded_heading(word: str, deck_format: DeckFormat) -> str:
    """Return the heading for cards not counted: ``word`` if it is one, else Maybeboard."""
    found = find_heading(word, deck_format.zone_words, deck_format.heading_kinds)
    return (
        word
        if found is not None and found.role is HeadingRole.ASIDE
        else headings_with_role(HeadingRole.ASIDE)[0]
    )


@dataclass(slots=True)
class CardsOutsideZones:
    """Cards that a list names outside the zones of the deck.

    ``companions`` belong to the side zone, where most programs repeat them. ``aside`` are not
    counted; by folded heading: (heading, its line or that of the first card, cards).
    """

    companions: list[DeckEntry] = field(default_factory=list)
    aside: dict[str, tuple[str, int | None, list[DeckEntry]]] = field(default_factory=dict)

    def add(self, role: HeadingRole, word: str, entry: DeckEntry, line: int | None = None) -> None:
        """Add a card that is a companion, or one that is not of the deck."""
        if role is HeadingRole.COMPANION:
            self.companions.append(entry)
        else:
            first = (word, line or entry.line, list[DeckEntry]())
            self.aside.setdefault(fold_heading(word), first)[2].append(entry)

    def left_out(self) -> tuple[UncountedSection, ...]:
        """Return the cards that are not of the deck."""
        return tuple(
            UncountedSection(heading=word, line=line, entries=tuple(entries))
            for word, line, entries in self.aside.values()
        )


def is_metadata(line: str) -> bool:
    """Return whether a line below ``About`` or ``[metadata]`` describes the list.

    For example ``Name X`` or ``key=X``.
    """
    return bool(_ABOUT.fullmatch(clean_line(line)))


def add_companions(
    zones: dict[str, list[DeckEntry]], companions: Sequence[DeckEntry], deck_format: DeckFormat
) -> Iterator[Violation]:
    """Add the companions that ``zones`` lacks to the side zone; yield violations.

    A format without side zone gets a zone "companion", which is unknown.
    """
    if not companions:
        return
    zone = deck_format.side or COMPANION
    there = Counter[str]()
    for entry in zones.get(zone, ()):
        there[entry.key] += entry.count
    for entry in companions:
        if there[entry.key] >= entry.count:
            continue
        there[entry.key] += entry.count
        zones.setdefault(zone, []).append(entry)
        if zone not in deck_format.zone_keys:
            yield unknown_zone_violation(deck_format, zone, entry.line)


def excluded_cards_note(aside: UncountedSection) -> Violation:
    """Return the note that the cards of a section such as Maybeboard are not counted."""
    return Violation(
        code=LEFT_OUT,
        sentence=Sentence(
            "Cards not counted (“%(word)s”): %(cards)s.",
            {"word": aside.heading, "cards": aside.cards},
        ),
        found=aside.cards,
        line=aside.line,
    )


def wrong_total_violations(
    totals: Sequence[Total],
    zones: Mapping[str, Sequence[DeckEntry]],
    lines: Sequence[str],
    deck_format: DeckFormat,
) -> Iterator[Violation]:
    """Yield a violation for each stated total that matches neither deck nor section.

    ``totals`` are (line from 1, stated total, zone of the section or None); ``lines`` those of the
    list.
    """
    if not totals:
        return
    sizes = {zone: sum(entry.count for entry in entries) for zone, entries in zones.items()}
    whole, side = sum(sizes.values()), sizes.get(deck_format.side or "", 0)
    cards = [(entry.line or 0, zone, entry.count) for zone in zones for entry in zones[zone]]
    above = Counter[str]()
    waiting = sorted(cards, reverse=True)
    for number, told, section in totals:
        while waiting and waiting[-1][0] < number:
            _line, zone, count = waiting.pop()
            above[zone] += count
        counts = {whole, whole - side, above.total(), *sizes.values(), *above.values()}
        if told not in counts:
            line = clean_line(lines[number - 1])
            reason = Sentence(
                "The line says %(told)s cards, but the decklist has %(found)s.",
                {"told": told, "found": whole},
            )
            where, ways = section or deck_format.main, (f"{COMMENT} {line}",)
            yield unreadable_line_violation(where, number, line, reason, ways)
