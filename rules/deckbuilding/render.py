"""Decks as text, which :func:`~rules.deckbuilding.text.parse_decklist` reads as the same deck."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from rules.deckbuilding.around import UnreadableLineError
from rules.deckbuilding.catalogue import (
    CardCatalogue,
    is_card_finish,
    join_collector_number,
    may_precede_foil_mark,
)
from rules.deckbuilding.deck import HIGHEST_COUNT, Deck, DeckEntry
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.headings import heading_from_name
from rules.deckbuilding.known_headings import SECTION_WORDS, USUAL_WORDS
from rules.deckbuilding.lines import (
    may_be_truncated,
    needs_count_separator,
    read_card,
)
from rules.deckbuilding.zones import find_zone
from rules.names import card_key, name_key


def section_heading(zone: str) -> str:
    """Return the default heading of a zone key; an unknown zone keeps its name."""
    words = SECTION_WORDS.get(zone) or USUAL_WORDS.get(zone)
    return words[0] if words else zone


def render_deck(
    deck: Deck,
    deck_format: DeckFormat,
    *,
    heading: Callable[[str], str] = section_heading,
    language: str = "Language",
    catalogue: CardCatalogue | None = None,
) -> str:
    """Return the text of a decklist that ``parse_decklist`` reads as this deck.

    Problems are left out. ``heading`` returns the heading of a zone key and ``language`` is the
    label of the list's language; stored lists use the defaults. A count and a name that together
    are another name of the ``catalogue``, or a heading, are written as ``7x Name``. Cards in a zone
    without a heading (only the API can send one) become comments, so that no reader assigns them to
    another zone.
    """
    blocks = [f"{language}: {deck.language}"] if deck.language else []
    for key, entries in deck.zones.items():
        if entries:
            word = heading(key)
            lines = [word, *(_render_line(entry, deck_format, catalogue) for entry in entries)]
            if find_zone(word, deck_format.zone_words) != key:
                mark = "#" if find_zone(word, ()) is None else "//"
                lines = [f"{mark} {line}" for line in lines]
            blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _render_line(entry: DeckEntry, deck_format: DeckFormat, catalogue: CardCatalogue | None) -> str:
    plain = f"{entry.count} {entry.name}"
    taken = catalogue is not None and catalogue.get(card_key(plain)) is not None
    alike = heading_from_name(entry, deck_format.zone_words, deck_format.heading_kinds)
    return render_entry(entry, times=taken or alike is not None)


def render_entry(entry: DeckEntry, *, times: bool = False) -> str:
    """Return the line of an entry: count, name, then its tags.

    The count is written as ``2x`` with ``times``, or if the name would be read as part of it; after
    the name, as ``x2``, if the name might be cut otherwise.
    """
    parts = [entry.name]
    if entry.expansion or entry.number:
        marked = is_card_finish(entry.expansion) and may_precede_foil_mark(entry.name)
        parts.append(f"({join_collector_number(entry.expansion, entry.number, marked=marked)})")
    if entry.kind or entry.genus or entry.language:
        places = [entry.kind, entry.genus] if entry.genus else [entry.kind] * bool(entry.kind)
        language = [f"lang={entry.language}"] if entry.language else []
        parts.append(f"{{{', '.join([*places, *language])}}}")
    if entry.version:
        parts.append(f"[{entry.version}]")
    card = " ".join(parts)
    if may_be_truncated(entry.name) and not needs_count_separator(card):
        return f"{card} x{entry.count}"
    explicit = times or needs_count_separator(card)
    return f"{entry.count}x {card}" if explicit else f"{entry.count} {card}"


def unambiguous_line(entry: DeckEntry, name: str, count: int, side: bool) -> Iterator[str]:
    """Yield one line that can only be read as this name and count, if there is a valid one.

    Other tags are those of ``entry``. ``side``: begin with ``SB:``.
    """
    if 1 <= count <= HIGHEST_COUNT:
        line = render_entry(replace(entry, name=name, count=count), times=True)
        written = f"SB: {line}" if side else line
        try:
            read_card(written)
        except UnreadableLineError:
            return
        yield written


def sort_deck(deck: Deck) -> Deck:
    """Return the deck sorted by zone, kind and name, as on a judge's sheet.

    Lists of the same cards have the same canonical deck, whatever the order of their lines.
    """
    zones = {
        key: tuple(
            sorted(
                entries,
                key=lambda entry: (name_key(entry.kind), name_key(entry.name), render_entry(entry)),
            )
        )
        for key, entries in deck.zones.items()
    }
    return replace(deck, zones=zones)
