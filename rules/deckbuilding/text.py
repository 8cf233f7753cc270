"""Parsing of written lists into decks; unreadable lines are reported.

Source: deck construction, Lists in and out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from rules.deckbuilding.around import language_key
from rules.deckbuilding.beside import (
    CardsOutsideZones,
    Total,
    add_companions,
    excluded_cards_note,
    excluded_heading,
    find_section_heading,
    is_metadata,
    unknown_zone_violation,
    unreadable_line_violation,
    wrong_total_violations,
)
from rules.deckbuilding.catalogue import AliasedCatalogue, CardCatalogue, complete_entry
from rules.deckbuilding.columns import LEFT_OUT_LINE, ignored_columns_note
from rules.deckbuilding.deck import (
    HIGHEST_COUNT,
    Deck,
    DeckEntry,
    Violation,
    same_card_key,
)
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.headings import COMMENT, Heading
from rules.deckbuilding.known_headings import HeadingRole, may_be_zone_heading
from rules.deckbuilding.lines import (
    LINE_END,
    UNNAMED,
    CardLine,
    CardWithoutHeading,
    split_parts,
    unnamed_parts_violation,
)
from rules.deckbuilding.settling import (
    LanguageLine,
    Meaning,
    NonCardLineReporter,
    UnclearLine,
    UnreadableLine,
    line_classifier,
    resolve_lines,
    unclear_line_violation,
    whole_name_readings,
)
from rules.deckbuilding.zones import find_kind
from rules.names import clean_line
from rules.wording import Sentence

READING = 8
"""The version of how lists are read, kept with each list that is handed in."""

ABOUT_TEXT = frozenset({"line.unreadable", "line.unclear", "line.no_card", UNNAMED})
"""The codes of violations that are about how a list is written."""

MARKED = (COMMENT, "#")
"""Before comments, and before the categories that programs write over cards."""

ZONE_RULE = Sentence("Replace the heading with the name of the zone for the cards below it.")
LANGUAGE_RULE = Sentence("The decklist already has another language.")


@dataclass(slots=True)
class _Draft:
    """A deck under construction while its lines are read.

    ``had`` is how many entries the section had at its heading. ``home`` is the zone of a kind named
    before any heading. ``loose`` are the cards before any heading, ``headed`` those under a heading
    of the main zone, the only one so far (``only_main``). ``open`` is the heading, with its line,
    of what is open instead of a section. ``totals`` are the lines that say how many cards there
    are; ``last_main`` is the last that opens the main zone, 0 without one, None while nobody asked.
    """

    format: DeckFormat
    zones: dict[str, list[DeckEntry]]
    catalogue: CardCatalogue | None
    section: str | None = None
    had: int = 0
    home: str | None = None
    language: str = ""
    problems: list[Violation] = field(default_factory=list)
    loose: list[CardWithoutHeading] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    no_cards: NonCardLineReporter | None = None
    headed: list[CardWithoutHeading] = field(default_factory=list)
    only_main: bool = True
    open: tuple[Heading, int] | None = None
    beside: CardsOutsideZones = field(default_factory=CardsOutsideZones)
    totals: list[Total] = field(default_factory=list)
    last_main: int | None = None


def parse_decklist(
    text: str,
    deck_format: DeckFormat,
    catalogue: CardCatalogue | None = None,
    *,
    language: str = "",
) -> Deck:
    """Return the deck of a plain-text list; unreadable and doubtful lines are its ``problems``.

    With a catalogue, cards outside a section are assigned to zones by kind, and an unknown name
    without a count is no card. ``language`` is declared separately from the text. Never raises.
    """
    draft = _Draft(deck_format, {key: [] for key in deck_format.zone_keys}, catalogue)
    draft.language = clean_line(language)
    lines = LINE_END.split(text.removeprefix("\ufeff"))
    known = (
        AliasedCatalogue(catalogue, deck_format.lists.originals) if catalogue is not None else None
    )
    meanings = resolve_lines([*map(line_classifier(deck_format), lines)], lines, known)
    for number, (raw, meaning) in enumerate(zip(lines, meanings, strict=True), start=1):
        read = meaning
        if draft.open and draft.open[0].role is HeadingRole.ABOUT and _is_about(draft, read, raw):
            continue
        if known is not None:
            read = _check_in_doubt(draft, read, number, known)
        if isinstance(read, CardLine):
            _add_card(draft, read, number)
        elif isinstance(read, Heading):
            _open_section(draft, read, number)
        elif isinstance(read, LanguageLine):
            _declare_language(draft, read.language, raw, number)
        elif isinstance(read, UnreadableLine):
            _add_unreadable(draft, read, number)
        elif isinstance(read, UnclearLine):
            _check_in_doubt(draft, read, number, None)
        elif columns := LEFT_OUT_LINE.fullmatch(clean_line(raw)):
            draft.problems.append(ignored_columns_note(columns[1].split(", ")))
        elif _is_category(raw):
            if may_be_zone_heading(raw) and _parts_cards(draft, meanings, lines, number):
                _add_unreadable(draft, _zone_asked(draft, raw), number)
            elif draft.section is not None:
                _close_few(draft, draft.section)
    headed = not draft.loose and draft.only_main
    cards = draft.headed if headed else draft.loose
    parts = split_parts(lines, cards, draft.kinds, deck_format, headed=headed)
    if parts:
        draft.problems.append(unnamed_parts_violation(parts, deck_format))
    draft.problems += wrong_total_violations(draft.totals, draft.zones, lines, deck_format)
    deck = build_deck(deck_format, draft.zones, draft.language, draft.problems, draft.beside)
    return replace(deck, parts=parts) if parts else deck


def _is_about(draft: _Draft, read: Meaning, raw: str) -> bool:
    """Return whether a line is about the list; an empty line or a heading ends such lines."""
    if not raw.strip() or isinstance(read, Heading):
        draft.open = None
        return False
    return is_metadata(raw)


def _add_card(draft: _Draft, read: CardLine, number: int) -> None:
    entry = read.entry.at(number)
    marked = find_section_heading(read.zone, draft.format) if read.zone else None
    if entry.version and draft.section is None and draft.open is None and not read.zone:
        # Under no heading a version that is the name of a zone is a category of a program.
        marked = find_section_heading(entry.version, draft.format)
        entry = entry.but(version="") if marked else entry
    opened, line = draft.open or (None, number)
    if (place := marked or opened) is not None and place.role in (
        HeadingRole.COMPANION,
        HeadingRole.ASIDE,
    ):
        draft.beside.add(place.role, place.word, entry, line)
        return
    zone = marked.zone if marked else draft.section
    if marked and zone and zone not in draft.zones:
        draft.zones[zone] = []
        draft.problems.append(unknown_zone_violation(draft.format, zone, number))
    if zone is None or (read.side and not marked):
        zone = _zone_of(draft, read, number)
    elif zone == draft.format.main and draft.only_main and not marked:
        draft.headed.append(CardWithoutHeading(number, read.entry.count, read.bare))
    draft.zones[zone].append(entry)


def _check_in_doubt(
    draft: _Draft, read: Meaning, number: int, known: CardCatalogue | None
) -> Meaning:
    """Return the meaning of line ``number``, settled by the catalogue ``known`` if possible.

    A line that stays unclear, or is a bare name that is no card there, adds a problem to the draft
    and returns None.
    """
    if isinstance(read, UnclearLine) and known is not None and known.get(read.card.entry.key):
        return read.card
    if isinstance(read, CardLine) and known is not None:
        key = read.entry.key
        if not read.bare:
            read = whole_name_readings(read, known) or read
        elif known.get(key) is None and key not in draft.format.lists.listed:
            draft.no_cards = draft.no_cards or NonCardLineReporter(known)
            draft.problems.append(draft.no_cards.violation(_place(draft), number, read))
            return None
    if isinstance(read, UnclearLine):
        line = read.card.written
        draft.problems.append(unclear_line_violation(_place(draft), number, line, read.ways))
        return None
    return read


def _place(draft: _Draft) -> str:
    return draft.section or draft.format.main


def _zone_of(draft: _Draft, card: CardLine, number: int) -> str:
    if not card.side:
        draft.loose.append(CardWithoutHeading(number, card.entry.count, card.bare))
        return draft.home or default_zone(draft.format, card.entry, draft.catalogue)
    if draft.format.side is None:
        draft.problems.append(unknown_zone_violation(draft.format, "side", number))
        draft.zones.setdefault("side", [])
    return draft.format.side or "side"


def _open_section(draft: _Draft, heading: Heading, number: int) -> None:
    zone = heading.zone
    if zone is not None:
        draft.open = None
        draft.only_main &= zone == draft.format.main
        draft.section = zone
        if zone not in draft.zones:
            draft.zones[zone] = []
        draft.had = len(draft.zones[zone])
        if zone not in draft.format.zone_keys:
            draft.problems.append(unknown_zone_violation(draft.format, zone, number))
    elif heading.role is HeadingRole.TOTAL:
        if draft.section is not None:
            _close_few(draft, draft.section)
        draft.totals.append((number, heading.count or 0, draft.section))
    elif heading.role is HeadingRole.KIND:
        _open_kind(draft, heading, number)
    else:
        draft.open = heading, number


def _open_kind(draft: _Draft, heading: Heading, number: int) -> None:
    kind = find_kind(draft.format.kinds, heading.word)
    home = kind.home if kind else None
    if draft.section is None or draft.only_main:
        draft.home = home
        draft.kinds.append(number)
    else:
        _close_few(draft, draft.section, home)


def _is_category(raw: str) -> bool:
    """Return whether a line that means nothing else has a word of the player's: ``// Ramp``."""
    return clean_line(raw).startswith((*MARKED, "***"))


def _parts_cards(
    draft: _Draft, meanings: Sequence[Meaning], lines: Sequence[str], number: int
) -> bool:
    """Return whether cards stand below a line, and others, or a word over cards, above it.

    Above all cards it is the title of a list, unless the main zone begins further down.
    """
    at = number
    while at < len(lines) and not lines[at].strip():
        at += 1
    below = meanings[at] if at < len(lines) else None
    kind = isinstance(below, Heading) and below.role is HeadingRole.KIND
    if not kind and not isinstance(below, CardLine | UnclearLine):
        return False
    if draft.last_main is None:
        opens = (isinstance(each, Heading) and each.zone == draft.format.main for each in meanings)
        draft.last_main = max((at for at, main in enumerate(opens, start=1) if main), default=0)
    above = draft.section is not None or draft.open is not None or any(draft.zones.values())
    return above or draft.last_main > number


def _zone_asked(draft: _Draft, raw: str) -> UnreadableLine:
    words = [(zone.opened_by or (zone.key,))[0] for zone in draft.format.zones]
    ways = (*words, excluded_heading("", draft.format))
    return UnreadableLine(clean_line(raw), ZONE_RULE, ways)


def _close_few(draft: _Draft, section: str, home: str | None = None) -> None:
    """Leave a zone of one or two cards, such as the leader's, that has some since its heading.

    The deck stands below it, under words of any kind and often without a heading of its own.
    """
    few = (zone.key for zone in draft.format.zones if zone.has_few)
    if section in few and len(draft.zones[section]) > draft.had:
        draft.section = home or draft.format.main


def _declare_language(draft: _Draft, language: str, raw: str, number: int) -> None:
    if draft.language and language_key(language) != language_key(draft.language):
        _add_unreadable(draft, UnreadableLine(clean_line(raw), LANGUAGE_RULE), number)
    draft.language = draft.language or language


def _add_unreadable(draft: _Draft, unreadable: UnreadableLine, number: int) -> None:
    draft.problems.append(
        unreadable_line_violation(
            _place(draft), number, unreadable.line, unreadable.reason, unreadable.ways
        )
    )


def default_zone(deck_format: DeckFormat, entry: DeckEntry, catalogue: CardCatalogue | None) -> str:
    """Return the key of a card's zone outside a section: the home of its kind, else main.

    ``catalogue`` gives the kind if the entry has none.
    """
    if catalogue is not None:
        entry = complete_entry(entry, catalogue)
    kind = find_kind(deck_format.kinds, entry.kind)
    return (kind.home if kind else None) or deck_format.main


def build_deck(
    deck_format: DeckFormat,
    zones: dict[str, list[DeckEntry]],
    language: str,
    problems: Iterable[Violation],
    beside: CardsOutsideZones | None = None,
) -> Deck:
    """Return the deck of parsed entries: the format's zones first, no empty unknown zones.

    Equal cards of a zone are merged. Companions in ``beside`` go to the side zone; its other cards
    are not counted.
    """
    companions, aside = (beside.companions, beside.left_out()) if beside else ([], ())
    if deck_format.notation.set_behind:
        zones = {key: [*map(deck_format.notation.entry, zones[key])] for key in zones}
        companions = [*map(deck_format.notation.entry, companions)]
    found = [
        *problems,
        *add_companions(zones, companions, deck_format),
        *map(excluded_cards_note, aside),
    ]
    ordered = {key: merge_entries(zones.get(key, ())) for key in deck_format.zone_keys}
    foreign = {
        key: merge_entries(entries)
        for key, entries in zones.items()
        if entries and key not in ordered
    }
    return Deck(zones=ordered | foreign, language=language, problems=tuple(found), aside=aside)


def merge_entries(entries: Iterable[DeckEntry]) -> tuple[DeckEntry, ...]:
    """Return the entries with equal cards merged, up to 999 copies each."""
    entries = tuple(entries)
    if len({entry.key for entry in entries}) == len(entries):
        return entries
    kept: list[DeckEntry] = []
    latest: dict[tuple[str, ...], int] = {}
    for entry in entries:
        key = same_card_key(entry)
        at = latest.get(key)
        if at is not None and kept[at].count + entry.count <= HIGHEST_COUNT:
            kept[at] = replace(kept[at], count=kept[at].count + entry.count)
        else:
            latest[key] = len(kept)
            kept.append(entry)
    return tuple(kept)
