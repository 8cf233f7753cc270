"""What the lines of a list mean, each by itself and together where it could be a card or not.

In a list whose lines have numbers, a line without one is a heading or is asked about, never a
card; ``24 Lands`` is a heading where 24 cards stand below or above it. A list without numbers is
one copy a line; where most of its lines end with a number, that is asked about. Of a line that can
be read in several ways, or may hold no card, the player is asked what is meant.

Source: deck construction, Lists in and out.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from rules.deckbuilding.around import (
    COPIES,
    LINE_RULE,
    NAME_RULE,
    UnreadableLineError,
    contains_several_cards,
    strip_markup,
)
from rules.deckbuilding.catalogue import SUGGEST_FOR, SUGGESTIONS, CardCatalogue
from rules.deckbuilding.cells import (
    COUNT_CELL,
    may_be_name,
    possible_lines,
    split_quoted_cells,
    split_unquoted_cells,
)
from rules.deckbuilding.deck import Deck, DeckEntry, Violation
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.headings import (
    COMMENT,
    Heading,
    heading_before_colon,
    heading_from_name,
    heading_in_comment,
    read_heading,
)
from rules.deckbuilding.known_headings import HeadingRole, is_main_heading
from rules.deckbuilding.lines import (
    CELLS_RULE,
    LANGUAGE_LINE,
    LINES,
    CardLine,
    is_bulleted,
    may_be_truncated,
    name_without_remark,
    read_card,
    read_line,
    read_plain_card,
    text_after_count,
)
from rules.deckbuilding.render import unambiguous_line
from rules.deckbuilding.zones import ZoneWords, find_format_zone
from rules.errors import RuleError
from rules.names import FACES, card_key, clean_line
from rules.wording import Sentence

SHOWN = 80  # characters of a line that are quoted

_NUMBER_FIRST = re.compile(r"[(\[#]?([0-9]+)(?:[.)\],°º/|](?![0-9]))?[x×*]?\s*([^\W\d_].*)")
_NUMBER_LAST = re.compile(r"(.*\S)(?: [-–—/] | ?[,:=|] ?)([0-9]+)")
_COUNT_BEHIND = re.compile(r"(.*\S) ([1-9][0-9]?)")
_COPIES_BEHIND = re.compile(rf"(.*[^\s/–—-])(?: [-–—/])? ([0-9]+) (?:copy|{COPIES})", re.IGNORECASE)
_BARE_NUMBER = re.compile(r"(.*\S) ([0-9]+)")
_LISTED = re.compile(r"[(\[#]?[0-9]+[.)\]°º] ?")
_TAGS_BEHIND = re.compile(r" ?[({\[].*$")


@dataclass(frozen=True, slots=True)
class UnclearLine:
    """A line with several readings, to be chosen by the player.

    ``card`` takes the whole text as a name; ``ways`` are the line rewritten so that it can be read
    in one way only, once for each reading.
    """

    card: CardLine
    ways: tuple[str, ...]


def numbered_line_readings(card: CardLine) -> UnclearLine | None:
    """Return the readings of a line such as "3. Name", whose number may be a count, else None."""
    ways = () if card.counted else tuple(_counted_ways(card.entry, card.side))
    if not ways:
        return None
    whole = unambiguous_line(card.entry, card.entry.name, 1, card.side)
    cells = possible_lines(split_unquoted_cells(card.written))
    return UnclearLine(card, tuple(dict.fromkeys([*cells, *ways, *whole])))


def remark_line_readings(card: CardLine) -> UnclearLine | None:
    """Return what a card line with extra words may mean, None if it has none.

    As “4 copy of Name”, or “4 Name // best card”: a remark, or a second face.
    """
    core = name_without_remark(card)
    if not core:
        return None
    return UnclearLine(card, tuple(_two_lines(card.entry, core, card.side)))


def _two_lines(entry: DeckEntry, name: str, side: bool) -> Iterator[str]:
    """Yield the lines of an entry by another name, and by its own: behind it the count is clear."""
    yield from unambiguous_line(entry, name, entry.count, side)
    for line in unambiguous_line(entry, entry.name, entry.count, side):
        head = f"{entry.count}x "
        before, first, rest = line.partition(head)
        yield f"{before}{rest} x{entry.count}" if first and before in ("", "SB: ") else line


def _counted_ways(entry: DeckEntry, side: bool) -> Iterator[str]:
    """Yield the lines of a line without a count that have a number of it as their count."""
    listed = _LISTED.match(entry.name)
    behind = [*_behind_number(entry, entry.name[listed.end() :], side)] if listed else []
    if behind:
        yield from behind
    elif first := _NUMBER_FIRST.fullmatch(entry.name):
        yield from unambiguous_line(entry, first[2], int(first[1][-4:]), side)
        if listed:
            yield from unambiguous_line(entry, first[2], 1, side)
    elif last := _NUMBER_LAST.fullmatch(entry.name) or _COPIES_BEHIND.fullmatch(entry.name):
        yield from unambiguous_line(entry, last[1], int(last[2][-4:]), side)
    elif entry.version.isdecimal():
        plain, count = replace(entry, version=""), int(entry.version[-4:])
        yield from unambiguous_line(plain, entry.name, count, side)


def _behind_number(entry: DeckEntry, rest: str, side: bool) -> Iterator[str]:
    """Yield the line behind the number of a list: ``4 Name`` of ``1. 4 Name``."""
    try:
        card = read_card(rest) if rest else None
    except UnreadableLineError:
        return
    if card is not None and card.counted:
        yield from unambiguous_line(entry, card.entry.name, card.entry.count, side)


def trailing_count_readings(card: CardLine) -> UnclearLine | None:
    """Return the readings of a line such as ``Name 4``, with a number up to 99 at the end.

    None for other lines, and if the number follows a set code. For lists with mostly such lines.
    """
    found = _COUNT_BEHIND.fullmatch(card.written)
    if found is None or (card.entry.number and " " not in card.entry.expansion):
        return None
    way, whole = f"{found[2]}x {found[1]}", f"1x {card.written}"
    return UnclearLine(card, (way, whole))


def whole_name_readings(card: CardLine, catalogue: CardCatalogue) -> UnclearLine | None:
    """Return the readings of a line whose whole text is a card's name: 7 Colored Fish.

    Also of “Copies of Name”, and of a card's name before ``//`` and an unknown face. None for other
    lines: no card of the catalogue has such a name.
    """
    entry, side = card.entry, card.side
    written = (card.written, _TAGS_BEHIND.sub("", card.written))
    others = [(name, 1) for name in written]
    if may_be_truncated(behind := text_after_count(card)):
        others += [(name, entry.count) for name in (behind, _TAGS_BEHIND.sub("", behind))]
    for name, count in others:
        key = card_key(name)
        if key != entry.key and catalogue.get(key) is not None:
            ways = [
                *unambiguous_line(entry, entry.name, entry.count, side),
                *unambiguous_line(entry, name, count, side),
            ]
            return UnclearLine(card, tuple(ways))
    front, sign, _faces = entry.name.partition(" //")
    facts = catalogue.get(card_key(front)) if sign and behind else None
    if facts is None or catalogue.get(entry.key) is not None:
        return None
    name = facts.name if FACES in facts.name else front
    return UnclearLine(card, tuple(_two_lines(entry, name, side)))


def unclear_line_violation(zone: str, number: int, line: str, ways: tuple[str, ...]) -> Violation:
    """Return the violation for a line (from 1) with several readings; ``ways`` are these."""
    return Violation(
        code="line.unclear",
        sentence=Sentence(
            "Line %(line)s is unclear: “%(text)s”. Write one of: %(ways)s.",
            {"line": number, "text": shorten_line(line), "ways": ways},
        ),
        zone=zone,
        line=number,
        suggestions=ways,
    )


class NonCardLineReporter:
    """Reports lines without a number that are no card of a catalogue, such as greetings.

    Similar names are suggested for the first lines only, as looking them up is slow.
    """

    def __init__(self, catalogue: CardCatalogue) -> None:
        self._catalogue = catalogue
        self._left = SUGGEST_FOR

    def ways(self, card: CardLine) -> tuple[str, ...]:
        """Return the lines that may be meant: near names, a count, a card unknown so far."""
        entry = card.entry
        near: tuple[str, ...] = ()
        if self._left:
            self._left -= 1
            near = tuple(self._catalogue.nearest(entry.key, SUGGESTIONS - 1))
        ways = [way for name in near for way in unambiguous_line(entry, name, 1, side=False)]
        last = _BARE_NUMBER.fullmatch(entry.name)
        if last and self._catalogue.get(card_key(last[1])) is not None:
            ways = [*unambiguous_line(entry, last[1], int(last[2][-4:]), side=False)]
        return (*ways, *unambiguous_line(entry, entry.name, 1, side=False))

    def violation(self, zone: str, number: int, card: CardLine) -> Violation:
        """Return the violation for a line that is no card, which is not counted as one."""
        return Violation(
            code="line.no_card",
            sentence=Sentence(
                "Line %(line)s is not counted: “%(text)s”. If it is a card, write 1 before it.",
                {"line": number, "text": shorten_line(card.entry.name)},
            ),
            zone=zone,
            line=number,
            suggestions=self.ways(card),
        )


def shorten_line(line: str, most: int = SHOWN) -> str:
    """Return a line as quoted in messages: its first ``most`` characters."""
    return line if len(line) <= most else line[:most] + "…"


MOST_KEPT = 8192  # lines per game
LONGEST_KEPT = 200  # characters of a line; longer ones would fill the memory


@dataclass(frozen=True, slots=True)
class LanguageLine:
    """A line that declares the language of the list's cards."""

    language: str


@dataclass(frozen=True, slots=True)
class UnreadableLine:
    """A normalised line that is no card, and the message why; ``ways`` are corrected lines."""

    line: str
    reason: Sentence
    ways: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardOrHeading:
    """A card whose name is a heading too, ``24 Lands``: the lines around it decide."""

    card: CardLine
    heading: Heading


Meaning = CardLine | CardOrHeading | Heading | LanguageLine | UnclearLine | UnreadableLine | None
"""None stands for a blank line, a comment, or what a program says about the list."""

_STARS = re.compile(r"\*{3,20} ?[^\W\d].*")
"""Around lines that are about the list, if they are no heading. Source: Pokémon TCG Online."""
_ABOUT = re.compile(
    r"(?:name|deck name|nome|nome del mazzo|author|autore|format|formato"
    r"|layout (?:main|sideboard)) ?[:=] ?\S.*"
    r"|[0-9]{1,3} (?:influence spent|agenda points)(?: .*)?",
    re.IGNORECASE,
)
"""Lines about the list. Source: files of XMage and Forge, lists of Fabrary and NetrunnerDB."""


_RULE = re.compile(
    r"[-=_*~—–`]{3,80}|>+|\[(?:list|ul|ol|quote|code|spoiler|center)\]", re.IGNORECASE
)
"""Lines between others, and what opens a part of a forum's page."""
_BESIDE = re.compile(r"(?<=\S)(?: {2,}|\t ?)[1-9][0-9]?[xX]? (?=[^\W\d_])")
"""Between two columns of cards, as they are copied from a page."""
_NAMED_ZONE = re.compile(
    r"(?:[-–—*•·>+] )?(?!SB:)(?:([0-9]{1,3})[xX]? )?"
    r"(?:\[([^\W\d_][\w ]{0,40})\]|\**([^\W\d_][\w ()]{0,40}?)\**"
    r" ?(:|[-=]?>|→|(?<= )[-–—=;]|;))\**:? (\S.*)"
)
"""A zone and its card on one line: ``Leader: Name``, ``Leader - Name``, ``[Leader] Name``."""
ZONE_RULE = Sentence("One card per line.")


def classify_line(raw: str, zones: ZoneWords, kind_words: frozenset[str]) -> Meaning:
    """Return what a raw line is, judged alone: a card, heading, language and so on.

    None for a line to ignore. ``zones``: headings by zone key; ``kind_words``: folded names of
    kinds.
    """
    line = clean_line(raw)
    if ("  " in raw or "\t" in raw) and _has_columns(raw):
        return UnreadableLine(line, LINE_RULE)
    if "\t" not in raw and not LANGUAGE_LINE.match(line):
        plain = strip_markup(line)
        raw, line = (raw, line) if plain == line else (plain, plain)
    if not line or _RULE.fullmatch(line):
        return None
    if line.startswith(COMMENT):
        return heading_in_comment(line, zones, kind_words)
    if cells := split_quoted_cells(raw):
        return _meaning_of_cells(line, cells, zones, kind_words)
    if "\t" not in raw and not contains_several_cards(line) and (card := read_plain_card(line)):
        return _card_or_heading(card, zones, kind_words)
    if not is_bulleted(line):
        if match := LANGUAGE_LINE.fullmatch(line):
            return LanguageLine(match[1])
        if _ABOUT.fullmatch(line):
            return None
        heading = read_heading(line, zones, kind_words)
        if heading is not None or line.startswith("#") or _STARS.fullmatch(line):
            return heading
    if named := _in_zone(raw, line, zones):
        return named
    try:
        card = read_line(raw)
    except UnreadableLineError as fault:
        cells = split_unquoted_cells(raw) if fault.reason == CELLS_RULE else []
        return UnreadableLine(line, fault.reason, possible_lines(cells))
    asked = numbered_line_readings(card) or (remark_line_readings(card) if card.counted else None)
    return asked or _card_or_heading(card, zones, kind_words)


def _meaning_of_cells(
    line: str, cells: Sequence[str], zones: ZoneWords, kind_words: frozenset[str]
) -> Meaning:
    """Return the meaning of a row whose cells are in quotation marks.

    Of one cell it is that of the cell, of a number and a name their card; others are asked about.
    """
    if len(cells) == 1:
        return classify_line(cells[0], zones, kind_words)
    numbers = [cell for cell in cells if COUNT_CELL.fullmatch(cell)]
    names = [cell for cell in cells if may_be_name(cell)]
    if len(cells) == 2 and numbers and names:
        try:
            card = replace(read_card(f"{numbers[0].strip('xX× ')}x {names[0]}"), times=False)
        except UnreadableLineError as fault:
            return UnreadableLine(line, fault.reason)
        return remark_line_readings(card) or card
    ways = possible_lines(cells)
    ways += (f"{COMMENT} {line}",) * (len(ways) == 1)
    whole = CardLine(entry=DeckEntry(name=line, count=1), side=False, written=line)
    return UnclearLine(whole, ways) if ways else UnreadableLine(line, CELLS_RULE)


def _has_columns(raw: str) -> bool:
    """Return whether a count and a name stand before the count and the name of another card."""
    beside = _BESIDE.search(raw) if raw.lstrip()[:1].isdigit() else None
    before = raw[: beside.start()].lstrip(" 0123456789xX") if beside else ""
    return any(map(str.isalpha, before))


def _in_zone(raw: str, line: str, zones: ZoneWords) -> Meaning:
    """Return the card of a line such as ``Leader: Name``, None for other lines.

    Other signs than a colon stand behind words of the game's own zones only. Behind the word of
    the main zone the name of the list may stand as well.
    """
    found = _NAMED_ZONE.fullmatch(clean_line(raw.replace("\t", " = ", 1)) if "\t" in raw else line)
    if found is None:
        return None
    count, framed, word, sign, rest = found.groups()
    heading = heading_before_colon(framed or word, zones)
    own = heading is not None and find_format_zone(heading.word, zones) is not None
    if heading is None or not (own or sign == ":"):
        return None
    try:
        card = read_card(f"{count}x {rest}" if count else rest)
    except UnreadableLineError as fault:
        return UnreadableLine(line, fault.reason)
    if heading.zone is not None and is_main_heading(heading.word):
        return UnreadableLine(line, ZONE_RULE, (f"{COMMENT} {line}",)) if sign == ":" else None
    return replace(card, zone=heading.word, bare=False)


def _card_or_heading(card: CardLine, zones: ZoneWords, kind_words: frozenset[str]) -> Meaning:
    """Return a card, with the heading that it may be as well."""
    if card.times or card.side:
        return card
    heading = heading_from_name(card.entry, zones, kind_words)
    if heading is None:
        return card
    return CardOrHeading(card, replace(heading, count=card.entry.count if card.counted else None))


def line_classifier(deck_format: DeckFormat) -> Callable[[str], Meaning]:
    """Return a cached function that classifies the lines of a format's lists.

    Formats with equal zones and kinds share it.
    """
    return _cached_parser(deck_format.zone_words, deck_format.heading_kinds)


@lru_cache(maxsize=32)
def _cached_parser(zones: ZoneWords, kind_words: frozenset[str]) -> Callable[[str], Meaning]:
    read = partial(classify_line, zones=zones, kind_words=kind_words)
    cached = lru_cache(maxsize=MOST_KEPT)(read)
    return lambda text: cached(text) if len(text) < LONGEST_KEPT else read(text)


_SECTION = re.compile(r"\[[^\W\d_]{3,30}\]")
MOST_OFFERS = 100
"""Lines without a number for which answers are offered."""
SEVERAL = 3
"""Lines of which most end with a number; a name alone may end so."""
WITHOUT_NUMBER = Sentence(
    "If it is a card, put the number of copies before it; if not, put // before it."
)


def missing_count_violations(problems: Iterable[Violation]) -> list[Violation]:
    """Return the violations about lines without a count that have suggestions."""
    return [
        problem
        for problem in problems
        if problem.sentence.values.get("reason") == WITHOUT_NUMBER and problem.suggestions
    ]


def add_missing_counts(text: str, deck: Deck) -> str:
    """Return a list's text with a 1 before each line without a count.

    ``deck`` is the parsed text. Raises RuleError ``line_changed`` if it has no such line.
    """
    asked = missing_count_violations(deck.problems)
    if not asked:
        raise RuleError(
            "line_changed",
            "The decklist has changed. Check it again.",
        )
    mark = "\ufeff" * text.startswith("\ufeff")
    lines = LINES.split(text.removeprefix(mark))
    for problem in asked:
        lines[2 * ((problem.line or 1) - 1)] = problem.suggestions[0]
    return mark + "".join(lines)


def resolve_lines(
    lines: Sequence[Meaning], written: Sequence[str], known: CardCatalogue | None
) -> Sequence[Meaning]:
    """Return the meaning of each line in the context of the others.

    ``lines`` are the meanings of each line alone, ``written`` the raw lines. ``known`` is the card
    catalogue, if any: a card of it is no heading.
    """
    if not any(map(_needs_others, lines)):
        return lines
    return _List(lines, written, known).settled()


def _needs_others(meaning: Meaning) -> bool:
    """Return whether other lines say what a line means."""
    if isinstance(meaning, CardLine):
        return not meaning.counted or meaning.bracketed
    if isinstance(meaning, UnreadableLine):
        return meaning.reason == NAME_RULE
    if isinstance(meaning, UnclearLine):
        return FACES.strip() in meaning.card.entry.name
    return isinstance(meaning, CardOrHeading) or (
        isinstance(meaning, Heading) and meaning.in_comment
    )


def _card(meaning: Meaning) -> CardLine | None:
    if isinstance(meaning, CardOrHeading | UnclearLine):
        return meaning.card
    return meaning if isinstance(meaning, CardLine) else None


class _List:
    """The lines of a list while their meaning is found.

    ``headed``: some open a zone; ``numbered``: some have a number; ``begun``: some begin with one;
    ``ended``: most cards of a list without numbers end with one. ``faces`` are the keys of cards
    whose faces a line names for certain, as ``FIRE // ice`` does not.
    """

    def __init__(
        self, lines: Sequence[Meaning], written: Sequence[str], known: CardCatalogue | None
    ) -> None:
        self._lines, self._written, self._known = lines, written, known
        self._headed = any(isinstance(line, Heading) for line in lines)
        self._offers_left = MOST_OFFERS
        named = (line for line in lines if isinstance(line, CardLine) and "/" in line.entry.name)
        self._faces = {card.entry.key for card in named if not name_without_remark(card)}
        cards = [
            card
            for meaning, card in zip(lines, map(_card, lines), strict=True)
            if card is not None and (card.counted or isinstance(meaning, UnclearLine))
        ]
        self._begun = any(card.written[:1].isdigit() for card in cards)
        self._numbered = self._begun or any(card.counted for card in cards)
        bare = [] if self._numbered else [line for line in lines if isinstance(line, CardLine)]
        ended = sum(map(bool, map(trailing_count_readings, bare))) if known is None else 0
        self._ended = ended >= SEVERAL and 2 * ended > len(bare)

    def settled(self) -> list[Meaning]:
        return [self._settled(at, meaning) for at, meaning in enumerate(self._lines)]

    def _settled(self, at: int, meaning: Meaning) -> Meaning:
        if isinstance(meaning, Heading):
            return None if meaning.in_comment and self._is_comment(at + 1) else meaning
        if isinstance(meaning, UnreadableLine) and self._is_empty_section(at):
            return None
        if isinstance(meaning, CardOrHeading):
            return self._card_or_heading(at, meaning)
        if isinstance(meaning, UnclearLine) and meaning.card.entry.key in self._faces:
            return meaning.card
        if not isinstance(meaning, CardLine):
            return meaning
        if not meaning.counted:
            return self._without_number(at, meaning)
        if meaning.bracketed and self._begun and not meaning.entry.kind:
            return self._unclear(at, meaning)
        return meaning

    def _is_comment(self, at: int) -> bool:
        """Return whether what follows, from a line on, is a comment that is no heading."""
        for after in range(at, len(self._lines)):
            line = clean_line(self._written[after])
            if line:
                return line.startswith(COMMENT) and self._lines[after] is None
        return False

    def _is_empty_section(self, at: int) -> bool:
        """Return whether a line such as ``[Avatar]`` has no card below it."""
        if not self._headed or _SECTION.fullmatch(self._written[at].strip()) is None:
            return False
        for after in range(at + 1, len(self._lines)):
            line = self._written[after].strip()
            if line and self._lines[after] is not None:
                return isinstance(self._lines[after], Heading) or bool(_SECTION.fullmatch(line))
        return True

    def _card_or_heading(self, at: int, meaning: CardOrHeading) -> Meaning:
        card, heading = meaning.card, meaning.heading
        if not self._numbered or self._is_known(card):
            return card if card.counted else self._without_number(at, card)
        if not card.counted:
            return heading
        if heading.role is HeadingRole.TOTAL:
            return heading
        lines = range(at + 1, len(self._lines)), range(at - 1, -1, -1)
        zones = heading.zone is not None
        if any(heading.count in self._copies(each, zones=zones) for each in lines):
            return heading
        return self._unclear(at, card, f"{heading.word} ({heading.count})")

    def _is_known(self, card: CardLine) -> bool:
        return self._known is not None and self._known.get(card.entry.key) is not None

    def _without_number(self, at: int, card: CardLine) -> Meaning:
        if self._ended:
            return trailing_count_readings(card) or card
        if not self._numbered or card.entry.kind or card.side or card.zone:
            return remark_line_readings(card) or card
        if card.bare and self._known is not None and not self._is_known(card):
            return card  # asked about with the names that are near
        line = clean_line(self._written[at])
        if not self._offers_left:
            return UnreadableLine(line, WITHOUT_NUMBER)
        self._offers_left -= 1
        ways = (*unambiguous_line(card.entry, card.entry.name, 1, card.side), f"{COMMENT} {line}")
        return UnreadableLine(line, WITHOUT_NUMBER, ways)

    def _unclear(self, at: int, card: CardLine, other: str = "") -> UnclearLine:
        entry, line = card.entry, clean_line(self._written[at])
        way = unambiguous_line(entry, entry.name, entry.count, card.side)
        return UnclearLine(replace(card, written=line), (*way, other or f"{COMMENT} {line}"))

    def _copies(self, lines: range, *, zones: bool) -> tuple[int, int]:
        """Return the copies on these lines up to a heading, and up to an empty line.

        With ``zones`` only the heading of a zone ends them.
        """
        all_copies = first_copies = 0
        blank = False
        for at in lines:
            meaning = self._lines[at]
            heading = meaning.heading if isinstance(meaning, CardOrHeading) else meaning
            if isinstance(heading, Heading):
                if not zones or heading.zone is not None:
                    break
            elif card := _card(meaning):
                all_copies += card.entry.count
                first_copies += 0 if blank else card.entry.count
            else:
                blank |= bool(all_copies) and not self._written[at].strip()
        return all_copies, first_copies
