"""The first sheet: a page with the event, the podium, the final standing, bracket or groups."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Protocol

from django.utils.translation import gettext as _
from xlsxwriter import Workbook
from xlsxwriter.worksheet import Worksheet

from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.exports.handout import contents
from tournaments.exports.handout.bracket_cells import DrawnBracket
from tournaments.exports.handout.brackets import Bracket
from tournaments.exports.handout.contents import Head, Line, Result, result_of
from tournaments.exports.handout.grid import Grid, Page, text_width
from tournaments.exports.handout.groups import is_one_match, sections
from tournaments.exports.handout.looks import (
    GOLDEN,
    GREEN,
    HEAD,
    MEDALS,
    PALE,
    QUIET,
    THIN,
    Look,
)
from tournaments.models import Stage

WIDE = 700
"""Pixels of an upright A4 page between its margins, a little less than there are."""
HIGH = 755  # points
MARGINS = {"left": 0.44, "right": 0.44, "top": 0.45, "bottom": 0.6}  # inches
LEAST_ROW, MOST_ROW = 13.5, 19.5
ONE_PAGE, TWO_PAGES = 33, 96
"""Players at most whose standing stands on one page, and on two."""
SMALLER = 0.93
"""How much smaller than it is made a page may be printed: letters keep nine points."""
ABOVE = 128
"""Points above the first row."""
SINGLE, DOUBLE = (4, 3, 2), (3, 2)
"""Last rounds that are drawn of a bracket, as many as fit; of two brackets, of the upper one."""
TEXTS = (contents.NAME, contents.TEXT)
NUMBERS = {
    contents.PLACE: "0",
    contents.NUMBER: "#,##0.##;−#,##0.##;0",
    contents.MAIN: "0.##",
    contents.SHARE: "0.0%",
}
FORMATS = {"score_difference": "+0;−0;0"}


class BelowStandings(Protocol):
    """Protocol of what is drawn below the standings: brackets and tables of groups."""

    @property
    def height(self) -> float: ...

    def edges(self) -> Iterator[float]: ...

    def draw(self, page: Page, row: int) -> int: ...


def draw_result(book: Workbook, sheet: Worksheet, facts: EventFacts) -> None:
    """Draw the sheet: one page for up to 33 players, two for up to 96; at most one query."""
    result = result_of(facts)
    widths = _widths(result)
    wide = sum(widths)
    below, row_high, pages = _fitting_below(facts, len(result.lines), wide)
    open_ = [at for at, head in enumerate(result.heads) if head.kind in TEXTS]
    grid = Grid(widths, open_)
    grid.cut(_podium_edges(result, wide))
    for part in below:
        grid.cut(part.edges())
    page = Page(book, sheet, grid)
    _draw_head(page, result, wide)
    row = _draw_table(page, result, 7, row_high)
    if pages == 2 and below:
        row = _to_next_page(page, row, ABOVE + len(result.lines) * row_high)
    for part in below:
        page.sheet.set_row(row, 8)
        row = part.draw(page, row + 1)
    if result.legend:
        page.sheet.set_row(row, 6)
        row += 1
        lines = 1 + int(text_width(result.legend, 8) / (wide - 20))
        page.sheet.set_row(row, 12 * lines)
        look: Look = {
            "font_size": 8,
            "font_color": QUIET,
            "text_wrap": True,
            "valign": "top",
        }
        page.put(row, 0, len(grid.edges) - 2, result.legend, **look)
        row += 1
    _set_up(sheet, row, len(grid.edges) - 2, pages)


def _widths(result: Result) -> list[float]:
    """Return the widths of the columns: what numbers need, and the rest to the texts."""
    needed = []
    for at, head in enumerate(result.heads):
        bold = head.kind in (contents.NAME, contents.MAIN)
        values = [line.values[at] for line in result.lines]
        shown = [value if isinstance(value, str) else _shown(value, head) for value in values]
        longest = max((text_width(text, bold=bold) for text in shown), default=0)
        title = text_width(head.label, bold=True)
        needed.append(
            max(longest, title) + 20 if head.kind in TEXTS else max(longest + 12, title + 10, 36)
        )
    left = WIDE - sum(needed)
    texts = [at for at, head in enumerate(result.heads) if head.kind in TEXTS]
    whole = sum(needed[at] for at in texts)
    if left < WIDE * (1 - 1 / SMALLER):
        left -= WIDE * (1 - 1 / SMALLER)
    elif left < 0:
        left = 0
    for at in texts:
        needed[at] = max(60, needed[at] * (1 + left / whole))
    return needed


def _shown(value: object, head: Head) -> str:
    if value is None:
        return ""
    number = float(value)  # type: ignore[arg-type]
    if head.kind == contents.SHARE:
        return f"{100 * number:.1f}%"
    return f"{number:+.0f}" if head.key in FORMATS else f"{number:.2f}".rstrip("0").rstrip(".")


def _fitting_below(
    facts: EventFacts, rows: int, wide: float
) -> tuple[list[BelowStandings], float, int]:
    """Return what stands below the standing, the height of its rows in points, and the pages.

    The bracket comes first, then the tables of stages from the latest back, as far as they fit;
    0 pages are as many as are needed.
    """
    begun = [one for one in facts.stages if one.stage.state != Stage.State.PENDING]
    brackets = [
        list(_last_rounds(Bracket(facts, one), wide, _rounds_drawn(one)))
        for one in begun
        if one.kind.has_bracket and one.plan.survivors == 1 and not is_one_match(one)
    ]
    alone = len(begun) == 1 and len(begun[0].plan.groups) == 1
    tables = [] if alone else sections(facts, wide)
    most = 1 if rows <= ONE_PAGE else 2
    standing = ABOVE + rows * LEAST_ROW + 30
    room = most * HIGH / SMALLER - standing if rows <= TWO_PAGES else HIGH
    kept: list[BelowStandings] = []
    parts: list[Sequence[BelowStandings]] = [
        *reversed(brackets),
        *([table] for table in reversed(tables)),
    ]
    for choices in parts:
        part = next((one for one in choices if one.height + 8 <= room), None)
        if part is None:
            continue
        kept.append(part)
        room -= part.height + 8
    order = [part for part in (*tables, *chain.from_iterable(brackets)) if part in kept]
    used = sum(part.height + 8 for part in order)
    if rows > TWO_PAGES:
        return order, LEAST_ROW, 0
    pages = 1 if standing + used <= HIGH / SMALLER else 2
    free = pages * HIGH - ABOVE - 30 - used if pages == 1 else HIGH
    high = free / max(1, rows) if pages == 1 else LEAST_ROW
    return order, min(MOST_ROW, max(LEAST_ROW, high)), pages


def _rounds_drawn(stage: StageFacts) -> Sequence[int]:
    return DOUBLE if stage.kind.two_brackets else SINGLE


def _last_rounds(bracket: Bracket, wide: float, rounds: Sequence[int]) -> Iterator[DrawnBracket]:
    """Yield the drawings of a bracket's last rounds, the largest first."""
    for each in rounds:
        drawing = bracket.last(each)
        note = "" if drawing.whole else _("the last rounds")
        yield DrawnBracket(bracket.label, drawing, wide, note=note)


def _podium_edges(result: Result, wide: float) -> list[float]:
    shares = (0, 0.06, 0.38, 0.44, 0.69, 0.75, 1)
    return [wide * share for share in shares]


def _draw_head(page: Page, result: Result, wide: float) -> None:
    last = len(page.grid.edges) - 2
    left = max(text_width(result.title, 19, bold=True), text_width(result.when_where))
    right = max(text_width(result.game, bold=True), text_width(result.formula))
    (half,) = page.grid.columns([wide * min(0.65, max(0.4, left / (left + right)))])
    for row, height in enumerate((28, 18, 8, *((20, 15, 8) if result.podium else (1, 1, 1)))):
        page.sheet.set_row(row, height)
    page.put(0, 0, half - 1, result.title, bold=True, font_size=19, shrink=True)
    page.put(0, half, last, result.game, align="right", valign="bottom", bold=True, shrink=True)
    line: Look = {"bottom": 2, "bottom_color": GREEN, "shrink": True, "font_color": QUIET}
    page.put(1, 0, half - 1, result.when_where, **line)
    page.put(1, half, last, result.formula, align="right", **line)
    edges = page.grid.columns(_podium_edges(result, wide))
    for at, winner in enumerate(result.podium[:3]):
        number, name, right = edges[2 * at : 2 * at + 3]
        fill: Look = {"bg_color": MEDALS[min(winner.rank, 3)], "indent": 0}
        gap: Look = {"left": 5, "left_color": "#FFFFFF"} if at else {}
        page.put(
            3,
            number,
            name - 1,
            winner.rank,
            rows=2,
            bold=True,
            font_size=18,
            align="center",
            **fill,
            **gap,
        )
        page.put(3, name, right - 1, winner.name, bold=True, font_size=12, shrink=True, **fill)
        page.put(4, name, right - 1, winner.club, font_size=9, valign="top", shrink=True, **fill)


def _draw_table(page: Page, result: Result, row: int, high: float) -> int:
    """Draw head and rows; return the row after them."""
    page.sheet.set_row(row - 1, 26)
    spans = [page.grid.whole(at) for at in range(len(result.heads))]
    edge: Look = {"border": 1, "border_color": THIN}
    for head, (first, last) in zip(result.heads, spans, strict=True):
        look: Look = {"align": "left", "indent": 1} if head.kind in TEXTS else {"align": "right"}
        look |= {"bold": True, "valign": "top", "bg_color": HEAD, **edge}
        page.put(row - 1, first, last, head.label, **look)
    for line in result.lines:
        page.sheet.set_row(row, high)
        for head, (first, last), value in zip(result.heads, spans, line.values, strict=True):
            look = _look(head, line)
            room = page.grid.edges[last + 1] - page.grid.edges[first] - 12
            bold = head.kind == contents.NAME
            if last > first and text_width(str(value or ""), bold=bold) <= room:
                _write_over_empty_cells(page, row, first, last, value, look)
            else:
                page.put(
                    row, first, last, value, shrink=True, **_sides(look, left=True, right=True)
                )
        row += 1
    page.sheet.autofilter(6, 0, row - 1, spans[-1][1])
    page.sheet.freeze_panes(7, spans[1][1] + 1)
    return row


def _look(head: Head, line: Line) -> Look:
    text = head.kind in TEXTS
    look: Look = {"align": "left", "indent": 1} if text else {"align": "right"}
    if head.kind in (contents.NAME, contents.MAIN, contents.PLACE):
        look["bold"] = True
    if head.kind in NUMBERS:
        look["num_format"] = FORMATS.get(head.key, NUMBERS[head.kind])
    fill = {contents.WON: GOLDEN, contents.ON: PALE}.get(line.look)
    look |= {"bg_color": fill} if fill else {}
    look |= {"top": 1, "top_color": THIN, "bottom": 1, "bottom_color": THIN}
    return look | ({"bottom": 2, "bottom_color": GREEN} if line.cut else {})


def _sides(look: Look, *, left: bool, right: bool) -> Look:
    look = look | ({"left": 1, "left_color": THIN} if left else {})
    return look | ({"right": 1, "right_color": THIN} if right else {})


def _write_over_empty_cells(
    page: Page, row: int, first: int, last: int, value: object, look: Look
) -> None:
    """Write a text that runs on over the empty cells behind it, which stay apart for sorting."""
    page.write(row, first, value, **_sides(look, left=True, right=False))  # type: ignore[arg-type]
    page.blank(row, first + 1, last - 1, **look)
    page.blank(row, last, last, **_sides(look, left=False, right=True))


def _to_next_page(page: Page, row: int, used: float) -> int:
    """Return the first row of the second page, if what is written ends on the first."""
    left = HIGH - used
    while left > -6:
        page.sheet.set_row(row, 12)
        row, left = row + 1, left - 12
    return row


def _set_up(sheet: Worksheet, rows: int, last: int, pages: int) -> None:
    sheet.hide_gridlines(2)
    sheet.set_portrait()
    sheet.set_paper(9)
    sheet.set_margins(**MARGINS)
    sheet.print_area(0, 0, rows - 1, last)
    sheet.repeat_rows(6)
    sheet.fit_to_pages(1, pages)
    sheet.center_horizontally()
