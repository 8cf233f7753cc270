"""The first sheet: a page with the event, the podium, the final standing, bracket or groups."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from django.utils.translation import gettext as _
from xlsxwriter import Workbook
from xlsxwriter.worksheet import Worksheet

from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import SHARED
from tournaments.diagrams.selectors.placed_brackets import BracketLayout
from tournaments.exports.handout import contents
from tournaments.exports.handout.contents import ColumnHeader, ResultLine, ResultSheet, result_sheet
from tournaments.exports.handout.grid import (
    GOLDEN,
    GREEN,
    HEAD,
    MEDALS,
    PALE,
    QUIET,
    SPARED,
    THIN,
    DrawnBracket,
    Grid,
    GridWriter,
    Look,
    text_width,
)
from tournaments.exports.handout.groups import build_table_sections, is_single_match
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


class SheetPart(Protocol):
    """Protocol of what is drawn below the standings: brackets and groups.

    ``height`` in points; ``edges`` in pixels; ``draw`` returns the next row.
    """

    @property
    def height(self) -> float: ...

    def edges(self) -> Iterator[float]: ...

    def draw(self, page: GridWriter, row: int) -> int: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultSheetLayout:
    """What stands below the standings (``parts``), and the page breaks of the sheet.

    ``lines``: indices of the players that begin a page; ``firsts``: of the parts that do; the
    legend counts as one after them. ``row_high``: height of a row of the standings, in points.
    ``scale``: print scale, 0 to fit one page.
    """

    parts: Sequence[SheetPart]
    row_high: float
    lines: tuple[int, ...] = ()
    firsts: tuple[int, ...] = ()
    scale: float = 0

    @property
    def pages(self) -> int:
        """Return the number of pages."""
        return 1 + len(self.lines) + len(self.firsts)


def fit_below_standings(facts: EventFacts, rows: int, wide: float) -> ResultSheetLayout:
    """Return the layout with the brackets and tables that fit below the standings.

    ``rows``: number of players; ``wide``: pixels. On one page up to ONE_PAGE players, two up to
    TWO_PAGES, else three or as many as the standings need. Later stages are preferred, but drawn in
    order.
    """
    tables, brackets = _tables(facts, wide), list(_brackets(facts, wide))
    scale = min(1, PAPER / (wide * WIDER))
    alone = _on_pages(rows, [], scale)
    most = 1 if rows <= ONE_PAGE else 2 if rows <= TWO_PAGES else max(3, alone.pages)
    kept: list[SheetPart] = []
    found = _on_one_page(rows, []) or alone
    wanted: list[Sequence[SheetPart]] = [
        *reversed(brackets),
        *([table] for table in reversed(tables)),
    ]
    for choices in wanted:
        for part in choices:
            taken = [*kept, part]
            parts = [one for one in (*tables, *chain.from_iterable(brackets)) if one in taken]
            tried = _on_one_page(rows, parts) or _on_pages(rows, parts, scale)
            if tried.pages <= most:
                kept, found = taken, tried
                break
    return found


def _on_one_page(rows: int, parts: Sequence[SheetPart]) -> ResultSheetLayout | None:
    """Return parts on one page, with rows that fill it; None where it has no room."""
    used = ABOVE + LEGEND + sum(part.height + SPACE for part in parts)
    if used + rows * LEAST_ROW > HIGH / SMALLER:
        return None
    high = (HIGH - used) / max(1, rows)
    return ResultSheetLayout(parts=parts, row_high=min(MOST_ROW, max(LEAST_ROW, high)))


def _on_pages(rows: int, parts: Sequence[SheetPart], scale: float) -> ResultSheetLayout:
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
    return ResultSheetLayout(
        parts=parts,
        row_high=LEAST_ROW,
        lines=tuple(lines),
        firsts=tuple(firsts),
        scale=scale,
    )


def _tables(facts: EventFacts, wide: float) -> Sequence[SheetPart]:
    begun = _begun(facts)
    alone = len(begun) == 1 and len(begun[0].plan.groups) == 1
    return [] if alone else build_table_sections(facts, wide)


def _brackets(facts: EventFacts, wide: float) -> Iterator[Sequence[SheetPart]]:
    """Yield the drawings of each bracket's last rounds, the largest first."""
    for stage in _begun(facts):
        if not stage.kind.has_bracket or stage.plan.survivors > 1 or is_single_match(stage):
            continue
        bracket = BracketLayout(facts, stage)
        drawings = [bracket.last(each) for each in (DOUBLE if stage.kind.two_brackets else SINGLE)]
        last = _("the last rounds")
        yield [
            DrawnBracket(bracket.label, each, wide, note="" if each.whole else last)
            for each in drawings
        ]


def _begun(facts: EventFacts) -> list[StageFacts]:
    return [one for one in facts.stages if one.stage.state != Stage.State.PENDING]


WIDE = 700
"""Pixels of an upright A4 page between its margins, a little less than there are."""
MARGINS = {"left": 0.44, "right": 0.44, "top": 0.45, "bottom": 0.6}  # inches
HEADS = 7
"""The row that names the columns, from 1."""
TEXTS = (contents.NAME, contents.TEXT)
NUMBERS = {
    contents.PLACE: "0",
    contents.NUMBER: "#,##0.##;−#,##0.##;0",
    contents.MAIN: "0.##",
    contents.SHARE: "0.0%",
}
FORMATS = {"score_difference": "+0;−0;0"}
SHARED_RANK = f'"{SHARED}"0'
"""What tells that a rank is shared; the cell holds the number, to sort by."""


def draw_result_sheet(book: Workbook, sheet: Worksheet, facts: EventFacts) -> None:
    """Draw the result sheet on a worksheet; at most two queries.

    It has one page up to 33 players, two up to 96.
    """
    result = result_sheet(facts)
    widths = _widths(result)
    wide = sum(widths)
    below = fit_below_standings(facts, len(result.lines), wide)
    splittable = [at for at, head in enumerate(result.heads) if head.kind in TEXTS]
    grid = Grid(widths, splittable)
    grid.cut(_podium_edges(wide, len(result.podium)))
    for part in below.parts:
        grid.cut(part.edges())
    page = GridWriter(book, sheet, grid)
    _draw_head(page, result, wide)
    row = _draw_table(page, result, HEADS, below.row_high)
    breaks = [HEADS + line for line in below.lines]
    for at, part in enumerate(below.parts):
        breaks += [row] if at in below.firsts else []
        page.sheet.set_row(row, 8)
        row = part.draw(page, row + 1)
    if result.legend:
        breaks += [row] if len(below.parts) in below.firsts else []
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
    _set_up(sheet, row, len(grid.edges) - 2)
    if below.scale:
        sheet.set_print_scale(int(100 * below.scale))
        sheet.set_h_pagebreaks(breaks)
    else:
        sheet.fit_to_pages(1, 1)


def _widths(result: ResultSheet) -> list[float]:
    """Return the widths of the columns: what numbers need, and the rest to the texts."""
    needed = []
    for at, head in enumerate(result.heads):
        bold = head.kind in (contents.NAME, contents.MAIN)
        shown = [_shown(line.values[at], head, line) for line in result.lines]
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


def _shown(value: object, head: ColumnHeader, line: ResultLine) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if head.key in line.shared:
        return f"{SHARED}{value}"
    number = float(value)  # type: ignore[arg-type]
    if head.kind == contents.SHARE:
        return f"{100 * number:.1f}%"
    return f"{number:+.0f}" if head.key in FORMATS else f"{number:.2f}".rstrip("0").rstrip(".")


def _podium_edges(wide: float, players: int) -> list[float]:
    shares: tuple[float, ...] = (0, 0.06, 0.38, 0.44, 0.69, 0.75, 1)
    if players > 3:  # two share the third place
        shares = (0, 0.05, 0.29, 0.34, 0.54, 0.59, 0.77, 0.82, 1)
    return [wide * share for share in shares]


def podium_columns(grid: Grid, wide: float, players: int = 3) -> list[int]:
    """Return the grid columns where ranks and names of the podium begin.

    ``wide``: pixels; ``players``: number on the podium.
    """
    edges = _podium_edges(wide, players)
    return grid.columns(edges, (1, SPARED) * (len(edges) // 2))


def _draw_head(page: GridWriter, result: ResultSheet, wide: float) -> None:
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
    edges = podium_columns(page.grid, wide, len(result.podium))
    for at, winner in enumerate(result.podium):
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
            num_format=SHARED_RANK if winner.shared else "0",
            **fill,
            **gap,
        )
        page.put(3, name, right - 1, winner.name, bold=True, font_size=12, shrink=True, **fill)
        page.put(4, name, right - 1, winner.club, font_size=9, valign="top", shrink=True, **fill)


def _draw_table(page: GridWriter, result: ResultSheet, row: int, high: float) -> int:
    """Draw head and rows; return the row after them."""
    page.sheet.set_row(row - 1, HEADING)
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
    page.sheet.autofilter(HEADS - 1, 0, row - 1, spans[-1][1])
    page.sheet.freeze_panes(HEADS, spans[1][1] + 1)
    return row


def _look(head: ColumnHeader, line: ResultLine) -> Look:
    text = head.kind in TEXTS
    look: Look = {"align": "left", "indent": 1} if text else {"align": "right"}
    if head.kind in (contents.NAME, contents.MAIN, contents.PLACE):
        look["bold"] = True
    if head.kind in NUMBERS:
        usual = FORMATS.get(head.key, NUMBERS[head.kind])
        look["num_format"] = SHARED_RANK if head.key in line.shared else usual
    fill = {contents.WON: GOLDEN, contents.ON: PALE}.get(line.look)
    look |= {"bg_color": fill} if fill else {}
    look |= {"top": 1, "top_color": THIN, "bottom": 1, "bottom_color": THIN}
    return look | ({"bottom": 2, "bottom_color": GREEN} if line.cut else {})


def _sides(look: Look, *, left: bool, right: bool) -> Look:
    look = look | ({"left": 1, "left_color": THIN} if left else {})
    return look | ({"right": 1, "right_color": THIN} if right else {})


def _write_over_empty_cells(
    page: GridWriter, row: int, first: int, last: int, value: object, look: Look
) -> None:
    """Write a text that runs on over the empty cells behind it, which stay apart for sorting."""
    page.write(row, first, value, **_sides(look, left=True, right=False))  # type: ignore[arg-type]
    page.blank(row, first + 1, last - 1, **look)
    page.blank(row, last, last, **_sides(look, left=False, right=True))


def _set_up(sheet: Worksheet, rows: int, last: int) -> None:
    sheet.hide_gridlines(2)
    sheet.set_portrait()
    sheet.set_paper(9)
    sheet.set_margins(**MARGINS)
    sheet.print_area(0, 0, rows - 1, last)
    sheet.repeat_rows(HEADS - 1)
    sheet.center_horizontally()
