"""Brackets of the workbook: every match once, in the middle of those that lead to it, and lines."""

from io import BytesIO
from itertools import pairwise

import pytest
from openpyxl import load_workbook
from xlsxwriter import Workbook

from tests import factories as make
from tournaments.core.event_state import load_facts
from tournaments.diagrams.selectors.placed_brackets import (
    HIGH,
    BracketLayout,
    PlacedDrawing,
    PlacedMatch,
    PlacedSide,
    RoundHeading,
    split_rounds,
)
from tournaments.exports.handout.grid import (
    MOST,
    OPTIONS,
    DrawnBracket,
    Grid,
    GridWriter,
    draw_bracket_sheet,
)
from tournaments.exports.handout.result_sheet import MARGINS

pytestmark = pytest.mark.django_db
ROWS = 115
DOUBLE, SINGLE = "double-elimination", "single-elimination"


def bracket_of(by, players, formula, **values):
    facts = load_facts(make.playing(by, players, formula=formula, **values), for_staff=False)
    return BracketLayout(facts, facts.stages[0])


def drawn_once(drawings, bracket):
    numbers = [match.number for drawing in drawings for match in drawing.matches]
    return sorted(numbers) == sorted(bracket._boxes)


def assert_drawn_well(drawing):
    at = {(match.at, match.middle): match for match in drawing.matches}
    for column in range(drawing.columns):
        tops = sorted(match.top for match in drawing.matches if match.at == column)
        assert all(lower - upper >= HIGH for upper, lower in pairwise(tops))
    for match in drawing.matches:
        assert all(feed in at and feed[0] < match.at for feed in match.feeds)
        if match.feeds:
            middles = [middle for _at, middle in match.feeds]
            assert abs(match.middle - sum(middles) / len(middles)) < 1


MANY = [
    (17, DOUBLE),
    *(pytest.param(n, DOUBLE, marks=pytest.mark.deep) for n in (3, 5, 8, 33, 64, 128)),
    *(pytest.param(n, SINGLE, marks=pytest.mark.deep) for n in (3, 9, 33, 64, 128)),
]


@pytest.mark.parametrize(("players", "formula"), MANY)
def test_each_match_stands_once_whole_and_page_by_page(by, players, formula):
    bracket = bracket_of(by, players, formula)
    whole = bracket.last()
    assert drawn_once([whole], bracket)
    assert whole.whole
    assert_drawn_well(whole)
    for columns in range(2, MOST + 1):
        pages = bracket.on_pages(columns, ROWS)
        assert drawn_once(pages, bracket)
        for page in pages:
            assert page.rows <= ROWS
            assert page.columns <= columns
            assert page.captions[-1].small
            assert_drawn_well(page)


@pytest.mark.deep
def test_the_last_rounds_have_the_final_and_both_that_lead_to_it(by):
    bracket = bracket_of(by, 17, DOUBLE)
    drawing = bracket.last(3)
    assert not drawing.whole
    assert_drawn_well(drawing)
    final = next(match for match in drawing.matches if match.last)
    assert len(final.feeds) == 2
    assert final.at == drawing.columns - 1 == 4


def test_all_scores_are_as_large_as_the_narrowest_column_allows():
    sides = (PlacedSide(name="Ada", mark=40, won=True), PlacedSide(name="Ugo", mark=22, won=False))
    matches = tuple(PlacedMatch(number=at, at=at, top=0, sides=sides) for at in range(2))
    drawn = DrawnBracket("", PlacedDrawing(matches=matches), 300)
    edges = list(drawn.edges())
    edges[5] += 9  # the scores of the second round have less room
    stream = BytesIO()
    with Workbook(stream, OPTIONS) as book:
        grid = Grid([right - left for left, right in pairwise(edges)], [])
        drawn.draw(GridWriter(book, book.add_worksheet(), grid), 0)
    cells = [cell for row in load_workbook(stream).active.iter_rows() for cell in row]
    sizes = {cell.font.sz for cell in cells if cell.value in (40, 22)}
    assert len(sizes) == 1
    assert 5 < sizes.pop() < 9


def test_rounds_are_parted_as_equally_as_can_be():
    levels = [RoundHeading(heading=str(at), matches=()) for at in range(13)]
    assert [len(each) for each in split_rounds(levels, 4)] == [4, 3, 3, 3]
    assert [len(each) for each in split_rounds(levels[:5], 4)] == [3, 2]
    assert list(split_rounds([], 4)) == []


def lines_of(sheet):
    """Return which corners of cells are joined by the borders of cells that are no match."""
    merged = {
        (row, column)
        for each in sheet.merged_cells.ranges
        for row in range(each.min_row, each.max_row + 1)
        for column in range(each.min_col, each.max_col + 1)
    }
    joined = {}
    for row in sheet.iter_rows():
        for cell in row:
            at = cell.row - 1, cell.column - 1
            if (cell.row, cell.column) in merged:
                continue
            ends = []
            if cell.border.bottom.style:
                ends.append(((at[0] + 1, at[1]), (at[0] + 1, at[1] + 1)))
            if cell.border.right.style:
                ends.append(((at[0], at[1] + 1), (at[0] + 1, at[1] + 1)))
            for one, other in ends:
                joined.setdefault(one, set()).add(other)
                joined.setdefault(other, set()).add(one)
    return joined


def leads(joined, start, goal):
    seen, left = {start}, [start]
    while left:
        for corner in joined.get(left.pop(), ()):
            if corner not in seen:
                seen.add(corner)
                left.append(corner)
    return goal in seen


@pytest.mark.deep
@pytest.mark.parametrize("formula", [DOUBLE, SINGLE])
def test_lines_lead_from_each_match_to_the_one_its_winner_plays(by, formula):
    drawing = bracket_of(by, 11, formula).last()
    out = BytesIO()
    book = Workbook(out, OPTIONS)
    grid = Grid([1000], [0])
    drawn = DrawnBracket("", drawing, 1000)
    grid.cut(drawn.edges())
    drawn.draw(GridWriter(book, book.add_worksheet("A"), grid), 0)
    book.close()
    joined = lines_of(load_workbook(BytesIO(out.getvalue())).active)
    found = 0
    for match in drawing.matches:
        for at, middle in match.feeds:
            assert leads(joined, (middle, 4 * at + 2), (match.middle, 4 * match.at))
            found += 1
        for other in drawing.matches:
            if other.at < match.at and (other.at, other.middle) not in match.feeds:
                end = (match.middle, 4 * match.at)
                assert not leads(joined, (other.middle, 4 * other.at + 2), end)
    assert found >= 9


@pytest.mark.deep
def test_pages_of_a_large_bracket_end_between_matches(by):
    bracket = bracket_of(by, 33, DOUBLE)
    out = BytesIO()
    book = Workbook(out, OPTIONS)
    draw_bracket_sheet(book, book.add_worksheet("A"), [bracket], MARGINS)
    book.close()
    sheet = load_workbook(BytesIO(out.getvalue())).active
    breaks = [each.id for each in sheet.row_breaks.brk]
    assert breaks
    assert not sheet.sheet_properties.pageSetUpPr.fitToPage
    for each in sheet.merged_cells.ranges:
        assert not any(each.min_row <= row < each.max_row for row in breaks)
    assert sheet.print_title_rows == "$1:$1"
