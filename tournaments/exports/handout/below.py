"""What stands below the standing on the first sheet, and where its pages end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from django.utils.translation import gettext as _

from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.exports.handout.bracket_cells import DrawnBracket
from tournaments.exports.handout.brackets import Bracket
from tournaments.exports.handout.grid import Page
from tournaments.exports.handout.groups import is_one_match, sections
from tournaments.models import Stage

PAPER, HIGH = 709, 755
"""Pixels and points of an upright A4 page between its margins."""
WIDER = 1.09
"""How much wider columns are where Arial is missing."""
LEAST_ROW, MOST_ROW = 13.5, 19.5
ONE_PAGE, TWO_PAGES = 33, 96
"""Players at most whose standing stands on one page, and on two."""
SMALLER = 0.93
"""How much smaller than it is made one page may be printed: letters keep nine points."""
ABOVE, HEADING, LEGEND, SPACE = 128, 26, 30, 8
"""Points above the first row, of the names of the columns, of the legend, and above each part."""
SINGLE, DOUBLE = (4, 3, 2), (3, 2)
"""Last rounds that are drawn of a bracket, as many as fit; of two brackets, of the upper one."""


class Part(Protocol):
    """Protocol of what is drawn below the standing: brackets and tables of groups."""

    @property
    def height(self) -> float: ...

    def edges(self) -> Iterator[float]: ...

    def draw(self, page: Page, row: int) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Below:
    """The parts below the standing, whose rows are ``row_high`` points.

    ``lines`` and ``firsts`` are the players and parts that begin a page, from 0; the legend comes
    after all parts. Several pages are printed by ``scale``, a single one (0) is made to fit.
    """

    parts: Sequence[Part]
    row_high: float
    lines: tuple[int, ...] = ()
    firsts: tuple[int, ...] = ()
    scale: float = 0

    @property
    def pages(self) -> int:
        """Return the number of pages."""
        return 1 + len(self.lines) + len(self.firsts)


def what_fits(facts: EventFacts, rows: int, wide: float) -> Below:
    """Return what stands below the standing: the brackets, then tables, as many as fit.

    One page up to ONE_PAGE players, two up to TWO_PAGES, above that three, or as many as the
    standing needs. Parts keep the order of the stages; the latest are taken first.
    """
    tables, brackets = _tables(facts, wide), list(_brackets(facts, wide))
    scale = min(1, PAPER / (wide * WIDER))
    alone = _on_pages(rows, [], scale)
    most = 1 if rows <= ONE_PAGE else 2 if rows <= TWO_PAGES else max(3, alone.pages)
    kept: list[Part] = []
    found = _on_one_page(rows, []) or alone
    wanted: list[Sequence[Part]] = [*reversed(brackets), *([table] for table in reversed(tables))]
    for choices in wanted:
        for part in choices:
            taken = [*kept, part]
            parts = [one for one in (*tables, *chain.from_iterable(brackets)) if one in taken]
            tried = _on_one_page(rows, parts) or _on_pages(rows, parts, scale)
            if tried.pages <= most:
                kept, found = taken, tried
                break
    return found


def _on_one_page(rows: int, parts: Sequence[Part]) -> Below | None:
    """Return parts on one page, with rows that fill it; None where it has no room."""
    used = ABOVE + LEGEND + sum(part.height + SPACE for part in parts)
    if used + rows * LEAST_ROW > HIGH / SMALLER:
        return None
    high = (HIGH - used) / max(1, rows)
    return Below(parts=parts, row_high=min(MOST_ROW, max(LEAST_ROW, high)))


def _on_pages(rows: int, parts: Sequence[Part], scale: float) -> Below:
    """Return parts on as many pages as they need, none of them cut."""
    page = HIGH / scale
    left = page - ABOVE
    lines: list[int] = []
    firsts: list[int] = []
    for line in range(rows):
        if left < LEAST_ROW:
            lines.append(line)
            left = page - HEADING
        left -= LEAST_ROW
    for at, height in enumerate([*(part.height + SPACE for part in parts), LEGEND]):
        if left < height:
            firsts.append(at)
            left = page - HEADING
        left -= height
    return Below(
        parts=parts,
        row_high=LEAST_ROW,
        lines=tuple(lines),
        firsts=tuple(firsts),
        scale=scale,
    )


def _tables(facts: EventFacts, wide: float) -> Sequence[Part]:
    begun = _begun(facts)
    alone = len(begun) == 1 and len(begun[0].plan.groups) == 1
    return [] if alone else sections(facts, wide)


def _brackets(facts: EventFacts, wide: float) -> Iterator[Sequence[Part]]:
    """Yield the drawings of each bracket's last rounds, the largest first."""
    for stage in _begun(facts):
        if not stage.kind.has_bracket or stage.plan.survivors > 1 or is_one_match(stage):
            continue
        bracket = Bracket(facts, stage)
        drawings = [bracket.last(each) for each in (DOUBLE if stage.kind.two_brackets else SINGLE)]
        last = _("the last rounds")
        yield [
            DrawnBracket(bracket.label, each, wide, note="" if each.whole else last)
            for each in drawings
        ]


def _begun(facts: EventFacts) -> list[StageFacts]:
    return [one for one in facts.stages if one.stage.state != Stage.State.PENDING]
