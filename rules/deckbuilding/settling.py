"""What the lines of a list mean together, where one alone could be a card or not.

In a list whose lines have numbers, a line without one is a heading or is asked about, never a
card; ``24 Lands`` is a heading where 24 cards stand below or above it. A list without numbers is
one copy a line; where most of its lines end with a number, that is asked about.

Source: deck construction, Lists in and out.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from rules.deckbuilding.around import NAME_RULE
from rules.deckbuilding.catalogue import Catalogue
from rules.deckbuilding.deck import Deck, Violation
from rules.deckbuilding.doubts import Unclear, count_behind, line_of_reading
from rules.deckbuilding.headings import COMMENT, Heading
from rules.deckbuilding.known_headings import Role
from rules.deckbuilding.line_replacement import LINES
from rules.deckbuilding.lines import CardLine
from rules.deckbuilding.meanings import CardOrHeading, Meaning, UnreadableLine
from rules.errors import RuleError
from rules.names import tidy
from rules.wording import Sentence

_SECTION = re.compile(r"\[[^\W\d_]{3,30}\]")
MOST_OFFERS = 100
"""Lines without a number for which answers are offered."""
SEVERAL = 3
"""Lines of which most end with a number; a name alone may end so."""
WITHOUT_NUMBER = Sentence(
    "Other lines have a number: write one before it if it is a card, else //."
)


def without_numbers(problems: Iterable[Violation]) -> list[Violation]:
    """Return those problems that are lines without a number and have answers."""
    return [
        problem
        for problem in problems
        if problem.sentence.values.get("reason") == WITHOUT_NUMBER and problem.suggestions
    ]


def with_ones(text: str, deck: Deck) -> str:
    """Return a list's text with a 1 before each line without a number.

    ``deck`` is what was read of it. Raises RuleError ``line_changed`` if it has no such line.
    """
    asked = without_numbers(deck.problems)
    if not asked:
        raise RuleError(
            "line_changed",
            "No line is without a number by now. Nothing was changed: check the list again.",
        )
    mark = "\ufeff" * text.startswith("\ufeff")
    lines = LINES.split(text.removeprefix(mark))
    for problem in asked:
        lines[2 * ((problem.line or 1) - 1)] = problem.suggestions[0]
    return mark + "".join(lines)


def settled(
    lines: Sequence[Meaning], written: Sequence[str], known: Catalogue | None
) -> Sequence[Meaning]:
    """Return the meaning of each line of a list, given what each may mean alone.

    ``written`` are the lines themselves. A card of the catalogue ``known`` is no heading.
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
    return isinstance(meaning, CardOrHeading) or (
        isinstance(meaning, Heading) and meaning.in_comment
    )


def _card(meaning: Meaning) -> CardLine | None:
    """Return the card that a line is, or may be."""
    if isinstance(meaning, CardOrHeading | Unclear):
        return meaning.card
    return meaning if isinstance(meaning, CardLine) else None


class _List:
    """The lines of a list while their meaning is found.

    ``headed``: some open a zone; ``numbered``: some have a number; ``begun``: some begin with one;
    ``ended``: most cards of a list without numbers end with one.
    """

    def __init__(
        self, lines: Sequence[Meaning], written: Sequence[str], known: Catalogue | None
    ) -> None:
        self._lines, self._written, self._known = lines, written, known
        self._headed = any(isinstance(line, Heading) for line in lines)
        self._offers_left = MOST_OFFERS
        cards = [
            card
            for meaning, card in zip(lines, map(_card, lines), strict=True)
            if card is not None and (card.counted or isinstance(meaning, Unclear))
        ]
        self._begun = any(card.written[:1].isdigit() for card in cards)
        self._numbered = self._begun or any(card.counted for card in cards)
        bare = [] if self._numbered else [line for line in lines if isinstance(line, CardLine)]
        ended = sum(map(bool, map(count_behind, bare))) if known is None else 0
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
            line = tidy(self._written[after])
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
        if heading.role is Role.TOTAL:
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
            return count_behind(card) or card
        if not self._numbered or card.entry.kind or card.side or card.zone:
            return card
        if card.bare and self._known is not None and not self._is_known(card):
            return card  # asked about with the names that are near
        line = tidy(self._written[at])
        if not self._offers_left:
            return UnreadableLine(line, WITHOUT_NUMBER)
        self._offers_left -= 1
        ways = (*line_of_reading(card.entry, card.entry.name, 1, card.side), f"{COMMENT} {line}")
        return UnreadableLine(line, WITHOUT_NUMBER, ways)

    def _unclear(self, at: int, card: CardLine, other: str = "") -> Unclear:
        entry, line = card.entry, tidy(self._written[at])
        way = line_of_reading(entry, entry.name, entry.count, card.side)
        return Unclear(replace(card, written=line), (*way, other or f"{COMMENT} {line}"))

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
